#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/topology/input/parsing.hpp"

namespace vgsim::input {
namespace json_reader_property_test {

std::string blanks() { return *rc::gen::element<std::string>("", "", " ", "\n", "\t", "\r\n  "); }

std::string string_literal() {
  const auto pieces = *rc::gen::container<std::vector<std::string>>(
      rc::gen::element<std::string>("a", "Z", "é", "日", "😀", "\\\"", "\\\\", "\\n", "\\u0041",
                                    "\\ud83d\\ude00", "{", "]", ",", ":", " ", "/", "~"));
  std::string text = "\"";
  for (const std::string& piece : pieces) text += piece;
  return text + "\"";
}

std::string scalar_literal() {
  if (*rc::gen::arbitrary<bool>()) return string_literal();
  return *rc::gen::element<std::string>("null", "true", "false", "0", "-0", "7", "-12", "3.25",
                                        "1e3", "-2.5E-2", "10E+1", "9223372036854775808",
                                        "-9223372036854775808", "18446744073709551616");
}

/// JSON text with random layout; the index in front keeps the keys of an object apart.
std::string document(int depth) {
  const int kind = depth == 0 ? 0 : *rc::gen::inRange(0, 3);
  if (kind == 0) return scalar_literal();
  const int count = *rc::gen::inRange(0, 4);
  std::string text(1, kind == 1 ? '[' : '{');
  text += blanks();
  for (int i = 0; i < count; ++i) {
    if (i > 0) text += fmt::format(",{}", blanks());
    if (kind == 2) {
      text += fmt::format("\"{}{}{}:{}", i, string_literal().substr(1), blanks(), blanks());
    }
    text += document(depth - 1);
    text += blanks();
  }
  text += kind == 1 ? ']' : '}';
  return text;
}

/// Every value's own stretch of the text must read back as that value, every key's as the key.
void require_positions(const Value& value) {
  const auto again = read_json(make_source("part", marked(value.location())));
  RC_ASSERT(again.has_value());
  RC_ASSERT(to_canonical_string(*again) == to_canonical_string(value));
  if (value.is_array()) {
    for (const Value& element : value.elements()) require_positions(element);
  }
  if (!value.is_object()) return;
  for (const Member& member : value.members()) {
    RC_ASSERT(nlohmann::json::parse(marked(member.key)).get<std::string>() == member.name);
    require_positions(member.value);
  }
}

/// The pointer of each value leads another library to the same value.
void require_pointers(const Value& value, const nlohmann::json& document) {
  const auto& target = document.at(nlohmann::json::json_pointer(value.pointer()));
  RC_ASSERT(to_canonical_string(parsed(target.dump())) == to_canonical_string(value));
  if (value.is_array()) {
    for (const Value& element : value.elements()) require_pointers(element, document);
  }
  if (!value.is_object()) return;
  for (const Member& member : value.members()) require_pointers(member.value, document);
}

RC_GTEST_PROP(JsonReaderProperty, EveryPositionHoldsItsValue, ()) {
  const std::string text = blanks() + document(4) + blanks();
  const auto value = read_json(make_source("test.json", text));
  RC_ASSERT(value.has_value());
  require_positions(*value);
}

RC_GTEST_PROP(JsonReaderProperty, EveryPointerLeadsToItsValue, ()) {
  const std::string text = document(4);
  require_pointers(parsed(text), nlohmann::json::parse(text));
}

RC_GTEST_PROP(JsonReaderProperty, DamagedTextGivesAnErrorInsideTheFileAndNeverACrash, ()) {
  std::string text = document(4);
  const int edits = *rc::gen::inRange(1, 4);
  for (int i = 0; i < edits && !text.empty(); ++i) {
    const auto at = *rc::gen::inRange<std::size_t>(0, text.size());
    const char c = *rc::gen::element('{', '}', '[', ']', ',', ':', '"', '\\', '0', '-', 'e', '\x01',
                                     '\xC3', 'n', '\0', '\n');
    if (*rc::gen::arbitrary<bool>()) {
      text[at] = c;
    } else {
      text.erase(at, *rc::gen::inRange<std::size_t>(1, 4));
    }
  }
  const auto value = read_json(make_source("test.json", text));
  const bool accepted = nlohmann::json::accept(text) && text.find('\0') == text.npos;
  if (!accepted) RC_ASSERT(!value.has_value());
  if (value.has_value()) return;
  for (const Diagnostic& item : value.error().items()) {
    RC_ASSERT(item.location.offset <= text.size());
    RC_ASSERT(!item.message.empty());
  }
  RC_ASSERT(!render(value.error()).empty());
}

}  // namespace json_reader_property_test
}  // namespace vgsim::input
