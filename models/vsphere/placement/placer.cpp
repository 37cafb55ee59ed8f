#include "models/vsphere/placement/placer.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

#include "topology/input/name_ranges.hpp"

namespace vgsim::vsphere {
namespace {

constexpr Serving kServings[] = {Serving::kNamed, Serving::kGroups, Serving::kCounted,
                                 Serving::kRest};

Serving first_serving(const GpuRequest& request) {
  if (request.devices) return Serving::kNamed;
  if (!request.groups.empty()) return Serving::kGroups;
  return request.count || !request.profiles.empty() ? Serving::kCounted : Serving::kRest;
}

FreeGroups free_groups(const HostAssignment& host) {
  FreeGroups free;
  for (const auto& partition : host.free_partitions()) ++free[partition.size()];
  return free;
}

HostLeft left_on(const HostAssignment& host) {
  HostLeft left{host.free_gpus(), free_groups(host), 0, 0};
  for (std::size_t g = 0; g < host.gpus().size(); ++g) {
    const GpuOccupancy& gpu = host.gpus()[g];
    const Board* board = host.host().boards[g];
    if (gpu.is_free() || gpu.is_whole() || board == nullptr) continue;
    if (gpu.places().front().profile->mig) continue;
    std::int64_t usable = 0;
    for (const GpuOccupancy::Place& place : gpu.places()) {
      const auto room = host.room_on(g, *place.profile);
      usable = std::max(usable, static_cast<std::int64_t>(room) *
                                    (place.profile->framebuffer.count() / 1'000'000'000));
    }
    const std::int64_t free = board->memory.count() / 1'000'000'000 - gpu.used();
    left.bound_gb += std::min(usable, free);
    left.stranded_gb += std::max<std::int64_t>(free - usable, 0);
  }
  return left;
}

class Placer {
 public:
  Placer(const std::vector<PlacementHost>& hosts, const Facts& facts, std::string_view version) {
    for (const PlacementHost& host : hosts) {
      hosts_.emplace_back(*host.inventory, facts, version, host.name);
    }
    consolidates_ = !hosts.empty() && hosts.front().inventory->settings.vgpu.consolidates;
  }

  PlacementStep place(const PlacementRequest& vm) {
    std::optional<std::size_t> best;
    std::optional<Trial> chosen;
    std::vector<Refusal> objections;
    for (std::size_t h = 0; h < hosts_.size(); ++h) {
      if (vm.host && *vm.host != h) continue;
      if (chosen && !is_better(hosts_[h], hosts_[*best])) continue;
      Trial trial = attempt(vm, hosts_[h]);
      if (trial.refusals.empty()) {
        best = h;
        chosen.emplace(std::move(trial));
      } else if (objections.empty() || trial.refusals.size() < objections.size()) {
        objections = std::move(trial.refusals);
      }
    }
    if (!chosen) return {vm.vm, std::nullopt, {}, std::move(objections), {}};
    hosts_[*best] = std::move(chosen->host);
    return {vm.vm, best, std::move(chosen->gpus), {}, free_groups(hosts_[*best])};
  }

  [[nodiscard]] const std::vector<HostAssignment>& hosts() const { return hosts_; }

 private:
  [[nodiscard]] bool is_better(const HostAssignment& host, const HostAssignment& than) const {
    return consolidates_ ? host.free_gpus() < than.free_gpus()
                         : host.free_gpus() > than.free_gpus();
  }

  std::vector<HostAssignment> hosts_;
  bool consolidates_ = false;
};

/// A VM that is tied to a host goes before those that can go elsewhere.
std::vector<const PlacementRequest*> in_order(const std::vector<PlacementRequest>& vms,
                                              bool one_host) {
  std::vector<const PlacementRequest*> order;
  for (const PlacementRequest& vm : vms) order.push_back(&vm);
  std::stable_sort(order.begin(), order.end(), [&](const auto* a, const auto* b) {
    const auto rank = [&](const PlacementRequest& vm) {
      return std::pair(vm.power_on, !one_host && !vm.host);
    };
    if (rank(*a) != rank(*b)) return rank(*a) < rank(*b);
    return served_before(*a, *b);
  });
  return order;
}

/// GPUs of the largest group, all GPUs, and bytes of framebuffer of a VM.
std::tuple<std::size_t, std::size_t, std::int64_t> size_of(const PlacementRequest& vm) {
  std::size_t largest = 0;
  std::size_t gpus = vm.gpus.count.value_or(vm.gpus.takes_rest() ? 1 : 0);
  std::int64_t bytes = vm.gpus.profile == nullptr ? 0 : vm.gpus.profile->framebuffer.count();
  if (vm.gpus.devices) gpus += vm.gpus.devices->size();
  for (const Profile* profile : vm.gpus.profiles) {
    ++gpus;
    bytes = std::max(bytes, profile->framebuffer.count());
  }
  for (const auto& [group, profile] : vm.gpus.groups) {
    largest = std::max(largest, group.gpus);
    gpus += group.gpus;
    bytes = std::max(bytes, profile->framebuffer.count());
  }
  return {largest, gpus, bytes};
}

std::optional<std::vector<std::string>> order_that_fits(const std::vector<PlacementHost>& hosts,
                                                        std::vector<const PlacementRequest*> order,
                                                        const Facts& facts,
                                                        std::string_view version) {
  std::stable_sort(order.begin(), order.end(),
                   [](const auto* a, const auto* b) { return asks_for_more(*a, *b); });
  std::stable_partition(order.begin(), order.end(),
                        [](const auto* vm) { return vm->host.has_value(); });
  Placer placer(hosts, facts, version);
  std::vector<std::string> names;
  for (const PlacementRequest* vm : order) {
    if (!placer.place(*vm).host) return std::nullopt;
    names.push_back(vm->vm);
  }
  return names;
}

/// GPUs, or NICs that the guest owns.
bool wants_devices(const VmSpec& spec, const GpuRequest& gpus) {
  if (!spec.gpus || !spec.nics || !gpus.groups.empty() || gpus.count.value_or(1) > 0) return true;
  return std::any_of(spec.nics->begin(), spec.nics->end(),
                     [](const auto& nic) { return (*nic)->is_passed; });
}

}  // namespace

PlacementRequest placement_request(std::string vm, const VmSpec& spec, const Profiles& profiles,
                                   input::Diagnostics& diagnostics) {
  PlacementRequest request{std::move(vm),
                           std::nullopt,
                           gpu_request(spec, profiles, diagnostics),
                           spec.settings.power_on,
                           {}};
  request.demand = demand_of(spec.settings, wants_devices(spec, request.gpus));
  return request;
}

bool served_before(const PlacementRequest& a, const PlacementRequest& b) {
  const Serving first = first_serving(a.gpus);
  const Serving other = first_serving(b.gpus);
  return first != other ? first < other : input::natural_less(a.vm, b.vm);
}

bool asks_for_more(const PlacementRequest& a, const PlacementRequest& b) {
  return size_of(a) > size_of(b);
}

Trial attempt(const PlacementRequest& vm, const HostAssignment& host) {
  Trial trial{host, {}, {}};
  input::Diagnostics diagnostics;
  for (const Serving serving : kServings) {
    serve(vm.gpus, serving, trial.host, trial.gpus, trial.refusals, diagnostics);
  }
  if (diagnostics.has_errors()) {
    trial.refusals.push_back(
        {"no-free-gpu", "the GPUs that it names do not exist or are not free"});
  }
  trial.host.take_room(vm.demand, trial.refusals);
  return trial;
}

bool PlacementReport::all_fit() const {
  return std::all_of(steps.begin(), steps.end(),
                     [](const PlacementStep& step) { return step.host.has_value(); });
}

PlacementReport place_vms(const std::vector<PlacementHost>& hosts,
                          const std::vector<PlacementRequest>& vms, const Facts& facts,
                          std::string_view version) {
  PlacementReport report;
  Placer placer(hosts, facts, version);
  const std::vector<const PlacementRequest*> order = in_order(vms, hosts.size() == 1);
  for (const PlacementRequest* vm : order) report.steps.push_back(placer.place(*vm));
  for (const HostAssignment& host : placer.hosts()) report.left.push_back(left_on(host));
  if (!report.all_fit()) report.better_order = order_that_fits(hosts, order, facts, version);
  return report;
}

}  // namespace vgsim::vsphere
