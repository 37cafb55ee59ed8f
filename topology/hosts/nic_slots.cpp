#include "topology/hosts/nic_slots.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <optional>
#include <string_view>

#include "topology/catalog/part_fit.hpp"
#include "topology/input/name_ranges.hpp"
#include "topology/look_up.hpp"

namespace vgsim::topology {
namespace {

using input::Diagnostics;
using NamedNic = input::Named<NicSpec>;

/// The number in "gpu3" after the word "gpu"; nothing for other texts.
std::optional<std::size_t> index_after(std::string_view word, std::string_view text) {
  std::size_t index = 0;
  if (!text.starts_with(word) || text.size() == word.size()) return std::nullopt;
  const char* last = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data() + word.size(), last, index);
  return error == std::errc() && end == last ? std::optional(index) : std::nullopt;
}

/// How precisely a NIC states its place; the most precise choose first.
enum class StatedPlace : std::uint8_t { kSlot, kGpu, kSocket, kNothing };

StatedPlace stated_place_of(const NicSpec& nic) {
  if (nic.slot) return StatedPlace::kSlot;
  if (!nic.near) return StatedPlace::kNothing;
  return (*nic.near)->starts_with("gpu") ? StatedPlace::kGpu : StatedPlace::kSocket;
}

/// The NIC slots of one server during the placement of its NICs.
class NicSlots {
 public:
  NicSlots(const ServerModel& server, std::size_t gpus, const Catalog& catalog,
           Diagnostics& diagnostics)
      : server_(server), gpus_(gpus), catalog_(catalog), diagnostics_(diagnostics) {}

  /// Reports an error and returns nothing if there is no slot.
  std::optional<NicPlace> take(const NamedNic& nic, const NicModel& model) {
    const auto slot = nic->slot ? named(*nic->slot, model) : nearest(nic, model);
    if (!slot) return std::nullopt;
    auto& ports = taken_[*slot];
    ports.push_back({nic.name, &model});
    return NicPlace{&model, *slot, &server_.nic_slots.at(*slot),
                    ports.size() > 1 ? ports.front().nic : std::string()};
  }

 private:
  struct Port {
    std::string nic;
    const NicModel* model = nullptr;
  };

  std::optional<std::string> named(const input::At<std::string>& name, const NicModel& model) {
    const PcieAttachment* slot = look_up(server_.nic_slots, name, "slot", diagnostics_);
    if (slot == nullptr) return std::nullopt;
    if (const auto why = incompatibility(model, *slot)) {
      report(
          diagnostics_, name,
          fmt::format("{} does not fit into {} of {}: {}", model.name, *name, server_.name, *why),
          fitting_slots(model));
      return std::nullopt;
    }
    const auto taken = taken_.find(*name);
    if (taken == taken_.end()) return *name;
    const Port& first = taken->second.front();
    const auto ports = static_cast<std::int64_t>(taken->second.size());
    if (first.model == &model && ports < model.ports) return *name;
    report(diagnostics_, name, fmt::format("slot \"{}\" is taken twice", *name),
           fmt::format("a free slot: {} has {}", first.nic, first.model->name));
    return std::nullopt;
  }

  std::string fitting_slots(const NicModel& model) const {
    std::vector<std::string> fitting;
    for (const auto& [name, slot] : server_.nic_slots) {
      if (!incompatibility(model, slot)) fitting.push_back(name);
    }
    if (fitting.empty()) return "another NIC: no slot of the server accepts it";
    return fmt::format("one of: {}", fmt::join(fitting, ", "));
  }

  std::optional<std::string> nearest(const NamedNic& nic, const NicModel& model) {
    std::map<std::string, int> distance;
    if (nic->near) {
      distance = distances_from(*nic->near);
      if (distance.empty()) return std::nullopt;
    } else {
      for (const auto& [name, slot] : server_.nic_slots) distance[name] = from_any_gpu(slot);
    }
    const std::string* best = nullptr;
    std::pair<int, std::int64_t> best_rank;
    bool unfit = false;
    for (const auto& [name, slot] : server_.nic_slots) {
      if (taken_.contains(name)) continue;
      if (incompatibility(model, slot)) {
        unfit = true;
        continue;
      }
      const std::int64_t missing = std::max<std::int64_t>(
          0, model.port_rate.value.count() - rate_in_slot(model, slot, catalog_).count());
      const std::pair rank{distance.at(name), missing};
      if (best != nullptr && rank >= best_rank) continue;
      best = &name;
      best_rank = rank;
    }
    if (best != nullptr) return *best;
    report(diagnostics_, nic.origin,
           fmt::format("no free slot{}: {} has {} NIC slots",
                       unfit ? fmt::format(" that takes {}", model.name) : "", server_.name,
                       server_.nic_slots.size()),
           unfit ? fitting_slots(model) : std::string());
    return std::nullopt;
  }

  /// Distance of a slot from a device, nearest first.
  enum Distance : int {
    kBeside,          ///< on the same switch or root complex
    kUnderOneSwitch,  ///< on a switch above the device's own
    kOnSocket,
    kElsewhere,
  };

  /// Distance to the nearest GPU slot; all sockets count as that of a GPU.
  int from_any_gpu(const PcieAttachment& slot) const {
    int nearest = kElsewhere;
    for (const PcieAttachment& gpu : server_.gpu_slots) {
      nearest = std::min(nearest, from_place(slot.under, gpu.under));
    }
    return std::min(nearest, +kOnSocket);
  }

  /// Distance between devices below `slot` and below `place`.
  int from_place(const std::string& slot, const std::string& place) const {
    if (slot == place) return kBeside;
    for (std::string above = place; server_.pcie_switches.contains(above);) {
      above = server_.pcie_switches.at(above).under;
      if (above == slot && server_.pcie_switches.contains(above)) return kUnderOneSwitch;
    }
    return socket_of(slot) == socket_of(place) ? kOnSocket : kElsewhere;
  }

  std::int64_t socket_of(std::string place) const {
    while (!server_.root_complexes.contains(place)) place = server_.pcie_switches.at(place).under;
    return server_.root_complexes.at(place).socket;
  }

  /// Distance by slot; empty after an error.
  std::map<std::string, int> distances_from(const input::At<std::string>& near) const {
    const std::string& text = *near;
    std::string beside;
    std::int64_t socket = 0;
    if (const auto gpu = index_after("gpu", text); gpu && *gpu < gpus_) {
      beside = server_.gpu_slots[*gpu].under;
      socket = socket_of(beside);
    } else if (const auto node = index_after("socket", text);
               node && static_cast<std::int64_t>(*node) < server_.sockets) {
      socket = static_cast<std::int64_t>(*node);
    } else {
      report(
          diagnostics_, near, fmt::format("no device \"{}\" in this host", text),
          fmt::format("gpuN with N below {} or socketN with N below {}", gpus_, server_.sockets));
      return {};
    }
    std::map<std::string, int> distance;
    for (const auto& [name, slot] : server_.nic_slots) {
      distance[name] = !beside.empty()                   ? from_place(slot.under, beside)
                       : socket_of(slot.under) == socket ? kOnSocket
                                                         : kElsewhere;
    }
    return distance;
  }

  const ServerModel& server_;
  std::size_t gpus_;
  const Catalog& catalog_;
  Diagnostics& diagnostics_;
  std::map<std::string, std::vector<Port>> taken_;  ///< by slot
};

}  // namespace

std::map<std::string, NicPlace> place_nics(const ServerModel& server, std::size_t gpus,
                                           const std::vector<NamedNic>& nics,
                                           const Catalog& catalog, Diagnostics& diagnostics) {
  struct Waiting {
    NamedNic nic;
    const NicModel* model = nullptr;
  };
  std::vector<Waiting> waiting;
  for (NamedNic& nic : input::in_natural_order(nics)) {
    const auto* model = look_up_part(catalog.nics, catalog, "nics", nic->nic, "nic", diagnostics);
    if (model != nullptr) waiting.push_back({std::move(nic), model});
  }
  std::stable_sort(waiting.begin(), waiting.end(), [](const Waiting& a, const Waiting& b) {
    const StatedPlace said = stated_place_of(*a.nic);
    if (said != stated_place_of(*b.nic)) return said < stated_place_of(*b.nic);
    return said == StatedPlace::kNothing && a.model->port_rate.value > b.model->port_rate.value;
  });
  NicSlots slots(server, gpus, catalog, diagnostics);
  std::map<std::string, NicPlace> places;
  for (const auto& [nic, model] : waiting) {
    if (auto place = slots.take(nic, *model)) places.emplace(nic.name, *std::move(place));
  }
  return places;
}

}  // namespace vgsim::topology
