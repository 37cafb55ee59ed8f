#pragma once

#include <sys/types.h>

#include <cstddef>
#include <string>
#include <string_view>

namespace vgsim::sweep {

/// Takes a file's bytes apart into lines, from its start, whatever others do with the descriptor.
class LineReader {
 public:
  /// `file` is for messages.
  LineReader(int descriptor, std::string file) : descriptor_(descriptor), file_(std::move(file)) {}

  /// The next line that has an end, without it; false where there is none. It is valid until the
  /// next call. Throws StoreError where the file cannot be read, or has lines beyond 64 MiB.
  [[nodiscard]] bool next(std::string_view& line);

  /// What stands after the last line that has an end, once there are no more.
  [[nodiscard]] std::string_view rest() const { return std::string_view(text_).substr(begin_); }

 private:
  bool read_more();

  int descriptor_;
  std::string file_;
  std::string text_;
  std::size_t begin_ = 0;
  std::size_t searched_ = 0;  ///< no newline from begin_ to here
  off_t offset_ = 0;          ///< in the file, of the end of text_
};

}  // namespace vgsim::sweep
