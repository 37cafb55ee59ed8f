#include <algorithm>
#include <utility>
#include <vector>

#include "topology/input/shapes/shape.hpp"
#include "topology/input/shapes/shape_node.hpp"

namespace vgsim::input {
namespace {

Field patched(const Field& field) {
  return Field(field.name(), patch_of(field.shape()).nullable())
      .describe(field.description())
      .examples(field.examples())
      .aliases(field.aliases());
}

/// The union of two shapes.
Shape either(const Shape& a, const Shape& b) {
  ShapeNode joined = a.node();
  const ShapeNode& other = b.node();
  if (joined.kind == ShapeKind::words && other.kind == ShapeKind::words) {
    for (const std::string& word : other.words) {
      const bool known =
          std::find(joined.words.begin(), joined.words.end(), word) != joined.words.end();
      if (!known) joined.words.push_back(word);
    }
    return Shape(std::move(joined));
  }
  if (joined.kind == ShapeKind::any_of) {
    joined.children.push_back(b);
    return Shape(std::move(joined));
  }
  return any_of_shape({a, b}).nullable();
}

/// Adds the fields of another object; common fields accept the union of both.
void unite(std::vector<Field>& fields, const std::vector<Field>& others) {
  for (const Field& other : others) {
    const auto same = std::find_if(fields.begin(), fields.end(), [&other](const Field& field) {
      return field.name() == other.name();
    });
    if (same == fields.end()) {
      fields.push_back(other);
    } else {
      *same = Field(same->name(), either(same->shape(), other.shape()))
                  .describe(same->description())
                  .aliases(same->aliases());
    }
  }
}

/// A patch can replace one alternative by another, and then removes keys of the old one with null.
/// So the object alternatives become one object with all keys.
Shape patch_of_any(const ShapeNode& node) {
  std::vector<Field> fields;
  std::vector<Shape> alternatives;
  for (const Shape& child : node.children) {
    const Shape patch = patch_of(child);
    if (patch.node().kind == ShapeKind::object) {
      unite(fields, patch.node().fields);
    } else {
      alternatives.push_back(patch);
    }
  }
  if (!fields.empty()) alternatives.push_back(object_shape(std::move(fields)));
  ShapeNode result = node;
  result.children = std::move(alternatives);
  return Shape(std::move(result));
}

}  // namespace

Shape patch_of(const Shape& shape) {
  ShapeNode node = shape.node();
  node.published_in.clear();
  switch (node.kind) {
    case ShapeKind::object:
      for (Field& field : node.fields) field = patched(field);
      return Shape(std::move(node));
    case ShapeKind::map:
      node.children.back() = patch_of(node.children.back()).nullable();
      node.min_items = 0;
      return Shape(std::move(node));
    case ShapeKind::any_of:
      return patch_of_any(node);
    default:
      return shape;
  }
}

}  // namespace vgsim::input
