#include "models/scenario/read/override_setter.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <utility>

#include "models/scenario/read/layout_keys.hpp"
#include "topology/input/name_ranges.hpp"
#include "topology/input/shapes/shape_node.hpp"
#include "topology/input/suggest.hpp"

namespace vgsim::scenario {
namespace {

using input::Diagnostics;
using input::Member;
using input::Shape;
using input::ShapeKind;
using input::Value;

/// The shape of a member or element of a shape; nothing if it has none.
std::optional<Shape> shape_inside(const Shape& shape, const std::string& token) {
  const input::ShapeNode& node = shape.node();
  if (node.kind == ShapeKind::map || node.kind == ShapeKind::array) return node.children.back();
  for (const input::Field& field : node.fields) {
    if (field.name() == token) return field.shape();
  }
  if (node.kind != ShapeKind::any_of) return std::nullopt;
  for (const Shape& child : node.children) {
    if (auto inside = shape_inside(child, token)) return inside;
  }
  return std::nullopt;
}

/// The shape at each token; nothing beyond an unknown place.
std::vector<std::optional<Shape>> shapes_at(const std::vector<std::string>& tokens) {
  static const Shape document = scenario_shape();  // Built once, since it is large.
  std::vector<std::optional<Shape>> shapes{document};
  for (const std::string& token : tokens) {
    shapes.push_back(shapes.back() ? shape_inside(*shapes.back(), token) : std::nullopt);
  }
  return shapes;
}

/// For each token, whether it is a user-defined name that must exist.
std::vector<bool> names_that_must_be_there(const std::vector<std::string>& tokens, bool may_make) {
  std::vector<bool> result;
  const auto shapes = shapes_at(tokens);
  for (std::size_t d = 0; d < tokens.size(); ++d) {
    result.push_back(!may_make && shapes[d] && shapes[d]->node().kind == ShapeKind::map &&
                     d + 1 < tokens.size());
  }
  return result;
}

bool is_text(const Shape& shape) {
  const ShapeKind kind = shape.node().kind;
  return kind == ShapeKind::string || kind == ShapeKind::words;
}

/// Converts a number to its written text where the shape requires text (vSphere 9.0 is not 9).
Override as_it_belongs(Override change, const std::vector<std::string>& tokens) {
  const input::Location at = change.value.location();
  const input::Kind kind = change.value.kind();
  const bool is_number = kind == input::Kind::integer || kind == input::Kind::number;
  if (!is_number || !at.source) return change;
  const auto shape = shapes_at(tokens).back();
  if (!shape || !is_text(*shape)) return change;
  change.value =
      Value::make_string(at.source->text.substr(at.offset, at.length), change.value.origin());
  return change;
}

std::vector<Member>::iterator member_of(std::vector<Member>& members, const std::string& name) {
  return std::find_if(members.begin(), members.end(),
                      [&](const Member& each) { return each.name == name; });
}

}  // namespace

OverrideSetter::OverrideSetter(const Override& change, std::vector<std::string> tokens,
                               Diagnostics& diagnostics)
    : change_(as_it_belongs(change, tokens)),
      tokens_(std::move(tokens)),
      must_be_there_(names_that_must_be_there(tokens_, change_.may_make)),
      diagnostics_(diagnostics) {}

void OverrideSetter::error(const std::string& message, const std::string& expected,
                           std::vector<std::string> near) {
  diagnostics_.error("E631", change_.value.location(), change_.pointer,
                     fmt::format("{}: {}", change_.pointer, message), expected, std::move(near));
}

void OverrideSetter::note(const std::string& name, const Value& object, std::size_t depth,
                          bool found) {
  constexpr std::size_t kMostExplained = 20;
  if (!must_be_there_[depth] || tokens_[depth] == "*") return;
  Named& named = named_[name];
  named.found = named.found || found;
  if (named.found || named_.size() > kMostExplained) return;
  for (const Member& member : object.members()) named.others.push_back(member.name);
}

bool OverrideSetter::is_machine(std::size_t depth) const {
  if (depth == 0) return false;
  const std::string& group = tokens_[depth - 1];
  return group == "hosts" || group == "vms" || group == "nics";
}

std::vector<std::string> OverrideSetter::names(const Value& object, std::size_t depth) {
  const std::string& token = tokens_[depth];
  std::vector<std::string> names;
  if (token == "*") {
    for (const Member& member : object.members()) names.push_back(member.name);
    return names;
  }
  if (object.member(token) != nullptr) return {token};
  if (is_machine(depth) && token.find('*') != token.npos) {
    error(fmt::format("\"{}\" is not a name", token),
          "a name, a range such as esx[01-04], or \"*\" for all");
    return {};
  }
  if (!input::has_range(token)) return {token};
  auto expanded = input::expand_names(token);
  if (expanded) return std::move(*expanded);
  error(expanded.error(), "a range such as esx[01-04]");
  return {};
}

Value OverrideSetter::set(const Value& old, std::size_t depth) {
  if (depth == tokens_.size()) {
    places_.push_back(fmt::format("/{}", fmt::join(way_, "/")));
    return change_.value;
  }
  if (old.is_array()) return set_in_array(old, depth);
  if (old.is_object()) return set_in_object(old, depth);
  error(
      fmt::format("\"{}\" is neither an object nor an array", depth == 0 ? "" : tokens_[depth - 1]),
      "a place in an object or an array");
  return old;
}

Value OverrideSetter::set_inside(const std::string& name, const Value& old, std::size_t depth) {
  way_.push_back(name);
  Value value = set(old, depth);
  way_.pop_back();
  return value;
}

Value OverrideSetter::set_in_array(const Value& old, std::size_t depth) {
  std::vector<Value> elements = old.elements();
  const std::string& token = tokens_[depth];
  std::size_t index = 0;
  const auto [end, problem] = std::from_chars(token.data(), token.data() + token.size(), index);
  if (token == "*" && !elements.empty()) {
    for (std::size_t i = 0; i < elements.size(); ++i) {
      elements[i] = set_inside(std::to_string(i), elements[i], depth + 1);
    }
  } else if (token == "-") {
    elements.push_back(
        set_inside(token, Value::make_object({}, change_.value.origin()), depth + 1));
  } else if (problem == std::errc() && end == token.data() + token.size() &&
             index < elements.size()) {
    elements[index] = set_inside(token, elements[index], depth + 1);
  } else {
    error(fmt::format("no element \"{}\"", token),
          elements.empty()
              ? "\"-\", the list is empty"
              : fmt::format("0 to {}, \"-\" for a new one, or \"*\" for all", elements.size() - 1));
  }
  return Value::make_array(std::move(elements), old.origin());
}

Value OverrideSetter::set_in_object(const Value& old, std::size_t depth) {
  std::vector<Member> members = old.members();
  for (const std::string& name : names(old, depth)) {
    const auto there = member_of(members, name);
    note(name, old, depth, there != members.end());
    if (there != members.end() && depth + 1 == tokens_.size() && change_.value.is_null()) {
      places_.push_back(fmt::format("/{}/{}", fmt::join(way_, "/"), name));
      members.erase(there);
    } else if (there != members.end()) {
      there->value = set_inside(name, there->value, depth + 1);
    } else if (!change_.value.is_null() && !must_be_there_[depth]) {
      const std::size_t before = places_.size();
      Value made = set_inside(name, Value::make_object({}, change_.value.origin()), depth + 1);
      if (places_.size() > before)
        members.push_back({name, change_.value.location(), std::move(made)});
    }
  }
  return Value::make_object(std::move(members), old.origin());
}

Value OverrideSetter::set_in_patch(const Value& patch, const Value* base, std::size_t depth) {
  if (!patch.is_object() || depth == tokens_.size()) return set(patch, depth);
  std::vector<Member> members = patch.members();
  for (const std::string& name : names(patch, depth)) {
    const auto there = member_of(members, name);
    const Member* below = base == nullptr ? nullptr : base->member(name);
    note(name, patch, depth, there != members.end());
    if (there == members.end()) {
      // The base already contains the value, which applies here as well.
      if (base != nullptr || change_.value.is_null() || must_be_there_[depth]) continue;
      Value made = set_inside(name, Value::make_object({}, change_.value.origin()), depth + 1);
      members.push_back({name, change_.value.location(), std::move(made)});
    } else if (!there->value.is_null() || depth + 1 == tokens_.size()) {
      way_.push_back(name);
      there->value =
          set_in_patch(there->value, below == nullptr ? nullptr : &below->value, depth + 1);
      way_.pop_back();
    }
  }
  return Value::make_object(std::move(members), patch.origin());
}

void OverrideSetter::report_missing() {
  for (const auto& [name, named] : named_) {
    if (named.found) continue;
    error(fmt::format("unknown name \"{}\"", name),
          "an existing name, or the complete new entry as JSON",
          input::suggest(name, named.others));
  }
  if (places_.empty() && named_.empty() &&
      std::find(tokens_.begin(), tokens_.end(), "*") != tokens_.end()) {
    error("\"*\" matches nothing", "a name");
  }
}

Value OverrideSetter::in(const Value& document) {
  const bool addresses_layout = !tokens_.empty() && tokens_.front() == "layouts";
  Value changed = set(document, 0);
  const Member* layouts = changed.member("layouts");
  if (!addresses_layout && layouts != nullptr && layouts->value.is_object()) {
    std::vector<Member> patches = layouts->value.members();
    for (Member& patch : patches) {
      way_ = {"layouts", patch.name};
      if (patch.value.is_object()) patch.value = set_in_patch(patch.value, &changed, 0);
    }
    way_.clear();
    std::vector<Member> members = changed.members();
    member_of(members, "layouts")->value =
        Value::make_object(std::move(patches), layouts->value.origin());
    changed = Value::make_object(std::move(members), changed.origin());
  }
  if (!change_.value.is_null() && !diagnostics_.has_errors()) report_missing();
  return changed;
}

bool OverrideSetter::stands_for_many() const {
  return std::any_of(tokens_.begin(), tokens_.end(), [](const std::string& token) {
    return token == "*" || input::has_range(token);
  });
}

std::string OverrideSetter::matched() const {
  const std::string places =
      places_.size() == 1 ? "1 place" : fmt::format("{} places", places_.size());
  return fmt::format("{}: {}{}", change_.pointer, places,
                     places_.empty() ? "" : fmt::format(" ({})", input::and_more(places_)));
}

}  // namespace vgsim::scenario
