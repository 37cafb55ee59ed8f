#pragma once

#include <stdexcept>
#include <string>

namespace vgsim::files {

/// Thrown when a file cannot be read or written. The text is for people and names the requested
/// file, also where a temporary one failed.
class FileError : public std::runtime_error {
 public:
  /// "cannot write FILE: " and the description of that errno.
  FileError(const std::string& what, const std::string& file, int error);
  /// For errors without an errno.
  explicit FileError(const std::string& text) : std::runtime_error(text) {}

  [[nodiscard]] int error() const { return error_; }  ///< an errno; 0: none

 private:
  int error_ = 0;
};

}  // namespace vgsim::files
