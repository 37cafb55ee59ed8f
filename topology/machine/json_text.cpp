#include "topology/machine/json_text.hpp"

#include <nlohmann/json.hpp>

namespace vgsim::topology::inventory {
namespace {

using Json = nlohmann::ordered_json;

std::string scalar_text(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string key_text(const std::string& key) { return scalar_text(Json(key)) + ": "; }

/// Appends the value on one line if it fits in `room` characters; returns whether it does.
bool append_inline(const Json& json, std::size_t room, std::string& text) {
  if (!json.is_structured()) {
    text += scalar_text(json);
    return text.size() <= room;
  }
  const bool is_object = json.is_object();
  text += is_object ? '{' : '[';
  bool first = true;
  for (auto item = json.begin(); item != json.end(); ++item) {
    if (!first) text += ", ";
    first = false;
    if (is_object) text += key_text(item.key());
    if (!append_inline(*item, room, text)) return false;
  }
  text += is_object ? '}' : ']';
  return text.size() <= room;
}

/// Tries each value on the rest of its line first; if it does not fit, its members get separate
/// lines. The attempt stops at the width, so the total time is linear in the text.
void append(const Json& json, std::size_t indent, std::size_t used, std::size_t width,
            std::string& text) {
  std::string line;
  if (used < width && append_inline(json, width - used, line)) {
    text += line;
    return;
  }
  if (!json.is_structured() || json.empty()) {
    text += scalar_text(json);
    return;
  }
  const std::string margin(indent + 2, ' ');
  text += json.is_object() ? '{' : '[';
  bool first = true;
  for (auto item = json.begin(); item != json.end(); ++item) {
    text += first ? "\n" : ",\n";
    first = false;
    const std::string key = json.is_object() ? key_text(item.key()) : std::string();
    text += margin + key;
    append(*item, indent + 2, indent + 2 + key.size() + 1, width, text);
  }
  text += '\n' + std::string(indent, ' ');
  text += json.is_object() ? '}' : ']';
}

}  // namespace

std::string to_readable_text(const Json& json, std::size_t width) {
  std::string text;
  append(json, 0, 0, width, text);
  return text + '\n';
}

}  // namespace vgsim::topology::inventory
