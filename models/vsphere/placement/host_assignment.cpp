#include "models/vsphere/placement/host_assignment.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <iterator>

namespace vgsim::vsphere {
namespace {

/// More specific rules come first.
const char* most_telling(const std::vector<const char*>& rules) {
  constexpr std::array kOrder{
      "mixed-series-version",    "mixed-sizes-version",  "mixed-sizes-gpu",   "mixed-sizes-off",
      "mixed-sizes-fixed-share", "mixed-sizes-no-place", "mig-media-engines", "mig-geometry",
      "vgpu-per-gpu-limit",      "gpu-in-two-modes",     "no-free-gpu",       "mig-unsupported-gpu",
      "profile-of-other-gpu"};
  for (const std::string_view rule : kOrder) {
    for (const char* found : rules) {
      if (rule == found) return found;
    }
  }
  return "no-free-gpu";
}

std::string on(const std::string& host) { return fmt::format("on host {}", host); }

}  // namespace

HostAssignment::HostAssignment(const HostInventory& host, const Facts& facts,
                               std::string_view version, std::string_view name)
    : host_(&host),
      facts_(&facts),
      version_(version),
      name_(name.empty() ? std::string_view(host.name) : name),
      gpus_(host.gpus.size()) {}

std::size_t HostAssignment::free_gpus() const {
  return static_cast<std::size_t>(std::count_if(
      gpus_.begin(), gpus_.end(), [](const GpuOccupancy& gpu) { return gpu.is_free(); }));
}

std::size_t HostAssignment::room_on(std::size_t gpu, const Profile& profile) const {
  return gpus_[gpu].room_for(profile, *host_->boards[gpu], sharing_rules());
}

void HostAssignment::take_room(const HostDemand& demand, std::vector<Refusal>& refusals) {
  std::vector<Refusal> lacks = lacking(demand, *host_, reserved_);
  if (lacks.empty()) reserved_ += demand.reserved.value_or(Bytes{0});
  std::move(lacks.begin(), lacks.end(), std::back_inserter(refusals));
}

SharingRules HostAssignment::sharing_rules() const {
  const bool allowed = facts_->versions.has(version_, "mixed-sizes");
  return {host_->settings.vgpu.scheduler, host_->settings.vgpu.mixed_sizes && allowed, allowed,
          facts_->versions.has(version_, "mixed-types-same-size")};
}

const char* HostAssignment::refuses(std::size_t gpu, const Profile* profile) const {
  if (profile == nullptr) {
    if (gpus_[gpu].is_free()) return nullptr;
    return gpus_[gpu].is_whole() ? "no-free-gpu" : "gpu-in-two-modes";
  }
  const Board* board = host_->boards[gpu];
  if (board == nullptr || profile->board != board->name) {
    const bool takes_mig = board != nullptr && board->has_mig();
    return profile->mig && !takes_mig ? "mig-unsupported-gpu" : "profile-of-other-gpu";
  }
  return gpus_[gpu].refuses(*profile, *board, sharing_rules());
}

void HostAssignment::check_version(const Profile& profile, std::vector<Refusal>& refusals) const {
  if (profile.mig && !facts_->versions.has(version_, "mig")) {
    refusals.push_back(
        {"mig-version",
         fmt::format("profile \"{}\" is MIG-backed, which vSphere supports from {} on",
                     profile.name, facts_->versions.since("mig"))});
    return;
  }
  if (profile.vgpus_per_instance > 1 && !facts_->versions.has(version_, "mig-time-sliced")) {
    refusals.push_back(
        {"mig-time-sliced-version",
         fmt::format("vGPUs of profile \"{}\" share a MIG instance in time slices, which "
                     "vSphere supports from {} on",
                     profile.name, facts_->versions.since("mig-time-sliced"))});
  }
}

namespace {

/// "; it belongs to h100-pcie-80gb, the h100-nvl-94gb has "nvidia_h100l-94c"": the profile of the
/// same kind and as many on a GPU. Empty if the GPU has the profile's board.
std::string offered_instead(const HostInventory& host, std::size_t gpu, const Profile& profile,
                            const Profiles& profiles) {
  const Board* board = host.boards[gpu];
  const Board* wanted = profiles.board(profile.board);
  if (board == nullptr || board->name == profile.board) return {};
  const Profile* same = nullptr;
  for (const auto& [name, each] : board->profiles) {
    const bool alike = each.series == profile.series && each.mig == profile.mig &&
                       each.per_gpu == profile.per_gpu &&
                       each.compute_slices == profile.compute_slices &&
                       each.vgpus_per_instance == profile.vgpus_per_instance;
    if (alike && same == nullptr) same = &each;
  }
  return fmt::format(
      "; it belongs to {}, the {} {}",
      wanted != nullptr && !wanted->gpus.empty() ? wanted->gpus.front() : profile.board,
      host.gpus[gpu], same == nullptr ? "has none like it" : fmt::format("has \"{}\"", same->name));
}

}  // namespace

std::optional<TakenGpu> HostAssignment::take_gpu(std::size_t gpu, const Profile* profile,
                                                 std::vector<Refusal>& refusals) {
  if (profile != nullptr) check_version(*profile, refusals);
  if (const char* rule = refuses(gpu, profile)) {
    refusals.push_back(
        {rule, profile != nullptr
                   ? fmt::format("gpu{} ({}) {} does not accept a vGPU of profile \"{}\"{}", gpu,
                                 host_->gpus[gpu], on(name_), profile->name,
                                 offered_instead(*host_, gpu, *profile, facts_->profiles))
                   : fmt::format("gpu{} {} is not free", gpu, on(name_))});
    return std::nullopt;
  }
  if (profile == nullptr) {
    gpus_[gpu].take_whole();
  } else {
    static_cast<void>(gpus_[gpu].take(*profile, *host_->boards[gpu], sharing_rules()));
  }
  return TakenGpu{gpu, profile, std::nullopt};
}

std::vector<std::size_t> HostAssignment::by_preference(const Profile* profile) const {
  std::vector<std::size_t> order(gpus_.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  if (profile == nullptr) return order;
  const bool whole = profile->is_whole();
  const auto rank = [&](std::size_t gpu) -> std::size_t {
    if (whole) {
      return host_->partitions == nullptr ? 0 : breaks({host_->partitions->module_of_gpu[gpu]});
    }
    if (profile->mig || host_->settings.vgpu.mixed_sizes) return 0;
    const std::size_t vgpus = gpus_[gpu].places().size();
    return host_->settings.vgpu.consolidates ? 1000 - vgpus : vgpus;
  };
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return rank(a) < rank(b); });
  return order;
}

bool HostAssignment::has_label(std::size_t gpu, const std::optional<std::string>& label) const {
  return !label || host_->labels[gpu] == *label;
}

std::optional<TakenGpu> HostAssignment::take_any(const Profile* profile,
                                                 const std::optional<std::string>& label,
                                                 std::vector<Refusal>& refusals) {
  std::vector<const char*> rules;
  for (const std::size_t gpu : by_preference(profile)) {
    if (!has_label(gpu, label)) continue;
    const char* rule = refuses(gpu, profile);
    if (rule == nullptr) return take_gpu(gpu, profile, refusals);
    rules.push_back(rule);
  }
  if (profile != nullptr) check_version(*profile, refusals);
  if (label && rules.empty()) {
    refusals.push_back({"device-label-missing",
                        fmt::format("no GPU {} has the hardware label \"{}\"", on(name_), *label)});
    return std::nullopt;
  }
  const char* const rule = most_telling(rules);
  const bool is_other_board =
      profile != nullptr && std::string_view(rule) == "profile-of-other-gpu";
  refusals.push_back(
      {rule,
       is_other_board ? fmt::format("no GPU {} has profile \"{}\"{}", on(name_), profile->name,
                                    offered_instead(*host_, 0, *profile, facts_->profiles))
       : profile != nullptr
           ? fmt::format("no GPU {} accepts another vGPU of profile \"{}\"", on(name_),
                         profile->name)
           : fmt::format("no GPU {}{} is free", on(name_),
                         label ? fmt::format(" with the hardware label \"{}\"", *label) : "")});
  return std::nullopt;
}

std::size_t HostAssignment::gpu_of_module(std::int64_t module) const {
  const auto& modules = host_->partitions->module_of_gpu;
  return static_cast<std::size_t>(std::find(modules.begin(), modules.end(), module) -
                                  modules.begin());
}

bool HostAssignment::is_free(const std::vector<std::int64_t>& modules) const {
  return std::all_of(modules.begin(), modules.end(),
                     [&](std::int64_t module) { return gpus_[gpu_of_module(module)].is_free(); });
}

std::vector<std::vector<std::int64_t>> HostAssignment::free_partitions() const {
  std::vector<std::vector<std::int64_t>> free;
  if (host_->partitions == nullptr) return free;
  for (const auto& group : host_->partitions->groups) {
    if (is_free(group)) free.push_back(group);
  }
  return free;
}

std::size_t HostAssignment::breaks(const std::vector<std::int64_t>& modules) const {
  const auto free = free_partitions();
  return static_cast<std::size_t>(std::count_if(free.begin(), free.end(), [&](const auto& group) {
    return group.size() > modules.size() &&
           std::any_of(modules.begin(), modules.end(), [&](std::int64_t module) {
             return std::find(group.begin(), group.end(), module) != group.end();
           });
  }));
}

std::vector<std::size_t> HostAssignment::find_partition(std::size_t size) const {
  const std::vector<std::int64_t>* best = nullptr;
  for (const auto& group : host_->partitions->groups) {
    if (group.size() != size || !is_free(group)) continue;
    if (best == nullptr || breaks(group) < breaks(*best)) best = &group;
  }
  std::vector<std::size_t> members;
  if (best == nullptr) return members;
  for (const std::int64_t module : *best) members.push_back(gpu_of_module(module));
  std::sort(members.begin(), members.end());
  return members;
}

std::vector<std::size_t> HostAssignment::find_members(const DeviceGroup& group) const {
  if (group.nvlink && host_->partitions != nullptr) return find_partition(group.gpus);
  for (std::size_t first = 0; first < gpus_.size(); ++first) {
    std::vector<std::size_t> members;
    for (std::size_t gpu = first; gpu < gpus_.size() && members.size() < group.gpus; ++gpu) {
      const bool joined =
          !group.nvlink || std::all_of(members.begin(), members.end(), [&](std::size_t member) {
            return host_->joined[member][gpu];
          });
      const bool beside = !group.beside_nic || host_->beside_nic[gpu];
      if (gpus_[gpu].is_free() && joined && beside) members.push_back(gpu);
    }
    if (members.size() == group.gpus) return members;
  }
  return {};
}

const std::string& HostAssignment::switch_groups_since() const {
  return host_->partitions != nullptr ? host_->partitions->vgpu_since
                                      : facts_->versions.since("nvswitch-groups");
}

std::vector<TakenGpu> HostAssignment::take_group(const DeviceGroup& group, const Profile& profile,
                                                 std::size_t number,
                                                 std::vector<Refusal>& refusals) {
  const std::string name = to_string(group);
  const auto refuse = [&](const char* rule, std::string text) {
    refusals.push_back({rule, std::move(text)});
  };
  const Versions& versions = facts_->versions;
  const bool on_switch = group.nvlink && host_->nvswitch && group.gpus > 1;
  if (!versions.has(version_, "device-groups")) {
    refuse("device-group-version",
           fmt::format("device groups need vSphere {}", versions.since("device-groups")));
  } else if (on_switch && is_older(version_, switch_groups_since())) {
    refuse("nvswitch-group-version",
           fmt::format("vGPU groups on NVSwitches of {} boards need vSphere {}",
                       host_->partitions != nullptr ? host_->partitions->name : host_->gpus.front(),
                       switch_groups_since()));
  }
  if (profile.mig) {
    refuse("mig-in-device-group", fmt::format("\"{}\" is MIG-backed", profile.name));
    return {};
  }
  if (group.nvlink && !profile.is_whole()) {
    refuse("fraction-in-nvlink-group",
           fmt::format("\"{}\" is 1/{} of a GPU", profile.name, profile.per_gpu));
    return {};
  }
  if (on_switch && group.gpus != 2 && group.gpus != 4 && group.gpus != 8) {
    refuse("nvswitch-group-size", fmt::format("{} has {} GPUs", name, group.gpus));
    return {};
  }
  const std::vector<std::size_t> members = find_members(group);
  if (members.empty()) {
    const char* rule = group.beside_nic  ? "device-group-no-nic"
                       : !group.nvlink   ? "no-free-gpu"
                       : host_->nvswitch ? "nvswitch-no-partition"
                                         : "device-group-not-joined";
    refuse(rule, fmt::format("{} has no {} free GPUs {}for {}", name_, group.gpus,
                             group.nvlink       ? "joined by NVLink "
                             : group.beside_nic ? "next to an RDMA NIC "
                                                : "",
                             name));
    return {};
  }
  std::vector<TakenGpu> taken;
  for (const std::size_t gpu : members) {
    const auto one = take_gpu(gpu, &profile, refusals);
    if (!one) return taken;
    taken.push_back({gpu, &profile, group.nvlink ? std::optional(number) : std::nullopt});
  }
  return taken;
}

}  // namespace vgsim::vsphere
