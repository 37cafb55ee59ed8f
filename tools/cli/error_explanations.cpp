#include "tools/cli/error_explanations.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "models/vsphere/facts/read_checked.hpp"
#include "tools/text/table.hpp"
#include "topology/input/load_source.hpp"
#include "topology/input/typed.hpp"

namespace vgsim::cli {
namespace {

using namespace input;

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// "E202": a letter and three digits.
bool is_code(std::string_view text) {
  return text.size() == 4 && (text[0] == 'E' || text[0] == 'W') &&
         std::all_of(text.begin() + 1, text.end(), is_digit);
}

Shape code_shape() {
  return pattern_string("a code such as \"E202\"", "^[EW][0-9]{3}$",
                        [](std::string_view text) -> std::optional<std::string> {
                          if (is_code(text)) return std::nullopt;
                          return "E for an error or W for a warning, and three digits";
                        });
}

}  // namespace

Shape errors_shape() {
  return object_shape({
      field("format", enum_shape({"vgsim.errors/1"})).required(),
      field("errors",
            map_shape(code_shape(),
                      object_shape({
                          field("title", string_shape()).required().describe("in one line"),
                          field("why", string_shape())
                              .required()
                              .describe("why the input is refused, or suspicious"),
                          field("example", string_shape())
                              .required()
                              .describe("an input that causes it, as text or in words"),
                          field("remedy", string_shape()).required().describe("what to do"),
                      })))
          .required(),
  });
}

tl::expected<ErrorExplanations, Diagnostics> read_error_explanations(const SourcePtr& file) {
  const auto document = vsphere::read_checked(file, errors_shape);
  if (!document) return tl::unexpected(document.error());
  ErrorExplanations explanations;
  for (const auto& [code, key, value] : find(*document, "errors")->members()) {
    explanations.emplace(
        code,
        ErrorExplanation{as_string(*find(value, "title")), as_string(*find(value, "why")),
                         as_string(*find(value, "example")), as_string(*find(value, "remedy"))});
  }
  return explanations;
}

tl::expected<ErrorExplanations, Diagnostics> load_error_explanations(
    const std::string& config_dir) {
  const auto file = load_source(config_dir + "/errors/errors.json");
  if (!file) return tl::unexpected(file.error());
  return read_error_explanations(*file);
}

std::optional<std::string> as_error_code(const std::string& text) {
  std::string code = text;
  if (!code.empty() && (code[0] == 'e' || code[0] == 'w')) code[0] = code[0] == 'e' ? 'E' : 'W';
  if (!is_code(code)) return std::nullopt;
  return code;
}

std::optional<std::string> explain_error(const ErrorExplanations& explanations,
                                         const std::string& code) {
  const auto found = explanations.find(as_error_code(code).value_or(code));
  if (found == explanations.end()) return std::nullopt;
  const ErrorExplanation& error = found->second;
  return fmt::format("{} ({})\n  {}\n\nwhy\n  {}\n\nfor example\n  {}\n\nwhat to do\n  {}\n",
                     found->first, found->first[0] == 'W' ? "warning" : "error",
                     text::wrap(error.title, 2), text::wrap(error.why, 2),
                     text::wrap(error.example, 2), text::wrap(error.remedy, 2));
}

std::string error_list_text(const ErrorExplanations& explanations) {
  std::string text;
  for (const auto& [code, error] : explanations) {
    text += fmt::format("{}  {}\n", code, error.title);
  }
  return text;
}

}  // namespace vgsim::cli
