#include "tools/cli/reference/keys_page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tools/text/table.hpp"
#include "topology/input/json_reader.hpp"
#include "topology/input/shapes/shape_node.hpp"

namespace vgsim::cli {
namespace {

using input::Field;
using input::Shape;
using input::ShapeKind;
using input::ShapeNode;
using input::Value;

constexpr std::size_t kKeysWidth = 80;
constexpr std::size_t kLongestExample = 60;

/// Only merge patches may have null anywhere.
bool is_merge_patch(const ShapeNode& node) {
  return node.kind == ShapeKind::object && !node.fields.empty() &&
         std::all_of(node.fields.begin(), node.fields.end(),
                     [](const Field& field) { return field.shape().node().nullable; });
}

/// The keys of topology::sourced(); the first is the value.
bool is_sourced_value(const ShapeNode& node) {
  constexpr std::string_view kKeys[] = {"value", "source", "low", "high", "note"};
  return node.kind == ShapeKind::object &&
         std::equal(node.fields.begin(), node.fields.end(), std::begin(kKeys), std::end(kKeys),
                    [](const Field& field, std::string_view key) { return field.name() == key; });
}

/// "A sentence." of "a sentence".
std::string noun_as_sentence(std::string text) {
  text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
  return text + ".";
}

class AllowedText {
 public:
  explicit AllowedText(const DescribedElsewhere& elsewhere) : elsewhere_(elsewhere) {}

  /// The possible values of a place.
  [[nodiscard]] std::string of(const Shape& shape, const std::string& place) const {
    const ShapeNode& node = shape.node();
    switch (node.kind) {
      case ShapeKind::any_of:
        return of_alternatives(node, place);
      case ShapeKind::array:
        return fmt::format("{}, each {}", shape_noun(shape), of(node.children[0], place + "/*"));
      case ShapeKind::map:
        return of_map(node, place);
      case ShapeKind::object:
        return of_object(node, place);
      default:
        return shape_noun(shape);
    }
  }

 private:
  [[nodiscard]] std::string of_alternatives(const ShapeNode& node, const std::string& place) const {
    std::vector<std::string> texts;
    for (const Shape& child : node.children) {
      std::string text = of(child, place);
      if (!child.node().description.empty() && child.node().kind != ShapeKind::object) {
        text += fmt::format(" ({})", child.node().description);
      }
      if (std::find(texts.begin(), texts.end(), text) == texts.end()) texts.push_back(text);
    }
    return fmt::format("{}", fmt::join(texts, ", or "));
  }

  [[nodiscard]] std::string of_map(const ShapeNode& node, const std::string& place) const {
    const std::string& about = node.children[0].node().description;
    return fmt::format("an object; keys: {}; values: {}",
                       about.empty() ? shape_noun(node.children[0]) : about,
                       of(node.children[1], place + "/*"));
  }

  [[nodiscard]] std::string of_object(const ShapeNode& node, const std::string& place) const {
    if (is_merge_patch(node)) return "a merge patch";
    if (const auto found = elsewhere_.find(place); found != elsewhere_.end()) return found->second;
    if (!is_sourced_value(node)) return fmt::format("an object, see `{}`", place);
    return of(node.fields[0].shape(), place) + ", as a value with its source";
  }

  const DescribedElsewhere& elsewhere_;
};

std::string unless_too_long(std::string text) {
  return text.size() > kLongestExample ? std::string() : text;
}

/// Empty for objects, whose keys have their own examples, and for long values.
std::string example_text(const Value& value) {
  if (value.is_object()) return {};
  if (!value.is_array()) return unless_too_long(to_canonical_string(value));
  std::vector<std::string> texts;
  for (const Value& element : value.elements()) {
    if (element.is_object()) return {};
    texts.push_back(to_canonical_string(element));
  }
  return unless_too_long(fmt::format("[{}]", fmt::join(texts, ", ")));
}

/// An example of a field as in a file: the text is JSON, or else a string.
std::string written_example(const Field& field) {
  const std::string& text = field.examples().front();
  const auto value = read_json(input::make_source("example", text));
  if (!value) return input::to_json_string(text);
  input::Diagnostics diagnostics;
  input::check(*value, field.shape(), diagnostics);
  return diagnostics.has_errors() ? input::to_json_string(text) : text;
}

bool place_is_used(const std::string& place, const KeyUses& uses) {
  return uses.contains(place) || uses.contains("/layouts/*" + place);
}

std::string example_of(const Field& field, const std::string& place, const KeyUses& uses) {
  if (!field.examples().empty()) return written_example(field);
  for (const std::string& each : {place, "/layouts/*" + place}) {
    if (const auto found = uses.find(each); found != uses.end()) return example_text(found->second);
  }
  return {};
}

/// An object with keys.
struct KeySection {
  std::string place;
  std::string which;  ///< of several alternative objects
  std::vector<Field> fields;
};

/// ` with kind "mesh"` of an object that is identified by such a key.
std::string identified_by(const ShapeNode& node) {
  for (const Field& field : node.fields) {
    const ShapeNode& value = field.shape().node();
    if (field.is_required() && value.kind == ShapeKind::words && value.words.size() == 1) {
      return fmt::format(" with {} \"{}\"", field.name(), value.words.front());
    }
  }
  return {};
}

class KeySections {
 public:
  explicit KeySections(const DescribedElsewhere& elsewhere) : elsewhere_(elsewhere) {}

  void add(const Shape& shape, const std::string& place, bool one_of_several = false) {
    const ShapeNode& node = shape.node();
    switch (node.kind) {
      case ShapeKind::any_of:
        return add_alternatives(node, place);
      case ShapeKind::array:
      case ShapeKind::map:
        return add(node.children.back(), place + "/*");
      case ShapeKind::object:
        return add_object(node, place, one_of_several);
      default:
        return;
    }
  }

  std::vector<KeySection> found;

 private:
  void add_alternatives(const ShapeNode& node, const std::string& place) {
    const auto objects =
        std::count_if(node.children.begin(), node.children.end(),
                      [](const Shape& child) { return child.node().kind == ShapeKind::object; });
    for (const Shape& child : node.children) add(child, place, objects > 1);
  }

  void add_object(const ShapeNode& node, const std::string& place, bool one_of_several) {
    if (is_merge_patch(node) || is_sourced_value(node) || elsewhere_.contains(place)) return;
    std::string which;
    if (one_of_several) which = identified_by(node);
    if (one_of_several && which.empty()) {
      which = !found.empty() && found.back().place == place ? ", or" : ", either";
    }
    found.push_back({place, which, node.fields});
    for (const Field& field : node.fields) add(field.shape(), place + "/" + field.name());
  }

  const DescribedElsewhere& elsewhere_;
};

std::string key_text(const Field& field, const std::string& place, const KeyUses& uses,
                     const AllowedText& allowed) {
  const std::string& about =
      field.description().empty() ? field.shape().node().description : field.description();
  std::string text = fmt::format("* `{}`: {}", field.name(),
                                 about.empty() ? "" : about + (about.back() == '.' ? " " : ". "));
  text += noun_as_sentence(allowed.of(field.shape(), place));
  if (field.is_required()) text += " Required.";
  if (field.default_text()) text += fmt::format(" Default: {}.", *field.default_text());
  const std::string example = example_of(field, place, uses);
  if (!example.empty()) text += fmt::format(" Example: `{}`.", example);
  return text::wrap(text, 2, kKeysWidth) + "\n";
}

/// Keys that no file uses, of objects that some file uses.
std::vector<std::string> unused_keys(const std::vector<KeySection>& sections, const KeyUses& uses) {
  std::vector<std::string> unused;
  for (const KeySection& section : sections) {
    const std::string object = section.place.ends_with("/*")
                                   ? section.place.substr(0, section.place.size() - 2)
                                   : section.place;
    if (!object.empty() && !place_is_used(object, uses)) continue;
    for (const Field& field : section.fields) {
      const std::string place = section.place + "/" + field.name();
      if (!place_is_used(place, uses)) unused.push_back(place);
    }
  }
  return unused;
}

}  // namespace

std::string keys_page(const Shape& shape, const KeyUses& uses,
                      const DescribedElsewhere& elsewhere) {
  const AllowedText allowed(elsewhere);
  KeySections sections(elsewhere);
  sections.add(shape, "");
  std::string text;
  for (const KeySection& section : sections.found) {
    const std::string name =
        section.place.empty() ? "The file" : fmt::format("`{}`", section.place);
    text += fmt::format("{}### {}{}\n\n", text.empty() ? "" : "\n", name, section.which);
    for (const Field& field : section.fields) {
      text += key_text(field, section.place + "/" + field.name(), uses, allowed);
    }
  }
  const auto unused = uses.empty() ? std::vector<std::string>() : unused_keys(sections.found, uses);
  if (unused.empty()) return text;
  const std::string list = fmt::format("`{}`", fmt::join(unused, "`, `"));
  return text + "\n### Keys that no shipped file uses\n\n" + text::wrap(list, 0, kKeysWidth) + "\n";
}

}  // namespace vgsim::cli
