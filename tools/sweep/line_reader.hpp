#pragma once

#include <sys/types.h>

#include <cstddef>
#include <string>
#include <string_view>

namespace vgsim::sweep {

/// Reads a file line by line from its start, independent of the descriptor's offset.
class LineReader {
 public:
  /// `file` is for messages.
  LineReader(int descriptor, std::string file) : descriptor_(descriptor), file_(std::move(file)) {}

  /// The next complete line, without its newline; false at the end. Valid until the next
  /// call. Throws StoreError if the file cannot be read, or a line exceeds 64 MiB.
  [[nodiscard]] bool next(std::string_view& line);

  /// The text after the last complete line, once next() has returned false.
  [[nodiscard]] std::string_view rest() const { return std::string_view(text_).substr(begin_); }

 private:
  bool read_more();

  int descriptor_;
  std::string file_;
  std::string text_;
  std::size_t begin_ = 0;
  std::size_t searched_ = 0;  ///< no newline from begin_ to here
  off_t offset_ = 0;          ///< file offset of the end of text_
};

}  // namespace vgsim::sweep
