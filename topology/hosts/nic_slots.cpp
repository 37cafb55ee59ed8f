#include "topology/hosts/nic_slots.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <string_view>

#include "topology/look_up.hpp"

namespace vgsim::topology {
namespace {

/// The number in "gpu3" after the word "gpu"; nothing if the text is of another form.
std::optional<std::size_t> index_after(std::string_view word, std::string_view text) {
  std::size_t index = 0;
  if (!text.starts_with(word) || text.size() == word.size()) return std::nullopt;
  const char* last = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data() + word.size(), last, index);
  return error == std::errc() && end == last ? std::optional(index) : std::nullopt;
}

}  // namespace

const PcieAttachment* NicSlots::take(const input::Named<NicSpec>& nic,
                                     input::Diagnostics& diagnostics) {
  if (nic->slot) return take_named(*nic->slot, diagnostics);
  const auto& near = nic->near;
  std::map<std::string, int> distance;
  if (near) {
    distance = distances_from(*near, diagnostics);
    if (distance.empty()) return nullptr;
  }
  if (!near) {
    for (const auto& [name, slot] : server_->nic_slots) distance[name] = from_any_gpu(slot);
  }
  const std::string* best = nullptr;
  for (const auto& [name, slot] : server_->nic_slots) {
    if (taken_.contains(name)) continue;
    if (best == nullptr || distance.at(name) < distance.at(*best)) best = &name;
  }
  if (best == nullptr) {
    report(
        diagnostics, nic.origin,
        fmt::format("no free slot: {} has {} NIC slots", server_->name, server_->nic_slots.size()));
    return nullptr;
  }
  taken_.insert(*best);
  return &server_->nic_slots.at(*best);
}

const PcieAttachment* NicSlots::take_named(const input::At<std::string>& name,
                                           input::Diagnostics& diagnostics) {
  const PcieAttachment* slot = look_up(server_->nic_slots, name, "slot", diagnostics);
  if (slot != nullptr && !taken_.insert(*name).second) {
    report(diagnostics, name, fmt::format("slot \"{}\" is taken twice", *name));
    return nullptr;
  }
  return slot;
}

int NicSlots::from_any_gpu(const PcieAttachment& slot) const {
  int nearest = kElsewhere;
  for (const PcieAttachment& gpu : server_->gpu_slots) {
    nearest = std::min(nearest, from_place(slot.under, gpu.under));
  }
  return std::min(nearest, +kOnSocket);
}

int NicSlots::from_place(const std::string& slot, const std::string& place) const {
  if (slot == place) return kBeside;
  for (std::string above = place; server_->pcie_switches.contains(above);) {
    above = server_->pcie_switches.at(above).under;
    if (above == slot && server_->pcie_switches.contains(above)) return kUnderOneSwitch;
  }
  return socket_of(slot) == socket_of(place) ? kOnSocket : kElsewhere;
}

std::int64_t NicSlots::socket_of(std::string place) const {
  while (!server_->root_complexes.contains(place)) place = server_->pcie_switches.at(place).under;
  return server_->root_complexes.at(place).socket;
}

std::map<std::string, int> NicSlots::distances_from(const input::At<std::string>& near,
                                                    input::Diagnostics& diagnostics) const {
  const std::string& text = *near;
  std::string beside;
  std::int64_t socket = 0;
  if (const auto gpu = index_after("gpu", text); gpu && *gpu < gpus_) {
    beside = server_->gpu_slots[*gpu].under;
    socket = socket_of(beside);
  } else if (const auto node = index_after("socket", text);
             node && static_cast<std::int64_t>(*node) < server_->sockets) {
    socket = static_cast<std::int64_t>(*node);
  } else {
    report(diagnostics, near, fmt::format("no device \"{}\" in this host", text),
           fmt::format("gpuN with N below {} or socketN with N below {}", gpus_, server_->sockets));
    return {};
  }
  std::map<std::string, int> distance;
  for (const auto& [name, slot] : server_->nic_slots) {
    distance[name] = !beside.empty()                   ? from_place(slot.under, beside)
                     : socket_of(slot.under) == socket ? kOnSocket
                                                       : kElsewhere;
  }
  return distance;
}

}  // namespace vgsim::topology
