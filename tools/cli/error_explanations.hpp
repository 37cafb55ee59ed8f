#pragma once

#include <map>
#include <optional>
#include <string>
#include <tl/expected.hpp>

#include "topology/input/diagnostics.hpp"
#include "topology/input/shapes/shape.hpp"
#include "topology/input/source_file.hpp"

namespace vgsim::cli {

/// What a code of an error or warning means.
struct ErrorExplanation {
  std::string title;    ///< in one line
  std::string why;      ///< why the input is refused, or odd
  std::string example;  ///< of an input that brings it about
  std::string remedy;   ///< what to do
};

/// By code: "E202", "W451".
using ErrorExplanations = std::map<std::string, ErrorExplanation>;

/// The shape of `configs/errors/errors.json`.
[[nodiscard]] input::Shape errors_shape();

/// Reads that file.
[[nodiscard]] tl::expected<ErrorExplanations, input::Diagnostics> read_error_explanations(
    const input::SourcePtr& file);

/// Reads it from a configuration folder. Nothing else there has to be in order.
[[nodiscard]] tl::expected<ErrorExplanations, input::Diagnostics> load_error_explanations(
    const std::string& config_dir);

/// The code as it is listed, of "e202" as well; nothing if it has not the form of one.
[[nodiscard]] std::optional<std::string> as_error_code(const std::string& text);

/// What is known of a code, as text for people; nothing if there is no such code.
[[nodiscard]] std::optional<std::string> explain_error(const ErrorExplanations& explanations,
                                                       const std::string& code);

/// One line for each code.
[[nodiscard]] std::string error_list_text(const ErrorExplanations& explanations);

}  // namespace vgsim::cli
