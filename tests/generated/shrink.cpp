#include "tests/generated/shrink.hpp"

#include <algorithm>
#include <string>
#include <vector>

namespace vgsim::generated {
namespace {

using Json = nlohmann::ordered_json;
using Pointer = Json::json_pointer;

struct Part {
  Pointer at;
  std::size_t size;
};

void collect(const Json& value, const Pointer& at, std::vector<Part>& parts) {
  if (!at.empty()) parts.push_back({at, value.dump().size()});
  if (value.is_object()) {
    for (const auto& [name, one] : value.items()) collect(one, at / name, parts);
  } else if (value.is_array()) {
    for (std::size_t i = 0; i < value.size(); ++i) collect(value[i], at / i, parts);
  }
}

Json without(const Json& value, const Pointer& at) {
  Json left = value;
  Json& parent = left[at.parent_pointer()];
  if (parent.is_array()) {
    parent.erase(static_cast<std::size_t>(std::stoul(at.back())));
  } else {
    parent.erase(at.back());
  }
  return left;
}

/// A name such as "esx[1-16]" with half as many.
bool halve_ranges(std::string& text) {
  const std::size_t dash = text.find("[1-");
  if (dash == std::string::npos) return false;
  const std::size_t end = text.find(']', dash);
  const long count = std::stol(text.substr(dash + 3, end - dash - 3));
  if (count < 2) return false;
  text.replace(dash + 3, end - dash - 3, std::to_string(count / 2));
  return true;
}

/// Halves every range of names.
Json with_fewer_names(const Json& value) {
  if (value.is_string()) {
    std::string text = value;
    halve_ranges(text);
    return text;
  }
  if (!value.is_structured()) return value;
  Json made = value.is_array() ? Json::array() : Json::object();
  if (value.is_array()) {
    for (const Json& one : value) made.push_back(with_fewer_names(one));
    return made;
  }
  for (const auto& [name, one] : value.items()) {
    std::string fewer = name;
    halve_ranges(fewer);
    made[fewer] = with_fewer_names(one);
  }
  return made;
}

}  // namespace

Json shrunk(Json value, std::size_t tries, const std::function<bool(const Json&)>& still) {
  const auto takes = [&](const Json& smaller) {
    if (tries == 0 || smaller == value) return false;
    --tries;
    if (!still(smaller)) return false;
    value = smaller;
    return true;
  };
  for (bool changed = true; changed && tries > 0;) {
    changed = takes(with_fewer_names(value));
    std::vector<Part> parts;
    collect(value, Pointer(), parts);
    std::stable_sort(parts.begin(), parts.end(),
                     [](const Part& a, const Part& b) { return a.size > b.size; });
    for (const Part& part : parts) {
      if (!value.contains(part.at)) continue;
      changed = takes(without(value, part.at)) || changed;
    }
  }
  return value;
}

}  // namespace vgsim::generated
