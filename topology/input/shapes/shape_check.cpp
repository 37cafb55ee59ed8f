#include "topology/input/shapes/shape_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "topology/input/error_codes.hpp"
#include "topology/input/shapes/shape_node.hpp"
#include "topology/input/suggest.hpp"

namespace vgsim::input {
namespace {

/// Whether errors are only counted, so that checking can stop.
bool is_full(const Diagnostics& diagnostics) { return diagnostics.dropped(Severity::error) > 0; }

Location first_byte(const Location& location) { return {location.source, location.offset, 1}; }

void check_item_count(std::size_t count, const Value& value, const Shape& shape,
                      Diagnostics& diagnostics) {
  const ShapeNode& node = shape.node();
  if (count >= node.min_items && count <= node.max_items) return;
  diagnostics.error(
      codes::kOutOfRange.code, first_byte(value.location()), value.pointer(),
      fmt::format("{} with {} entries", value.is_array() ? "an array" : "an object", count),
      shape_noun(shape));
}

void check_array(const Value& value, const Shape& shape, Diagnostics& diagnostics) {
  check_item_count(value.elements().size(), value, shape, diagnostics);
  for (const Value& element : value.elements()) {
    if (is_full(diagnostics)) return;
    check_value(element, shape.node().children.front(), false, diagnostics);
  }
}

std::string listed(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text.empty() ? "no keys at all" : "one of: " + text;
}

void report_unknown_key(const Member& member, const std::vector<Field>& fields,
                        Diagnostics& diagnostics) {
  std::vector<std::string> names;
  std::vector<std::string> meant;
  for (const Field& known : fields) {
    names.push_back(known.name());
    const auto is_alias = [&member](const std::string& alias) {
      return alias.size() == member.name.size() && edit_distance(alias, member.name) == 0;
    };
    if (std::any_of(known.aliases().begin(), known.aliases().end(), is_alias)) {
      meant.push_back(known.name());
    }
  }
  if (meant.empty()) meant = suggest(member.name, names);
  diagnostics.error(codes::kUnknownKey.code, member.key, member.value.pointer(),
                    fmt::format("unknown key \"{}\"", member.name), listed(names),
                    std::move(meant));
}

bool is_free_at_top(const std::string& name) { return name == "$schema" || name == "description"; }

void check_member(const Member& member, const Shape& shape, bool at_top, Diagnostics& diagnostics) {
  const std::vector<Field>& fields = shape.node().fields;
  const auto field = std::find_if(fields.begin(), fields.end(),
                                  [&member](const Field& f) { return f.name() == member.name; });
  if (field != fields.end()) {
    check_value(member.value, field->shape(), false, diagnostics);
  } else if (at_top && is_free_at_top(member.name)) {
    check_value(member.value, string_shape(), false, diagnostics);
  } else {
    report_unknown_key(member, fields, diagnostics);
  }
}

void check_object(const Value& value, const Shape& shape, bool at_top, Diagnostics& diagnostics) {
  for (const Member& member : value.members()) {
    if (is_full(diagnostics)) return;
    check_member(member, shape, at_top, diagnostics);
  }
  for (const Field& field : shape.node().fields) {
    if (!field.is_required() || value.member(field.name()) != nullptr) continue;
    diagnostics.error(codes::kMissingKey.code, first_byte(value.location()), value.pointer(),
                      fmt::format("missing key \"{}\"", field.name()),
                      fmt::format("\"{}\": {}", field.name(), shape_noun(field.shape())));
  }
}

/// Checks an entry of an expanded range; members equal to those of the previous entry are not
/// checked again.
void check_entry(const Value& value, const Value* good, const Shape& shape,
                 Diagnostics& diagnostics) {
  const bool records = shape.node().kind == ShapeKind::object;
  const auto own = good != nullptr && records ? members_not_shared(*good, value) : std::nullopt;
  if (!own) return check_value(value, shape, false, diagnostics);
  for (const Member* member : *own) check_member(*member, shape, false, diagnostics);
}

void check_map(const Value& value, const Shape& shape, Diagnostics& diagnostics) {
  check_item_count(value.members().size(), value, shape, diagnostics);
  const Value* good = nullptr;
  for (const Member& member : value.members()) {
    if (is_full(diagnostics)) return;
    const Origin origin{member.key, member.value.origin().path};
    const Value key = Value::make_string(member.name, origin);
    check_value(key, shape.node().children.front(), false, diagnostics);
    check_entry(member.value, good, shape.node().children.back(), diagnostics);
    good = diagnostics.has_errors() ? nullptr : &member.value;
  }
}

}  // namespace

bool kind_fits(const Value& value, const Shape& shape) {
  const ShapeNode& node = shape.node();
  if (node.kind == ShapeKind::any) return true;
  if (value.is_null()) return node.nullable;
  switch (node.kind) {
    case ShapeKind::any:
      return true;
    case ShapeKind::string:
    case ShapeKind::words:
    case ShapeKind::quantity:
      return value.is_string();
    case ShapeKind::boolean:
      return value.kind() == Kind::boolean;
    case ShapeKind::count:
    case ShapeKind::number:
      return value.kind() == Kind::integer || value.kind() == Kind::number;
    case ShapeKind::array:
      return value.is_array();
    case ShapeKind::object:
    case ShapeKind::map:
      return value.is_object();
    case ShapeKind::any_of:
      return std::any_of(node.children.begin(), node.children.end(),
                         [&value](const Shape& child) { return kind_fits(value, child); });
  }
  return false;
}

void report_wrong_kind(const Value& value, const Shape& shape, Diagnostics& diagnostics) {
  const bool brackets = value.is_array() || value.is_object();
  diagnostics.error(codes::kWrongKind.code,
                    brackets ? first_byte(value.location()) : value.location(), value.pointer(),
                    "found " + found_text(value), shape_noun(shape));
}

void check_value(const Value& value, const Shape& shape, bool at_top, Diagnostics& diagnostics) {
  const ShapeNode& node = shape.node();
  if (value.is_null() && node.nullable) return;
  if (node.kind == ShapeKind::any) return;
  if (node.kind == ShapeKind::any_of) return check_any_of(value, shape, at_top, diagnostics);
  const bool composite = node.kind == ShapeKind::array || node.kind == ShapeKind::object ||
                         node.kind == ShapeKind::map;
  if (!composite) return check_scalar(value, shape, diagnostics);
  if (!kind_fits(value, shape)) return report_wrong_kind(value, shape, diagnostics);
  if (node.kind == ShapeKind::array) return check_array(value, shape, diagnostics);
  if (node.kind == ShapeKind::map) return check_map(value, shape, diagnostics);
  check_object(value, shape, at_top, diagnostics);
}

void check(const Value& value, const Shape& shape, Diagnostics& diagnostics) {
  check_value(value, shape, true, diagnostics);
}

}  // namespace vgsim::input
