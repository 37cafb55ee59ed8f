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

/// Thrown when the reader of the result has closed the pipe: `vgsim report mine.json | head`.
class ReaderLeft : public OutputError {
 public:
  using OutputError::OutputError;
};

/// Format of a result.
enum class Format { kText, kJson };

/// Kind of an output path.
enum class Destination {
  kFile,
  kFolder,
  kEither,  ///< a folder if one of that name exists, or the name ends with "/"
};

/// Why that path cannot be written, found by trying; nothing if it can. Removes folders that it
/// creates.
[[nodiscard]] std::optional<std::string> output_problem(const std::string& path,
                                                        Destination destination);

/// Writes the text to stdout, or to a file, completely or not at all (a temporary file in the
/// same folder is renamed when complete). Creates missing folders. Devices and pipes are
/// written to directly. Throws OutputError, ReaderLeft.
void write_result(const std::string& text, const std::optional<std::string>& file);

/// Writes a message to stderr.
void write_message(const std::string& text);

/// Writes errors of the input to stderr. Returns kBadInput.
[[nodiscard]] int report_errors(const input::Diagnostics& diagnostics);

}  // namespace vgsim::cli
