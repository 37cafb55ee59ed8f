#pragma once

#include <chrono>
#include <cstdint>
#include <string>

#include "tools/files/descriptor.hpp"
#include "tools/files/digest.hpp"
#include "tools/sweep/store_lines.hpp"
#include "tools/sweep/store_reader.hpp"

namespace vgsim::sweep {

/// Behaviour if the store exists.
enum class IfThere { kRefuse, kResume };

/// A store that this process alone writes. If the process ends at any time, the file is valid
/// except for a last, incomplete line, and another Store continues from there.
class Store {
 public:
  /// Creates or opens the store and its folder. Verifies an existing store and removes an
  /// incomplete last line. Throws StoreError if the store exists and is not to be resumed, is
  /// locked by another process, does not belong to `header`, is damaged, or cannot be
  /// written.
  Store(const std::string& folder, const StoreHeader& header, IfThere if_there);

  [[nodiscard]] const std::string& file() const { return file_; }
  /// Points in the store.
  [[nodiscard]] std::uint64_t points() const { return content_.points; }
  [[nodiscard]] bool complete() const { return content_.complete; }
  /// The content found when it was opened, with the number of removed bytes.
  [[nodiscard]] const StoreContent& found() const { return found_; }

  /// Adds the line of the next point. Synced to disk by an add() after a hundred lines or one
  /// second. Throws StoreError.
  void add(const std::string& line);
  /// Syncs all lines to disk. Throws StoreError.
  void sync();
  /// Adds the footer; all points must have been added. Throws StoreError.
  void finish();

 private:
  void lock();
  void write_line(const std::string& line);

  std::string file_;
  StoreHeader header_;
  files::Descriptor descriptor_;
  files::Digest digest_;
  StoreContent content_;
  StoreContent found_;
  std::uint64_t unsynced_ = 0;
  std::chrono::steady_clock::time_point synced_;
};

}  // namespace vgsim::sweep
