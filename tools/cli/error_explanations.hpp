#pragma once

#include <map>
#include <optional>
#include <string>
#include <tl/expected.hpp>

#include "topology/input/diagnostics.hpp"
#include "topology/input/shapes/shape.hpp"
#include "topology/input/source_file.hpp"

namespace vgsim::cli {

/// Explanation of an error or warning code.
struct ErrorExplanation {
  std::string title;    ///< in one line
  std::string why;      ///< why the input is refused, or suspicious
  std::string example;  ///< of an input that causes it
  std::string remedy;   ///< what to do
};

/// By code: "E202", "W451".
using ErrorExplanations = std::map<std::string, ErrorExplanation>;

/// The shape of `configs/errors/errors.json`.
[[nodiscard]] input::Shape errors_shape();

/// Reads that file.
[[nodiscard]] tl::expected<ErrorExplanations, input::Diagnostics> read_error_explanations(
    const input::SourcePtr& file);

/// Reads only this file of a configuration folder.
[[nodiscard]] tl::expected<ErrorExplanations, input::Diagnostics> load_error_explanations(
    const std::string& config_dir);

/// The canonical code, also of "e202"; nothing if it is malformed.
[[nodiscard]] std::optional<std::string> as_error_code(const std::string& text);

/// The explanation of a code as text; nothing for unknown codes.
[[nodiscard]] std::optional<std::string> explain_error(const ErrorExplanations& explanations,
                                                       const std::string& code);

/// One line for each code.
[[nodiscard]] std::string error_list_text(const ErrorExplanations& explanations);

}  // namespace vgsim::cli
