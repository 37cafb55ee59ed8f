#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "topology/input/value.hpp"

namespace vgsim::input {
namespace {

void append_string(std::string_view text, std::string& out) {
  out += '"';
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (static_cast<unsigned char>(c) < 0x20) {
      out += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
    } else {
      out += c;
    }
  }
  out += '"';
}

/// Appends the shortest text that parses to the same double.
void append_number(double value, std::string& out) {
  std::array<char, 32> buffer{};
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value).ptr;
  out.append(buffer.data(), end);
}

void append_value(const Value& value, std::string& out);

void append_array(const Value& value, std::string& out) {
  out += '[';
  const std::vector<Value>& elements = value.elements();
  for (std::size_t i = 0; i < elements.size(); ++i) {
    if (i > 0) out += ',';
    append_value(elements[i], out);
  }
  out += ']';
}

void append_object(const Value& value, std::string& out) {
  std::vector<const Member*> members;
  for (const Member& member : value.members()) members.push_back(&member);
  std::sort(members.begin(), members.end(),
            [](const Member* a, const Member* b) { return a->name < b->name; });
  out += '{';
  for (std::size_t i = 0; i < members.size(); ++i) {
    if (i > 0) out += ',';
    append_string(members[i]->name, out);
    out += ':';
    append_value(members[i]->value, out);
  }
  out += '}';
}

void append_value(const Value& value, std::string& out) {
  switch (value.kind()) {
    case Kind::null:
      out += "null";
      return;
    case Kind::boolean:
      out += value.boolean() ? "true" : "false";
      return;
    case Kind::integer:
      out += std::to_string(value.integer());
      return;
    case Kind::number:
      return append_number(value.number(), out);
    case Kind::string:
      return append_string(value.string(), out);
    case Kind::array:
      return append_array(value, out);
    case Kind::object:
      return append_object(value, out);
  }
  throw std::logic_error("JSON value of unknown kind");
}

}  // namespace

std::string to_canonical_string(const Value& value) {
  std::string out;
  append_value(value, out);
  return out;
}

std::string to_json_string(std::string_view text) {
  std::string out;
  append_string(text, out);
  return out;
}

std::string as_written(const Value& value) {
  return value.is_string() ? value.string() : to_canonical_string(value);
}

}  // namespace vgsim::input
