#include "tools/cli/reference/key_uses.hpp"

#include "topology/input/shapes/shape_node.hpp"

namespace vgsim::cli {
namespace {

using input::Shape;
using input::ShapeKind;
using input::Value;

void add_at(const std::string& place, const Value& value, const Shape& shape, KeyUses& uses) {
  const input::ShapeNode& node = shape.node();
  switch (node.kind) {
    case ShapeKind::any_of:
      for (const Shape& child : node.children) add_at(place, value, child, uses);
      return;
    case ShapeKind::array:
      if (!value.is_array()) return;
      for (const Value& element : value.elements()) {
        add_at(place + "/*", element, node.children.front(), uses);
      }
      return;
    case ShapeKind::map:
      if (!value.is_object()) return;
      for (const input::Member& member : value.members()) {
        add_at(place + "/*", member.value, node.children.back(), uses);
      }
      return;
    case ShapeKind::object:
      for (const input::Field& field : node.fields) {
        const input::Member* member = value.member(field.name());
        if (member == nullptr || member->value.is_null()) continue;
        const std::string below = place + "/" + field.name();
        uses.emplace(below, member->value);
        add_at(below, member->value, field.shape(), uses);
      }
      return;
    default:
      return;
  }
}

}  // namespace

void add_uses(const Value& document, const Shape& shape, KeyUses& uses) {
  add_at("", document, shape, uses);
}

}  // namespace vgsim::cli
