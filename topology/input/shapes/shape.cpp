#include "topology/input/shapes/shape.hpp"

#include <algorithm>
#include <utility>

#include "topology/input/shapes/shape_node.hpp"

namespace vgsim::input {
namespace {

ShapeNode node_of(ShapeKind kind) {
  ShapeNode node;
  node.kind = kind;
  return node;
}

Shape quantity(UnitKind unit, std::int64_t min, std::int64_t max) {
  ShapeNode node = node_of(ShapeKind::quantity);
  node.unit = unit;
  node.min = min;
  node.max = max;
  return Shape(std::move(node));
}

std::optional<std::string> check_name(std::string_view text) {
  constexpr std::size_t kMaxBytes = 200;
  const auto is_control = [](char c) {
    return static_cast<unsigned char>(c) < 0x20 || c == '\x7f';
  };
  if (text.empty()) return "a name, not an empty text";
  if (text.size() > kMaxBytes) return "a name of at most 200 bytes";
  if (std::any_of(text.begin(), text.end(), is_control)) return "a name without control characters";
  return std::nullopt;
}

}  // namespace

Shape::Shape(ShapeNode node) : node_(std::make_shared<const ShapeNode>(std::move(node))) {}

Shape Shape::describe(std::string text) const {
  ShapeNode changed = *node_;
  changed.description = std::move(text);
  return Shape(std::move(changed));
}

Shape Shape::nullable() const {
  ShapeNode changed = *node_;
  changed.nullable = true;
  return Shape(std::move(changed));
}

Shape Shape::published_in(std::string file) const {
  ShapeNode changed = *node_;
  changed.published_in = std::move(file);
  return Shape(std::move(changed));
}

Shape string_shape() { return Shape(node_of(ShapeKind::string)); }

Shape name_shape() { return pattern_string("a name", "^[^\\x01-\\x1f\\x7f]+$", check_name); }

Shape enum_shape(std::vector<std::string> words) {
  ShapeNode node = node_of(ShapeKind::words);
  node.words = std::move(words);
  return Shape(std::move(node));
}

Shape pattern_string(std::string noun, std::string regex, TextCheck check) {
  ShapeNode node = node_of(ShapeKind::string);
  node.noun = std::move(noun);
  node.regex = std::move(regex);
  node.check = std::move(check);
  return Shape(std::move(node));
}

Shape boolean_shape() { return Shape(node_of(ShapeKind::boolean)); }

Shape count_shape(std::int64_t min, std::int64_t max) {
  ShapeNode node = node_of(ShapeKind::count);
  node.min = min;
  node.max = max;
  return Shape(std::move(node));
}

Shape any_shape() { return Shape(node_of(ShapeKind::any)); }

Shape number_shape(double min, double max) {
  ShapeNode node = node_of(ShapeKind::number);
  node.number_min = min;
  node.number_max = max;
  return Shape(std::move(node));
}

Shape bytes_shape(Bytes min, Bytes max) {
  return quantity(UnitKind::bytes, min.count(), max.count());
}

Shape rate_shape(BytesPerSecond min, BytesPerSecond max) {
  return quantity(UnitKind::bytes_per_second, min.count(), max.count());
}

Shape time_shape(SimTime min, SimTime max) {
  return quantity(UnitKind::time, min.count(), max.count());
}

Shape flops_shape(Flops min, Flops max) {
  return quantity(UnitKind::flops, min.count(), max.count());
}

Shape flops_rate_shape(FlopsPerSecond min, FlopsPerSecond max) {
  return quantity(UnitKind::flops_per_second, min.count(), max.count());
}

Shape array_shape(Shape element, std::size_t min, std::size_t max) {
  ShapeNode node = node_of(ShapeKind::array);
  node.children = {std::move(element)};
  node.min_items = min;
  node.max_items = max;
  return Shape(std::move(node));
}

Shape object_shape(std::vector<Field> fields) {
  ShapeNode node = node_of(ShapeKind::object);
  node.fields = std::move(fields);
  return Shape(std::move(node));
}

Shape map_shape(Shape key, Shape value, std::size_t min, std::size_t max) {
  ShapeNode node = node_of(ShapeKind::map);
  node.children = {std::move(key), std::move(value)};
  node.min_items = min;
  node.max_items = max;
  return Shape(std::move(node));
}

Shape map_shape(std::string key_description, Shape value, std::size_t min, std::size_t max) {
  return map_shape(name_shape().describe(std::move(key_description)), std::move(value), min, max);
}

Shape any_of_shape(std::vector<Shape> alternatives) {
  ShapeNode node = node_of(ShapeKind::any_of);
  node.children = std::move(alternatives);
  return Shape(std::move(node));
}

}  // namespace vgsim::input
