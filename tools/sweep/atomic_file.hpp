#pragma once

#include <string>
#include <string_view>

#include "tools/sweep/descriptor.hpp"

namespace vgsim::sweep {

/// A file that is there whole or not at all: what is written goes to a temporary one beside it,
/// which takes its name in the end, or goes away again with the object.
class AtomicFile {
 public:
  /// Throws StoreError, as all of these do.
  explicit AtomicFile(const std::string& file);
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;
  ~AtomicFile();

  void write(std::string_view bytes);
  /// Makes all of it last and gives it its name.
  void finish();

  /// For libraries that open files themselves; nothing must be written here then.
  [[nodiscard]] const std::string& temporary() const { return temporary_; }

 private:
  void flush();

  std::string file_;
  std::string temporary_;
  Descriptor descriptor_;
  std::string buffer_;
  bool finished_ = false;
};

}  // namespace vgsim::sweep
