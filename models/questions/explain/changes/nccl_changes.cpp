#include <fmt/core.h>

#include "models/questions/explain/changes/change_context.hpp"
#include "models/scenario/read/library.hpp"

namespace vgsim::scenario {
namespace {

/// Whether the fabric's switch has in-network reduction (SHARP).
bool reduces(const ChangeContext& at) {
  const auto& switches = at.library.catalog->switches;
  const auto& fabric = layout_of(at).fabric;
  if (!fabric || !(*fabric)->network_switch) return false;
  const auto model = switches.find(**(*fabric)->network_switch);
  return model != switches.end() && model->second.reduces;
}

struct Variable {
  const char* name;
  const char* value;
  const char* need;
};

/// Settings that enable paths unused by default.
constexpr Variable kVariables[] = {
    {"NCCL_NET_GDR_LEVEL", "PHB",
     "a root complex that forwards peer-to-peer traffic between GPUs and NICs"},
    {"NCCL_NET_GDR_LEVEL", "SYS",
     "fast peer-to-peer traffic between GPUs and NICs of different sockets"},
    {"NCCL_P2P_LEVEL", "SYS",
     "fast peer-to-peer traffic between sockets, which some hosts do not have"},
    {"NCCL_P2P_LEVEL", "PHB", "peer-to-peer traffic through the root complex"},
    {"NCCL_COLLNET_ENABLE", "1",
     "switches with in-network reduction (SHARP), and the NCCL plug-in"},
    {"NCCL_NVLS_ENABLE", "1", "NVSwitches with in-network reduction (Hopper or later)"}};

}  // namespace

void add_nccl_changes(const ChangeContext& at, std::vector<Change>& changes) {
  const JobSpec& job = *layout_of(at).job;
  const auto leave_out = [&](const std::string& name, std::string title) {
    changes.push_back({"nccl-default",
                       std::move(title),
                       {take_away(fmt::format("/job/nccl/{}", name))},
                       {},
                       {},
                       false});
  };
  if (job.nccl.version) leave_out("version", "the newest NCCL");
  for (const auto& [name, value] : job.nccl.variables) {
    leave_out(name, fmt::format("without {}={}", name, *value));
  }
  for (const Variable& variable : kVariables) {
    const std::string place = fmt::format("/job/nccl/{}", variable.name);
    if (variable.name == std::string("NCCL_COLLNET_ENABLE") && !reduces(at)) continue;
    const auto now = job.nccl.variables.find(variable.name);
    if (now != job.nccl.variables.end() && *now->second == variable.value) continue;
    changes.push_back({"nccl-variable",
                       fmt::format("{}={}", variable.name, variable.value),
                       {set_text(place, variable.value)},
                       {variable.need},
                       {},
                       false});
  }
  if (*job.pattern != collectives::Pattern::kNccl) {
    changes.push_back(
        {"nccl-pattern",
         fmt::format("NCCL's AllReduce instead of {}",
                     collectives::pattern_words()[static_cast<std::size_t>(*job.pattern)]),
         {take_away("/job/pattern")},
         {},
         {},
         false});
  }
}

}  // namespace vgsim::scenario
