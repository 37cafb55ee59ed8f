#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "topology/input/error_codes.hpp"
#include "topology/input/shapes/shape_check.hpp"
#include "topology/input/shapes/shape_node.hpp"
#include "topology/input/suggest.hpp"
#include "topology/input/text_cells.hpp"

namespace vgsim::input {
namespace {

constexpr std::size_t kMaxQuotedBytes = 40;

void report(const ErrorCode& code, const Value& value, std::string message, std::string expected,
            Diagnostics& diagnostics, std::vector<std::string> suggestions = {}) {
  diagnostics.error(code.code, value.location(), value.pointer(), std::move(message),
                    std::move(expected), std::move(suggestions));
}

/// The text in quotes, cut to a readable length at a character boundary.
std::string in_quotes(std::string_view text) {
  if (text.size() <= kMaxQuotedBytes) return fmt::format("\"{}\"", text);
  std::size_t end = kMaxQuotedBytes;
  while (end > 0 && static_cast<unsigned char>(text[end]) >> 6 == 2) --end;
  return fmt::format("\"{}...\"", text.substr(0, end));
}

/// Whether the text is a number, so that removing the quotes may be the fix.
bool is_number_in_quotes(const Value& value) {
  return value.is_string() && !value.string().empty() && value.string().size() <= kMaxQuotedBytes &&
         value.string().find_first_not_of("+-.0123456789eE") == std::string::npos;
}

void report_no_number(const Value& value, const Shape& shape, Diagnostics& diagnostics) {
  const std::string hint = is_number_in_quotes(value) ? ", written without quotes" : "";
  report(codes::kWrongKind, value, "found " + found_text(value), shape_noun(shape) + hint,
         diagnostics);
}

void check_text(const Value& value, const Shape& shape, Diagnostics& diagnostics) {
  const ShapeNode& node = shape.node();
  if (!value.is_string()) return report_wrong_kind(value, shape, diagnostics);
  if (!node.check) return;
  if (auto expected = node.check(value.string())) {
    report(codes::kBadText, value, "found " + found_text(value), std::move(*expected), diagnostics);
  }
}

void check_word(const Value& value, const Shape& shape, Diagnostics& diagnostics) {
  const std::vector<std::string>& words = shape.node().words;
  if (!value.is_string()) return report_wrong_kind(value, shape, diagnostics);
  if (std::find(words.begin(), words.end(), value.string()) != words.end()) return;
  report(codes::kUnknownWord, value, "unknown word " + in_quotes(value.string()), shape_noun(shape),
         diagnostics, suggest(value.string(), words));
}

void check_count(const Value& value, const Shape& shape, Diagnostics& diagnostics) {
  const ShapeNode& node = shape.node();
  if (!kind_fits(value, shape)) return report_no_number(value, shape, diagnostics);
  const double number = value.number();
  if (std::trunc(number) != number) {
    return report(codes::kNotWhole, value, number_text(value) + " is not a whole number",
                  shape_noun(shape), diagnostics);
  }
  constexpr double kTwoTo63 = 9223372036854775808.0;
  const bool is_integer = value.kind() == Kind::integer;
  const bool fits = is_integer || (number >= -kTwoTo63 && number < kTwoTo63);
  const std::int64_t count = is_integer ? value.integer()
                             : fits     ? static_cast<std::int64_t>(number)
                                        : 0;
  const bool too_small = fits ? count < node.min : number < 0;
  const bool too_large = fits ? count > node.max : number > 0;
  if (!too_small && !too_large) return;
  report(codes::kOutOfRange, value,
         fmt::format("{} is too {}", number_text(value), too_small ? "small" : "large"),
         shape_noun(shape), diagnostics);
}

void check_number(const Value& value, const Shape& shape, Diagnostics& diagnostics) {
  const ShapeNode& node = shape.node();
  if (!kind_fits(value, shape)) return report_no_number(value, shape, diagnostics);
  const double number = value.number();
  if (number >= node.number_min && number <= node.number_max) return;
  const char* how = number < node.number_min ? "small" : "large";
  report(codes::kOutOfRange, value, fmt::format("{} is too {}", number_text(value), how),
         shape_noun(shape), diagnostics);
}

void check_quantity(const Value& value, const Shape& shape, Diagnostics& diagnostics) {
  const ShapeNode& node = shape.node();
  const bool bare = value.kind() == Kind::integer || value.kind() == Kind::number;
  if (!bare && !value.is_string()) return report_wrong_kind(value, shape, diagnostics);
  const std::string text = bare ? number_text(value) : value.string();
  const Parsed<std::int64_t> count = parse_quantity(node.unit, text);
  if (!count) {
    const bool no_unit = bare || is_number_in_quotes(value);
    return no_unit ? report(codes::kBareNumber, value, text + " has no unit", count.error(),
                            diagnostics)
                   : report(codes::kBadUnit, value, "cannot read " + in_quotes(text), count.error(),
                            diagnostics);
  }
  if (*count >= node.min && *count <= node.max) return;
  report(codes::kQuantityRange, value,
         fmt::format("{} is too {}", in_quotes(text), *count < node.min ? "small" : "large"),
         shape_noun(shape), diagnostics);
}

}  // namespace

std::string number_text(const Value& value) {
  const Location& location = value.location();
  std::string text = location.source == nullptr
                         ? to_canonical_string(value)
                         : location.source->text.substr(location.offset, location.length);
  if (text.size() > kMaxQuotedBytes) text = text.substr(0, kMaxQuotedBytes) + "...";
  return text;
}

std::string found_text(const Value& value) {
  switch (value.kind()) {
    case Kind::null:
      return "null";
    case Kind::boolean:
      return value.boolean() ? "true" : "false";
    case Kind::integer:
    case Kind::number:
      return "the number " + number_text(value);
    case Kind::string:
      return "the text " + in_quotes(value.string());
    case Kind::array:
      return "an array";
    case Kind::object:
      return "an object";
  }
  throw std::logic_error("JSON value of unknown kind");
}

void check_scalar(const Value& value, const Shape& shape, Diagnostics& diagnostics) {
  switch (shape.node().kind) {
    case ShapeKind::string:
      return check_text(value, shape, diagnostics);
    case ShapeKind::words:
      return check_word(value, shape, diagnostics);
    case ShapeKind::boolean:
      if (!kind_fits(value, shape)) report_wrong_kind(value, shape, diagnostics);
      return;
    case ShapeKind::count:
      return check_count(value, shape, diagnostics);
    case ShapeKind::number:
      return check_number(value, shape, diagnostics);
    case ShapeKind::quantity:
      return check_quantity(value, shape, diagnostics);
    default:
      throw std::logic_error("shape is not a scalar");
  }
}

}  // namespace vgsim::input
