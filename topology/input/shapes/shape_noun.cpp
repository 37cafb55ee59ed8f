#include <fmt/format.h>

#include <limits>
#include <stdexcept>

#include "topology/input/shapes/shape_node.hpp"

namespace vgsim::input {
namespace {

/// " from 1 to 64"; each limit is optional.
std::string between(const std::string& min, const std::string& max) {
  if (!min.empty() && !max.empty()) return fmt::format(" from {} to {}", min, max);
  if (!min.empty()) return fmt::format(" of at least {}", min);
  return max.empty() ? std::string() : fmt::format(" of at most {}", max);
}

/// The quantity in the shortest unit that states it exactly.
std::string exact_text(UnitKind kind, std::int64_t count) {
  const std::string text = format_quantity(kind, count);
  if (parse_quantity(kind, text) == count) return text;
  return fmt::format("{} {}", count, format_quantity(kind, 0).substr(2));
}

std::string item_limits(const ShapeNode& node, std::string_view one, std::string_view many) {
  if (node.min_items == 0 && node.max_items == kMaxItems) return {};
  if (node.min_items == node.max_items) {
    return fmt::format(" of {} {}", node.min_items, node.min_items == 1 ? one : many);
  }
  if (node.max_items == kMaxItems) {
    return fmt::format(" of at least {} {}", node.min_items, node.min_items == 1 ? one : many);
  }
  return fmt::format(" of {} to {} {}", node.min_items, node.max_items, many);
}

std::string count_noun(const ShapeNode& node) {
  constexpr std::int64_t kLowest = std::numeric_limits<std::int64_t>::min();
  return "a whole number" + between(node.min == kLowest ? "" : std::to_string(node.min),
                                    node.max == kNoLimit ? "" : std::to_string(node.max));
}

std::string number_noun(const ShapeNode& node) {
  using Limits = std::numeric_limits<double>;
  return "a number" +
         between(node.number_min == Limits::lowest() ? "" : fmt::format("{}", node.number_min),
                 node.number_max == Limits::max() ? "" : fmt::format("{}", node.number_max));
}

template <class Items, class Text>
std::string join(const Items& items, std::string_view separator, Text text) {
  std::string result;
  for (const auto& item : items) {
    if (!result.empty()) result += separator;
    result += text(item);
  }
  return result;
}

}  // namespace

std::string quantity_limits(const ShapeNode& node) {
  return between(node.min == 0 ? "" : exact_text(node.unit, node.min),
                 node.max == kNoLimit ? "" : exact_text(node.unit, node.max));
}

std::string shape_noun(const Shape& shape) {
  const ShapeNode& node = shape.node();
  switch (node.kind) {
    case ShapeKind::any:
      return "any value";
    case ShapeKind::string:
      return node.noun.empty() ? "text" : node.noun;
    case ShapeKind::words:
      return (node.words.size() == 1 ? "" : "one of: ") +
             join(node.words, ", ", [](const std::string& word) { return '"' + word + '"'; });
    case ShapeKind::boolean:
      return "true or false";
    case ShapeKind::count:
      return count_noun(node);
    case ShapeKind::number:
      return number_noun(node);
    case ShapeKind::quantity:
      return unit_noun(node.unit) + quantity_limits(node);
    case ShapeKind::array:
      return "an array" + item_limits(node, "value", "values");
    case ShapeKind::object:
      return "an object";
    case ShapeKind::map:
      return "an object" + item_limits(node, "entry", "entries");
    case ShapeKind::any_of:
      return join(node.children, ", or ", shape_noun);
  }
  throw std::logic_error("shape of unknown kind");
}

}  // namespace vgsim::input
