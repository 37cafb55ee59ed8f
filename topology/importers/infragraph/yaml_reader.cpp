#include "topology/importers/infragraph/yaml_reader.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>

#include "topology/importers/text.hpp"
#include "topology/inventory/import_codes.hpp"

namespace vgsim::topology {
namespace {

bool is_missing(const YamlNode* value) {
  return value == nullptr || value->kind == YamlNode::Kind::kNull;
}

}  // namespace

std::string printable_line(std::string_view text) {
  std::string line(text.substr(0, 1024));
  std::ranges::replace_if(
      line, [](char c) { return c == '\n' || c == '\r' || c == '\t'; }, ' ');
  return printable(trimmed(line));
}

input::Location YamlReader::at(const YamlNode& node) const {
  return {source_, node.offset, std::max<std::size_t>(node.text.size(), 1)};
}

void YamlReader::bad(const YamlNode& node, std::string message, std::string expected) {
  errors.error(import_codes::kBadValue.code, at(node), "", std::move(message), std::move(expected));
}

void YamlReader::odd(const YamlNode& node, std::string message) {
  warnings.warning(import_codes::kOddValue.code, at(node), "", std::move(message));
}

bool YamlReader::is_object(const YamlNode& node, const char* what) {
  if (node.kind == YamlNode::Kind::kMap) return true;
  bad(node, fmt::format("{} that is no object", what), "keys and values");
  return false;
}

std::span<const YamlNode> YamlReader::list(const YamlNode& object, const char* key) {
  const YamlNode* value = object.find(key);
  if (is_missing(value)) return {};
  if (value->kind == YamlNode::Kind::kList) return value->items;
  bad(*value, fmt::format("\"{}\" is no list", key), "a list");
  return {};
}

std::string YamlReader::text(const YamlNode& object, const char* key) {
  const YamlNode* value = object.find(key);
  if (is_missing(value)) return {};
  if (value->kind == YamlNode::Kind::kScalar) return printable_line(value->text);
  bad(*value, fmt::format("\"{}\" is no text", key), "a text");
  return {};
}

std::optional<std::int64_t> YamlReader::count(const YamlNode& object, const char* key,
                                              std::int64_t max) {
  const YamlNode* value = object.find(key);
  if (is_missing(value)) return std::nullopt;
  const auto number =
      value->kind == YamlNode::Kind::kScalar ? whole_number(value->text, 0, max) : std::nullopt;
  if (!number) {
    bad(*value, fmt::format("\"{}\" is \"{}\"", key, printable_line(value->text)),
        fmt::format("a whole number of at most {}", max));
  }
  return number;
}

std::optional<double> YamlReader::number(const YamlNode& value, const std::string& key,
                                         double max) {
  double told = 0.0;
  const char* end = value.text.data() + value.text.size();
  const auto [rest, failure] = std::from_chars(value.text.data(), end, told);
  if (failure == std::errc() && rest == end && told >= 0 && told <= max) return told;
  bad(value, fmt::format("\"{}\" is \"{}\"", printable_line(key), printable_line(value.text)),
      fmt::format("a number of at most {:g}", max));
  return std::nullopt;
}

}  // namespace vgsim::topology
