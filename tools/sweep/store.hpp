#pragma once

#include <chrono>
#include <cstdint>
#include <string>

#include "tools/files/descriptor.hpp"
#include "tools/files/digest.hpp"
#include "tools/sweep/store_lines.hpp"
#include "tools/sweep/store_reader.hpp"

namespace vgsim::sweep {

/// What to do with a store that is there.
enum class IfThere { kRefuse, kResume };

/// A store that is being written, by this process alone. Whatever ends the process, and whenever:
/// what lies in the file is good up to a last line that may be torn, and another Store goes on from
/// there.
class Store {
 public:
  /// Makes or opens the store, and the folder it lies in. Verifies what is there and cuts a torn
  /// last line off. Throws StoreError where it is there and not to be resumed, where another
  /// process writes it, where it does not belong to `header`, is damaged, or cannot be written.
  Store(const std::string& folder, const StoreHeader& header, IfThere if_there);

  [[nodiscard]] const std::string& file() const { return file_; }
  /// Points that it holds.
  [[nodiscard]] std::uint64_t points() const { return content_.points; }
  [[nodiscard]] bool complete() const { return content_.complete; }
  /// What was there when it was opened, and the bytes that were cut off.
  [[nodiscard]] const StoreContent& found() const { return found_; }

  /// Adds the line of the next point. Reaches the disk at the latest with the hundredth line or a
  /// second later, when the next one is added. Throws StoreError.
  void add(const std::string& line);
  /// Makes everything so far last. Throws StoreError.
  void sync();
  /// Adds the footer; all points must be there. Throws StoreError.
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
