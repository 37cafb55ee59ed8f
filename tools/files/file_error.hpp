#pragma once

#include <stdexcept>
#include <string>

namespace vgsim::files {

/// Thrown when a file cannot be read or written. The text is for people and names the file that
/// was asked for, whatever became of temporary ones.
class FileError : public std::runtime_error {
 public:
  /// "cannot write FILE: " and what that error of errno means.
  FileError(const std::string& what, const std::string& file, int error);
  /// Of what has no number.
  explicit FileError(const std::string& text) : std::runtime_error(text) {}

  [[nodiscard]] int error() const { return error_; }  ///< as errno; 0 where there is none

 private:
  int error_ = 0;
};

}  // namespace vgsim::files
