#include "tools/studio/panel/control_json.hpp"

#include <nlohmann/json.hpp>
#include <utility>

namespace vgsim::studio {

using nlohmann::ordered_json;

ordered_json control(const char* id, const char* group, const char* label, const char* about) {
  return {{"id", id},
          {"group", group},
          {"label", label},
          {"about", about},
          {"mixed", false},
          {"value", ""},
          {"choices", ordered_json::array()}};
}

ordered_json place(const std::string& pointer, const ordered_json& value) {
  return {{"pointer", pointer}, {"value", value}};
}

void add_choice(ordered_json& control, const std::string& label, ordered_json set) {
  ordered_json choice = ordered_json::object();
  choice["label"] = label;
  choice["set"] = std::move(set);
  control["choices"].push_back(std::move(choice));
}

}  // namespace vgsim::studio
