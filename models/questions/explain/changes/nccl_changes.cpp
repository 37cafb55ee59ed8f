#include <fmt/core.h>

#include "models/questions/explain/changes/document.hpp"
#include "models/scenario/read/library.hpp"

namespace vgsim::scenario {
namespace {

/// Whether the fabric's switch is known to reduce (SHARP).
bool reduces(const Situation& at) {
  const auto& switches = at.library.catalog.switches;
  const auto model = switches.find(text_at(at.document, "/fabric/switch"));
  return model != switches.end() && model->second.reduces;
}

struct Variable {
  const char* name;
  const char* value;
  const char* need;
};

/// Levels that make NCCL use paths it leaves alone by default.
constexpr Variable kVariables[] = {
    {"NCCL_NET_GDR_LEVEL", "PHB",
     "GPUs and NICs whose peer-to-peer traffic the root complex passes on"},
    {"NCCL_NET_GDR_LEVEL", "SYS",
     "GPUs and NICs whose peer-to-peer traffic crosses the sockets well"},
    {"NCCL_P2P_LEVEL", "SYS", "peer-to-peer between sockets, which not every host does well"},
    {"NCCL_P2P_LEVEL", "PHB", "peer-to-peer through the root complex"},
    {"NCCL_COLLNET_ENABLE", "1", "switches that reduce (SHARP), and their plug-in"},
    {"NCCL_NVLS_ENABLE", "1", "NVSwitches that reduce, from Hopper on"}};

}  // namespace

void add_nccl_changes(const Situation& at, std::vector<Change>& changes) {
  for (const std::string& name : names_at(at.document, "/job/nccl")) {
    const std::string place = fmt::format("/job/nccl/{}", token(name));
    changes.push_back({"nccl-default",
                       name == "version"
                           ? std::string("the newest NCCL")
                           : fmt::format("without {}={}", name, text_at(at.document, place)),
                       {take_away(place)},
                       {},
                       {},
                       false});
  }
  for (const Variable& variable : kVariables) {
    const std::string place = fmt::format("/job/nccl/{}", variable.name);
    if (variable.name == std::string("NCCL_COLLNET_ENABLE") && !reduces(at)) continue;
    if (text_at(at.document, place) == variable.value) continue;
    changes.push_back({"nccl-variable",
                       fmt::format("{}={}", variable.name, variable.value),
                       {set_text(place, variable.value)},
                       {variable.need},
                       {},
                       false});
  }
  const std::string pattern = text_at(at.document, "/job/pattern", "nccl");
  if (pattern != "nccl") {
    changes.push_back({"nccl-pattern",
                       fmt::format("NCCL's own AllReduce instead of {}", pattern),
                       {take_away("/job/pattern")},
                       {},
                       {},
                       false});
  }
}

}  // namespace vgsim::scenario
