#pragma once

#include <optional>
#include <stdexcept>
#include <string>

#include "topology/input/diagnostics.hpp"

namespace vgsim::cli {

/// Thrown when a result cannot be written: a full disk, a closed pipe, a folder that is not there.
class OutputError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Writes the text to stdout, or to a file: whole or not at all (a temporary file beside it is
/// renamed when it is complete). A device or pipe is written to directly. Throws OutputError.
void write_result(const std::string& text, const std::optional<std::string>& file);

/// Writes a message to stderr.
void write_message(const std::string& text);

/// Writes what is wrong with the input to stderr. Returns kBadInput.
[[nodiscard]] int report_errors(const input::Diagnostics& diagnostics);

}  // namespace vgsim::cli
