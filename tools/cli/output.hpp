#pragma once

#include <optional>
#include <stdexcept>
#include <string>

#include "topology/input/diagnostics.hpp"

namespace vgsim::cli {

/// Thrown when a result cannot be written: a full disk, a closed pipe.
class OutputError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Thrown when who reads the result has closed the pipe: `vgsim report mine.json | head`.
class ReaderLeft : public OutputError {
 public:
  using OutputError::OutputError;
};

/// What a result is written as.
enum class Format { kText, kJson };

/// What is written to.
enum class Destination {
  kFile,
  kFolder,
  kEither,  ///< a folder where there is one of that name, or the name ends with "/"
};

/// What will stand in the way of writing there, found out by trying; nothing if nothing does.
/// Leaves no trace: folders that are made for it are taken away again.
[[nodiscard]] std::optional<std::string> output_problem(const std::string& path,
                                                        Destination destination);

/// Writes the text to stdout, or to a file: whole or not at all (a temporary file beside it is
/// renamed when it is complete). Makes the folders that the file lies in. A device or pipe is
/// written to directly. Throws OutputError, ReaderLeft.
void write_result(const std::string& text, const std::optional<std::string>& file);

/// Writes a message to stderr.
void write_message(const std::string& text);

/// Writes what is wrong with the input to stderr. Returns kBadInput.
[[nodiscard]] int report_errors(const input::Diagnostics& diagnostics);

}  // namespace vgsim::cli
