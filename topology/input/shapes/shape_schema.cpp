#include <fmt/format.h>

#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

#include "topology/input/decoder.hpp"
#include "topology/input/json_reader.hpp"
#include "topology/input/shapes/shape_node.hpp"
#include "topology/input/shapes/shared_definitions.hpp"

namespace vgsim::input {
namespace {

using Json = nlohmann::ordered_json;

Json schema_of(const Shape& shape, bool at_top);

/// Both texts as consecutive sentences.
std::string sentences(const std::string& first, const std::string& second) {
  if (first.empty() || second.empty()) return first + second;
  return first + (first.ends_with('.') ? " " : ". ") + second;
}

/// The text as JSON, else as a string, whichever the shape accepts; nothing if neither.
std::optional<Json> fitting_json(const Shape& shape, const std::string& text) {
  const auto value = fitting_value(text, shape);
  if (!value) return std::nullopt;
  const bool is_quoted = text.starts_with('"');
  return value->is_string() && !is_quoted ? Json(text) : Json::parse(text);
}

Json schema_of_field(const Field& field) {
  Json schema = schema_of(field.shape(), false);
  std::string description = sentences(field.description(), schema.value("description", ""));
  if (field.default_text()) {
    const auto fitting = fitting_json(field.shape(), *field.default_text());
    if (fitting) {
      schema["default"] = *fitting;
    } else {
      description = sentences(description, fmt::format("Default: {}.", *field.default_text()));
    }
  }
  if (!description.empty()) schema["description"] = description;
  for (const std::string& example : field.examples()) {
    const auto fitting = fitting_json(field.shape(), example);
    if (!fitting) {
      throw std::logic_error(
          fmt::format("example {} of \"{}\" does not fit", example, field.name()));
    }
    schema["examples"].push_back(*fitting);
  }
  return schema;
}

/// The comment key, which the reader skips in any object.
void add_comment(Json& properties) { properties[std::string(kCommentKey)] = {{"type", "string"}}; }

void add_object(const ShapeNode& node, bool at_top, Json& schema) {
  schema["type"] = "object";
  Json properties = Json::object();
  Json required = Json::array();
  if (at_top) {
    properties["$schema"] = {{"type", "string"}, {"description", "The schema of this file."}};
    properties["description"] = {{"type", "string"}, {"description", "Free text for people."}};
  }
  for (const Field& field : node.fields) {
    properties[field.name()] = schema_of_field(field);
    if (field.is_required()) required.push_back(field.name());
  }
  add_comment(properties);
  schema["properties"] = std::move(properties);
  if (!required.empty()) schema["required"] = std::move(required);
  schema["additionalProperties"] = false;
}

void add_items(const ShapeNode& node, Json& schema) {
  const bool is_array = node.kind == ShapeKind::array;
  schema["type"] = is_array ? "array" : "object";
  if (!is_array) {
    const Json names = schema_of(node.children.front(), false);
    if (names != Json{{"type", "string"}}) schema["propertyNames"] = names;
    schema["properties"] = Json::object();
    add_comment(schema["properties"]);
  }
  schema[is_array ? "items" : "additionalProperties"] = schema_of(node.children.back(), false);
  if (node.min_items > 0) schema[is_array ? "minItems" : "minProperties"] = node.min_items;
  schema[is_array ? "maxItems" : "maxProperties"] = node.max_items;
}

void add_limits(const ShapeNode& node, Json& schema) {
  if (node.kind == ShapeKind::count) {
    if (node.min != std::numeric_limits<std::int64_t>::min()) schema["minimum"] = node.min;
    if (node.max != kNoLimit) schema["maximum"] = node.max;
  } else {
    using Limits = std::numeric_limits<double>;
    if (node.number_min != Limits::lowest()) schema["minimum"] = node.number_min;
    if (node.number_max != Limits::max()) schema["maximum"] = node.number_max;
  }
}

void add_quantity(const ShapeNode& node, Json& schema) {
  schema["type"] = "string";
  schema["pattern"] = unit_regex(node.unit);
  const std::string limits = quantity_limits(node);
  if (limits.empty()) return;
  schema["description"] = sentences(node.description, fmt::format("A value{}.", limits));
}

/// All but the description and null.
void add_content(const ShapeNode& node, bool at_top, Json& schema) {
  switch (node.kind) {
    case ShapeKind::any:
      return;
    case ShapeKind::string:
      schema["type"] = "string";
      if (!node.regex.empty()) schema["pattern"] = node.regex;
      return;
    case ShapeKind::words:
      schema["type"] = "string";
      schema["enum"] = node.words;
      return;
    case ShapeKind::boolean:
      schema["type"] = "boolean";
      return;
    case ShapeKind::count:
    case ShapeKind::number:
      schema["type"] = node.kind == ShapeKind::count ? "integer" : "number";
      return add_limits(node, schema);
    case ShapeKind::quantity:
      return add_quantity(node, schema);
    case ShapeKind::array:
    case ShapeKind::map:
      return add_items(node, schema);
    case ShapeKind::object:
      return add_object(node, at_top, schema);
    case ShapeKind::any_of:
      for (const Shape& child : node.children) schema["anyOf"].push_back(schema_of(child, at_top));
      return;
  }
}

void allow_null(Json& schema) {
  if (schema.contains("anyOf")) schema["anyOf"].push_back({{"type", "null"}});
  if (schema.contains("type")) schema["type"] = Json::array({schema["type"], "null"});
  if (schema.contains("enum")) schema["enum"].push_back(nullptr);
}

Json schema_of(const Shape& shape, bool at_top) {
  const ShapeNode& node = shape.node();
  Json schema = Json::object();
  if (!at_top && !node.published_in.empty()) return {{"$ref", node.published_in}};
  if (!node.description.empty()) schema["description"] = node.description;
  add_content(node, at_top, schema);
  if (node.nullable) allow_null(schema);
  return schema;
}

}  // namespace

std::string to_json_schema(const Shape& shape, std::string_view title, std::string_view id) {
  Json schema = Json::object();
  schema["$schema"] = "http://json-schema.org/draft-07/schema#";
  schema["$id"] = id;
  schema["title"] = title;
  schema.update(schema_of(shape, true));
  share_definitions(schema);
  return schema.dump(2) + "\n";
}

}  // namespace vgsim::input
