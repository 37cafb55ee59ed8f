#include "models/vsphere/facts/settings.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>

#include "models/vsphere/facts/read_checked.hpp"
#include "topology/input/report.hpp"
#include "topology/input/suggest.hpp"
#include "topology/input/typed.hpp"

namespace vgsim::vsphere {
namespace {

using namespace input;

constexpr std::int64_t kLargestNumber = 1'000'000;

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// Whether a name is that of the pattern: '#' is a number, a final '*' any text.
bool is_named(std::string_view pattern, std::string_view name) {
  std::size_t at = 0;
  for (std::size_t p = 0; p < pattern.size(); ++p) {
    if (pattern[p] == '*' && p + 1 == pattern.size()) return true;
    if (pattern[p] == '#') {
      const std::size_t first = at;
      while (at < name.size() && is_digit(name[at])) ++at;
      if (at == first) return false;
    } else if (at == name.size() || lower(pattern[p]) != lower(name[at++])) {
      return false;
    }
  }
  return at == name.size();
}

bool is_number(std::string_view text) {
  return !text.empty() && text.size() <= 7 && std::all_of(text.begin(), text.end(), is_digit);
}

bool fits(SettingValue value, const std::string& text) {
  switch (value) {
    case SettingValue::kBoolean:
      return text == "true" || text == "false" || text == "1" || text == "0" || text == "yes" ||
             text == "no";
    case SettingValue::kNumber:
      return is_number(text);
    case SettingValue::kNumbers:
      return text == "all" || !numbers_of(text).empty();
    case SettingValue::kText:
      return true;
  }
  return true;
}

const char* noun_of(SettingValue value) {
  switch (value) {
    case SettingValue::kBoolean:
      return "TRUE or FALSE";
    case SettingValue::kNumber:
      return "a number";
    case SettingValue::kNumbers:
      return "numbers such as \"0\", \"0,1\" or \"0-3\"";
    case SettingValue::kText:
      return "a text";
  }
  return "?";
}

const std::vector<std::string> kValues{"boolean", "number", "numbers", "text"};
const std::vector<std::string> kEffects{"simulated", "checked", "none"};

std::size_t position(const std::vector<std::string>& words, const std::string& word) {
  return static_cast<std::size_t>(std::find(words.begin(), words.end(), word) - words.begin());
}

}  // namespace

std::vector<std::int64_t> numbers_of(std::string_view text) {
  std::vector<std::int64_t> numbers;
  const auto number = [&](std::string_view digits) -> std::optional<std::int64_t> {
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    const bool all = error == std::errc{} && end == digits.data() + digits.size();
    return all && value >= 0 && value <= kLargestNumber ? std::optional(value) : std::nullopt;
  };
  while (!text.empty()) {
    const std::size_t comma = std::min(text.find(','), text.size());
    std::string_view part = text.substr(0, comma);
    text.remove_prefix(std::min(comma + 1, text.size()));
    while (!part.empty() && part.front() == ' ') part.remove_prefix(1);
    while (!part.empty() && part.back() == ' ') part.remove_suffix(1);
    const std::size_t dash = part.find('-');
    const auto first = number(part.substr(0, dash));
    const auto last = dash == std::string_view::npos ? first : number(part.substr(dash + 1));
    if (!first || !last || *last < *first || *last - *first > 4096) return {};
    for (std::int64_t n = *first; n <= *last; ++n) numbers.push_back(n);
  }
  return numbers;
}

const Setting* Settings::find(std::string_view name) const {
  const auto found = std::find_if(settings_.begin(), settings_.end(),
                                  [&](const Setting& each) { return is_named(each.name, name); });
  return found == settings_.end() ? nullptr : &*found;
}

void Settings::check(const std::vector<Named<std::string>>& given, Diagnostics& diagnostics) const {
  for (const Named<std::string>& each : given) {
    const Setting* setting = find(each.name);
    if (setting == nullptr) {
      std::vector<std::string> known;
      for (const Setting& one : settings_) {
        if (one.name.find_first_of("#*") == std::string::npos) known.push_back(one.name);
      }
      Origin name = each.origin;
      name.location = each.key;
      report(diagnostics, name, fmt::format("unknown advanced setting \"{}\"", each.name),
             "an advanced setting of a VM in configs/vsphere/settings.json",
             suggest(each.name, known));
    } else if (!fits(setting->value, *each)) {
      report(diagnostics, each.origin,
             fmt::format("\"{}\" is not a value of {}", *each, setting->name),
             noun_of(setting->value));
    }
  }
}

Shape Settings::shape() {
  return object_shape({
      field("format", enum_shape({"vgsim.vsphere-settings/1"})).required(),
      field("sources", citations_shape()).required(),
      field("settings", map_shape("advanced setting of a VM",
                                  object_shape({
                                      field("value", enum_shape(kValues)).required(),
                                      field("effect", enum_shape(kEffects))
                                          .required()
                                          .describe("simulated; checked by rules; or none"),
                                      field("meaning", string_shape()).required(),
                                      field("why", string_shape())
                                          .describe("why the simulation does not depend on it"),
                                      field("source", name_shape()).required(),
                                  })))
          .required(),
  });
}

tl::expected<Settings, Diagnostics> Settings::read(const SourcePtr& file) {
  const auto document = read_checked(file, shape);
  if (!document) return tl::unexpected(document.error());
  Diagnostics diagnostics;
  const Citations citations(*input::find(*document, "sources"));
  Settings settings;
  for (const auto& [name, key, value] : input::find(*document, "settings")->members()) {
    static_cast<void>(citations.of(*input::find(value, "source"), diagnostics));
    Setting setting;
    setting.name = name;
    setting.value =
        static_cast<SettingValue>(position(kValues, as_string(*input::find(value, "value"))));
    setting.effect =
        static_cast<SettingEffect>(position(kEffects, as_string(*input::find(value, "effect"))));
    setting.meaning = as_string(*input::find(value, "meaning"));
    if (const auto why = input::find(value, "why")) setting.why = as_string(*why);
    settings.settings_.push_back(std::move(setting));
  }
  if (diagnostics.has_errors()) return tl::unexpected(diagnostics);
  return settings;
}

}  // namespace vgsim::vsphere
