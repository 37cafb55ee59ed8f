#include "models/questions/explain/changes/document.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

namespace vgsim::scenario {

using input::Value;

std::optional<Value> value_at(const Value& document, std::string_view pointer) {
  Value value = document;
  while (!pointer.empty()) {
    pointer.remove_prefix(1);
    const std::size_t end = std::min(pointer.find('/'), pointer.size());
    const input::Member* member = value.member(pointer.substr(0, end));
    if (member == nullptr) return std::nullopt;
    value = Value(member->value);
    pointer.remove_prefix(end);
  }
  return value;
}

std::string text_at(const Value& document, std::string_view pointer, const std::string& otherwise) {
  const auto value = value_at(document, pointer);
  return value && value->is_string() ? value->string() : otherwise;
}

std::vector<std::string> names_at(const Value& document, std::string_view pointer) {
  std::vector<std::string> names;
  const auto value = value_at(document, pointer);
  if (!value || !value->is_object()) return names;
  for (const input::Member& member : value->members()) names.push_back(member.name);
  return names;
}

std::string token(const std::string& name) {
  std::string escaped;
  for (const char c : name) {
    if (c == '~' || c == '/') {
      escaped += c == '~' ? "~0" : "~1";
    } else {
      escaped += c;
    }
  }
  return escaped;
}

Override set_text(std::string pointer, std::string text) {
  return {std::move(pointer), Value::make_string(std::move(text))};
}

Override set_number(std::string pointer, double number) {
  const auto whole = static_cast<std::int64_t>(number);
  const bool is_whole = static_cast<double>(whole) == number;
  return {std::move(pointer), is_whole ? Value::make_integer(whole) : Value::make_number(number)};
}

Override set_flag(std::string pointer, bool flag) {
  return {std::move(pointer), Value::make_boolean(flag)};
}

Override take_away(std::string pointer) { return {std::move(pointer), Value::make_null()}; }

bool bites(const LayoutResult& result, std::string_view rule) {
  return std::any_of(result.warnings.begin(), result.warnings.end(),
                     [&](const Warning& warning) { return warning.rule == rule; });
}

const DrawnHost* drawn(const LayoutResult& result) {
  if (!result.picture || result.picture->hosts.empty()) return nullptr;
  return &result.picture->hosts.front();
}

}  // namespace vgsim::scenario
