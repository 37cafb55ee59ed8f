#include "tools/catalog/entry_text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>
#include <vector>

#include "tools/text/table.hpp"
#include "topology/catalog/catalog.hpp"
#include "topology/input/typed.hpp"

namespace vgsim::catalog {
namespace {

using input::find;
using input::Member;
using input::Value;

constexpr std::size_t kEntryWidth = 80;

bool is_single_value(const Value& value) { return !value.is_array() && !value.is_object(); }

/// Whether it is a value with a source, and not any other object of an entry.
bool has_source(const Value& value) {
  return value.member("value") != nullptr && value.member("source") != nullptr;
}

bool is_plain_list(const Value& value) {
  return value.is_array() &&
         std::all_of(value.elements().begin(), value.elements().end(), is_single_value);
}

std::string plain_list_text(const Value& list) {
  std::vector<std::string> words;
  for (const Value& element : list.elements()) words.push_back(input::as_written(element));
  return fmt::format("{}", fmt::join(words, ", "));
}

std::string value_spread_text(const Value& value) {
  const auto low = find(value, "low");
  const auto high = find(value, "high");
  if (!low && !high) return {};
  return fmt::format(" ({} to {})", low ? input::as_written(*low) : "?",
                     high ? input::as_written(*high) : "?");
}

std::string entry_paragraph(const std::string& text, std::size_t indent) {
  return fmt::format("{:{}}{}\n", "", indent, text::wrap(text, indent, kEntryWidth));
}

/// "socket 0, lanes 16 [source key]": the members of an object without its source and note.
std::string inline_members_text(const Value& object) {
  std::string text;
  for (const auto& [key, location, value] : object.members()) {
    if (key == "source" || key == "note") continue;
    if (has_source(value)) {
      text += fmt::format("{}{} {} [{}]", text.empty() ? "" : ", ", key,
                          input::as_written(*find(value, "value")),
                          input::as_written(*find(value, "source")));
    } else {
      text += fmt::format("{}{} {}", text.empty() ? "" : ", ", key, input::as_written(value));
    }
  }
  const auto source = find(object, "source");
  return source ? fmt::format("{} [{}]", text, input::as_written(*source)) : text;
}

/// Writes an object, and collects the keys of sources that were not written in full.
class EntryWriter {
 public:
  explicit EntryWriter(Value sources) : sources_(std::move(sources)) {}

  std::string members(const Value& object, std::size_t indent) {
    std::string text;
    for (const Member& member : object.members()) {
      if (!is_shown_elsewhere(member)) text += this->member(member, indent);
    }
    return text;
  }

  [[nodiscard]] std::string keys_text() const {
    std::string text;
    for (const std::string& key : keys_) {
      text += fmt::format("  [{}]\n{}", key, entry_paragraph(described(key), 6));
    }
    return text;
  }

 private:
  static bool is_shown_elsewhere(const Member& member) {
    return member.name == "name" || member.name == "$schema" || member.name == "format" ||
           (member.name == "sources" && member.value.is_object());
  }

  std::string described(const std::string& key) const {
    const bool known = sources_.is_object() && sources_.member(key) != nullptr;
    if (!known) return key;
    const auto date = find(*find(sources_, key), "date");
    return topology::describe_source(sources_, key) + (date ? ", " + date->string() : "");
  }

  std::string member(const Member& member, std::size_t indent) {
    const auto& [key, location, value] = member;
    const std::string head = fmt::format("{:{}}{:<24}  ", "", indent, key);
    if (key == "source" || (key == "sources" && is_plain_list(value))) return cite(value);
    if (has_source(value)) return sourced(head, value, indent);
    if (is_single_value(value) || is_plain_list(value)) {
      const std::string text =
          is_plain_list(value) ? plain_list_text(value) : input::as_written(value);
      if (head.size() + text.size() <= kEntryWidth) return head + text + "\n";
      return fmt::format("{:{}}{}\n", "", indent, key) + entry_paragraph(text, indent + 4);
    }
    return fmt::format("{:{}}{}\n", "", indent, key) + structure(value, indent + 4);
  }

  std::string cite(const Value& source) {
    if (source.is_string()) keys_.insert(source.string());
    if (source.is_array()) {
      for (const Value& each : source.elements()) keys_.insert(input::as_written(each));
    }
    return {};
  }

  std::string sourced(const std::string& head, const Value& value, std::size_t indent) const {
    const auto inner = find(value, "value");
    std::string text =
        head + (is_plain_list(*inner) ? plain_list_text(*inner) : input::as_written(*inner)) +
        value_spread_text(value) + "\n";
    if (const auto meaning = find(value, "meaning"))
      text += entry_paragraph(input::as_written(*meaning), indent + 4);
    text += entry_paragraph(described(input::as_written(*find(value, "source"))), indent + 4);
    if (const auto note = find(value, "note")) {
      text += entry_paragraph("note: " + input::as_written(*note), indent + 4);
    }
    return text;
  }

  /// Parts of a server in one line each, with their sourced values, or only their number.
  std::string structure(const Value& value, std::size_t indent) {
    if (value.is_array()) return elements(value, indent);
    const auto& all = value.members();
    const auto sourced_one = [](const Member& each) { return has_source(each.value); };
    if (std::any_of(all.begin(), all.end(), sourced_one)) return members(value, indent);
    const auto is_part = [](const Member& each) { return each.value.is_object(); };
    if (all.empty() || !std::all_of(all.begin(), all.end(), is_part)) {
      collect(value);
      return entry_paragraph(inline_members_text(value), indent);
    }
    std::string text;
    for (const auto& [name, location, part] : all) text += line(name, part, indent);
    return text;
  }

  std::string elements(const Value& array, std::size_t indent) {
    constexpr std::size_t kMostLines = 128;
    if (array.elements().size() > kMostLines) {
      return fmt::format("{:{}}{} of them\n", "", indent, array.elements().size());
    }
    std::string text;
    for (std::size_t i = 0; i < array.elements().size(); ++i) {
      text += line(fmt::format("{}", i), array.elements()[i], indent);
    }
    return text;
  }

  std::string line(const std::string& name, const Value& part, std::size_t indent) {
    collect(part);
    return fmt::format("{:{}}{:<8}  {}\n", "", indent, name,
                       part.is_object() ? inline_members_text(part) : input::as_written(part));
  }

  void collect(const Value& value) {
    if (value.is_array()) {
      for (const Value& element : value.elements()) collect(element);
    } else if (value.is_object()) {
      if (const auto source = find(value, "source")) static_cast<void>(cite(*source));
      for (const auto& member : value.members()) collect(member.value);
    }
  }

  Value sources_;
  std::set<std::string> keys_;
};

}  // namespace

std::string entry_text(const Entry& entry) {
  const auto own = find(entry.value, "sources");
  EntryWriter writer(own && own->is_object() ? *own : entry.sources);
  const std::string title = entry.names.others.empty() ? "" : entry.names.others.front();
  std::string text =
      text::wrap(fmt::format("{}: {}", entry.names.name, title), 2, kEntryWidth) + "\n\n";
  // A parameter is one value itself; everything else holds several.
  text += has_source(entry.value)
              ? writer.members(input::Value::make_object({{"value", {}, entry.value}}), 2)
              : writer.members(entry.value, 2);
  return text + writer.keys_text();
}

}  // namespace vgsim::catalog
