#include <fmt/format.h>

#include "tests/generated/draft.hpp"

namespace vgsim::generated {
namespace {

std::vector<std::string> profiles_of(const Draft& draft, const std::string& gpu) {
  const auto found = draft.words.profiles.find(gpu);
  return found == draft.words.profiles.end() ? std::vector<std::string>{} : found->second;
}

Json passthrough(Draft& draft, std::int64_t share, std::int64_t first) {
  static const std::vector<std::string> kModes = {"passthrough", "passthrough", "passthrough",
                                                  "passthrough_static", "passthrough_dynamic"};
  Json gpus = {{"mode", draft.dice.pick(kModes)}};
  if (share == 0) return gpus;
  if (draft.dice.chance(0.5)) {
    gpus["count"] = share;
  } else {
    for (std::int64_t i = 0; i < share; ++i) {
      gpus["devices"].push_back(fmt::format("gpu{}", first + i));
    }
  }
  return gpus;
}

/// `most` vGPUs at most; nothing where the GPU has no profiles.
Json vgpus(Draft& draft, const DraftHosts& on, std::int64_t most) {
  Json gpus = {{"mode", "vgpu"}};
  const std::vector<std::string> profiles = profiles_of(draft, on.gpu);
  if (profiles.empty()) return passthrough(draft, most, 0);
  const std::string profile = draft.dice.chance(0.3) ? profiles.back() : draft.dice.pick(profiles);
  if (draft.dice.chance(0.2) && most >= 2) {
    const std::int64_t group = draft.dice.chance(0.5) ? 2 : most;
    const std::string kind = draft.dice.chance(0.9) ? "%NVLink" : "";
    gpus["device_groups"].push_back(fmt::format("Nvidia:{}@{}{}", group, profile, kind));
    return gpus;
  }
  gpus["profile"] = profile;
  if (draft.dice.chance(0.7))
    gpus["count"] = draft.dice.between(1, std::max<std::int64_t>(1, most));
  return gpus;
}

/// `alone`: no other VM of the host uses the same NICs.
void add_vm_properties(Draft& draft, Json& vm, const DraftHosts& on, bool alone) {
  Dice& dice = draft.dice;
  static const std::vector<std::string> kTopologies = {"flat", "vnuma", "topo_file", "topo_file"};
  static const std::vector<std::string> kKinds = {
      "passthrough",         "passthrough", "passthrough", "sriov",
      "enhanced_directpath", "pvrdma",      "vmxnet3",     "vmxnet3"};
  maybe(draft, vm, 0.6, "guest_topology", [&] { return dice.pick(kTopologies); });
  maybe(draft, vm, 0.5, "allow_p2p", [&] { return dice.chance(0.8); });
  maybe(draft, vm, 0.5, "memory", [&] { return dice.chance(0.8) ? "128 GiB" : "1 TiB"; });
  maybe(draft, vm, 0.5, "vcpus", [&] { return dice.pick(std::vector<int>{8, 16, 32, 64, 96}); });
  maybe(draft, vm, 0.15, "unified_memory", [] { return true; });
  maybe(draft, vm, 0.08, "gpu_load",
        [&] { return 0.1 * static_cast<double>(dice.between(0, 10)); });
  maybe(draft, vm, 0.06, "power_on", [&] { return dice.between(0, 3); });
  maybe(draft, vm, 0.03, "requires", [&] {
    static const std::vector<std::string> kNeeds = {"vmotion", "drs", "ha", "suspend", "snapshot"};
    return Json::array({dice.pick(kNeeds)});
  });
  maybe(draft, vm, 0.06, "framebuffer_used",
        [&] { return fmt::format("{} GB", dice.between(1, 40)); });
  maybe(draft, vm, 0.04, "guest_driver", [&] { return fmt::format("{}.0", dice.between(13, 19)); });
  if (on.nics.empty() || !dice.chance(alone ? 0.7 : 0.97)) return;
  static const std::vector<std::string> kShared = {"sriov", "vmxnet3", "pvrdma"};
  const std::string kind = dice.pick(alone || dice.chance(0.03) ? kKinds : kShared);
  const std::size_t uses = dice.chance(0.8) ? on.nics.size() : dice.below(on.nics.size()) + 1;
  for (std::size_t i = 0; i < uses; ++i) {
    vm["nics"][on.nics[i]] = dice.chance(0.97) ? kind : dice.pick(kKinds);
  }
}

void add_remote_client(Draft& draft, Json& vm, const DraftHosts& on) {
  if (!draft.dice.chance(0.03)) return;
  vm["remote_client"] = {{"host", draft.dice.pick(draft.dice.pick(draft.hosts).names)}};
  if (!on.nics.empty() && draft.dice.chance(0.5)) {
    vm["remote_client"]["server_nic"] = draft.dice.pick(on.nics);
  }
}

/// VMs of hosts of one kind: as many on each of them.
void add_vms_of(Draft& draft, const DraftHosts& on) {
  Dice& dice = draft.dice;
  const bool split = on.gpus >= 2 && dice.chance(0.35);
  const std::int64_t each = split ? dice.between(2, std::min<std::int64_t>(4, on.gpus)) : 1;
  const bool shared = !on.gpu.empty() && dice.chance(0.45);
  const std::string range =
      on.key.find('[') == std::string::npos ? "" : on.key.substr(on.key.find('['));
  for (std::int64_t i = 0; i < each; ++i) {
    const std::string stem =
        fmt::format("{}{}-", dice.chance(0.8) ? "train" : "vm",
                    static_cast<char>('a' + i + 8 * (&on - draft.hosts.data())));
    Json vm = Json::object();
    if (!dice.chance(0.12)) vm["host"] = on.key;
    const std::int64_t share = on.gpus / each;
    if (shared) {
      vm["gpus"] = vgpus(draft, on, std::max<std::int64_t>(1, share));
    } else if (split || dice.chance(0.7)) {
      vm["gpus"] = passthrough(draft, split ? share : 0, i * share);
    }
    add_vm_properties(draft, vm, on, each == 1);
    add_remote_client(draft, vm, on);
    draft.scenario["vms"][stem + (range.empty() ? "1" : range)] = std::move(vm);
    for (std::size_t n = 1; n <= on.names.size(); ++n) {
      draft.vms.push_back(fmt::format("{}{}", stem, n));
    }
  }
}

}  // namespace

void add_vms(Draft& draft) {
  if (draft.dice.chance(0.3)) return;  // bare metal
  for (const DraftHosts& on : draft.hosts) {
    if (on.gpus > 0 && !draft.dice.chance(0.04)) add_vms_of(draft, on);
  }
}

}  // namespace vgsim::generated
