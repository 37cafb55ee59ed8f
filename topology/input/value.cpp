#include "topology/input/value.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <stdexcept>
#include <utility>
#include <variant>

namespace vgsim::input {
namespace value_content {

struct Number {
  double value = 0;
  bool written_as_integer = false;
};

struct Object {
  std::vector<Member> members;
  std::vector<std::uint32_t> by_name;  ///< Indices into `members`, sorted by name.
};

/// Alternatives in the order of Kind.
using Content = std::variant<std::monostate, bool, std::int64_t, Number, std::string,
                             std::vector<Value>, Object>;

}  // namespace value_content

namespace {

using value_content::Content;
using value_content::Number;
using value_content::Object;

[[noreturn]] void wrong_kind(const char* wanted) {
  throw std::logic_error(fmt::format("JSON value is not {}", wanted));
}

void append_escaped(std::string_view token, std::string& pointer) {
  for (const char c : token) {
    if (c == '~') {
      pointer += "~0";
    } else if (c == '/') {
      pointer += "~1";
    } else {
      pointer += c;
    }
  }
}

}  // namespace

struct Value::Node {
  Content content;
  Origin origin;
};

std::string to_pointer(const PathPtr& path) {
  std::vector<std::string_view> tokens;
  for (const Path* step = path.get(); step != nullptr; step = step->parent.get()) {
    tokens.push_back(step->token);
  }
  std::string pointer;
  for (auto token = tokens.rbegin(); token != tokens.rend(); ++token) {
    pointer += '/';
    append_escaped(*token, pointer);
  }
  return pointer;
}

Value::Value() {
  static const Value null = make_null();  // shared by all members that are not read yet
  node_ = null.node_;
}

Value::Value(std::shared_ptr<const Node> node) : node_(std::move(node)) {}

Value Value::make_null(Origin origin) {
  return Value(std::make_shared<const Node>(Node{std::monostate(), std::move(origin)}));
}

Value Value::make_boolean(bool value, Origin origin) {
  return Value(std::make_shared<const Node>(Node{value, std::move(origin)}));
}

Value Value::make_integer(std::int64_t value, Origin origin) {
  return Value(std::make_shared<const Node>(Node{value, std::move(origin)}));
}

Value Value::make_number(double value, bool written_as_integer, Origin origin) {
  return Value(
      std::make_shared<const Node>(Node{Number{value, written_as_integer}, std::move(origin)}));
}

Value Value::make_string(std::string value, Origin origin) {
  return Value(std::make_shared<const Node>(Node{std::move(value), std::move(origin)}));
}

Value Value::make_array(std::vector<Value> elements, Origin origin) {
  return Value(std::make_shared<const Node>(Node{std::move(elements), std::move(origin)}));
}

Value Value::make_object(std::vector<Member> members, Origin origin) {
  std::vector<std::uint32_t> order(members.size());
  std::iota(order.begin(), order.end(), 0u);
  std::sort(order.begin(), order.end(), [&members](std::uint32_t a, std::uint32_t b) {
    return members[a].name < members[b].name;
  });
  const auto twice = std::adjacent_find(
      order.begin(), order.end(),
      [&members](std::uint32_t a, std::uint32_t b) { return members[a].name == members[b].name; });
  if (twice != order.end()) {
    throw std::logic_error(fmt::format("member \"{}\" given twice", members[*twice].name));
  }
  return Value(std::make_shared<const Node>(
      Node{Object{std::move(members), std::move(order)}, std::move(origin)}));
}

Kind Value::kind() const { return static_cast<Kind>(node_->content.index()); }

bool Value::boolean() const {
  const bool* value = std::get_if<bool>(&node_->content);
  if (value == nullptr) wrong_kind("a boolean");
  return *value;
}

std::int64_t Value::integer() const {
  const std::int64_t* value = std::get_if<std::int64_t>(&node_->content);
  if (value == nullptr) wrong_kind("an integer");
  return *value;
}

double Value::number() const {
  if (kind() == Kind::integer) return static_cast<double>(integer());
  const Number* value = std::get_if<Number>(&node_->content);
  if (value == nullptr) wrong_kind("a number");
  return value->value;
}

bool Value::written_as_integer() const {
  if (kind() == Kind::integer) return true;
  const Number* value = std::get_if<Number>(&node_->content);
  if (value == nullptr) wrong_kind("a number");
  return value->written_as_integer;
}

const std::string& Value::string() const {
  const std::string* value = std::get_if<std::string>(&node_->content);
  if (value == nullptr) wrong_kind("a string");
  return *value;
}

const std::vector<Value>& Value::elements() const {
  const auto* value = std::get_if<std::vector<Value>>(&node_->content);
  if (value == nullptr) wrong_kind("an array");
  return *value;
}

const std::vector<Member>& Value::members() const {
  const Object* value = std::get_if<Object>(&node_->content);
  if (value == nullptr) wrong_kind("an object");
  return value->members;
}

std::optional<std::vector<const Member*>> members_not_shared(const Value& before,
                                                             const Value& value) {
  if (!before.is_object() || !value.is_object()) return std::nullopt;
  const std::vector<Member>& theirs = before.members();
  const std::vector<Member>& own = value.members();
  if (theirs.size() != own.size()) return std::nullopt;
  std::vector<const Member*> differ;
  for (std::size_t i = 0; i < own.size(); ++i) {
    if (theirs[i].name != own[i].name) return std::nullopt;
    if (theirs[i].value.content() != own[i].value.content()) differ.push_back(&own[i]);
  }
  if (differ.size() == own.size()) return std::nullopt;
  return differ;
}

const Member* Value::member(std::string_view name) const {
  const Object* object = std::get_if<Object>(&node_->content);
  if (object == nullptr) return nullptr;
  const auto& members = object->members;
  const auto found = std::partition_point(
      object->by_name.begin(), object->by_name.end(),
      [&members, name](std::uint32_t index) { return members[index].name < name; });
  if (found == object->by_name.end() || members[*found].name != name) return nullptr;
  return &members[*found];
}

Value Value::moved_to(Origin origin) const {
  return Value(std::make_shared<const Node>(Node{node_->content, std::move(origin)}));
}

const Origin& Value::origin() const { return node_->origin; }

}  // namespace vgsim::input
