#include "topology/catalog/part_fit.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "topology/graph/pcie_width.hpp"

namespace vgsim::topology {
namespace {

std::string word_of(CardSize size) {
  return card_size_words().at(static_cast<std::size_t>(size) - 1);
}

/// Length of the common prefix of two names.
std::size_t common_beginning(const std::string& a, const std::string& b) {
  const auto [end, other] = std::mismatch(a.begin(), a.end(), b.begin(), b.end());
  return static_cast<std::size_t>(end - a.begin());
}

}  // namespace

const std::vector<std::string>& card_size_words() {
  static const std::vector<std::string> words = {"HHHL", "FHHL", "FHFL", "oversize"};
  return words;
}

std::optional<std::string> incompatibility(const GpuModel& gpu, const ServerModel& server) {
  const auto& taken = server.gpu_form_factors;
  const bool is_known = !gpu.form_factor.empty() && !taken.empty();
  if (is_known && std::find(taken.begin(), taken.end(), gpu.form_factor) == taken.end()) {
    return fmt::format("its form factor is {}, the GPU slots accept {}", gpu.form_factor,
                       fmt::join(taken, " and "));
  }
  if (server.gpu_slot_width > 0 && gpu.card_width > server.gpu_slot_width) {
    return fmt::format("it is {} slots wide, a GPU slot accepts {}", gpu.card_width,
                       server.gpu_slot_width);
  }
  if (server.gpu_slot_size != CardSize::kUnknown && gpu.card_size > server.gpu_slot_size) {
    return fmt::format("it is {}, a GPU slot takes {}", word_of(gpu.card_size),
                       word_of(server.gpu_slot_size));
  }
  if (server.gpu_slot_watts > 0 && gpu.tdp_watts && gpu.tdp_watts->value > server.gpu_slot_watts) {
    return fmt::format("it needs {} W, a GPU slot provides {} W", gpu.tdp_watts->value,
                       server.gpu_slot_watts);
  }
  return std::nullopt;
}

std::optional<std::string> incompatibility(const NicModel& nic, const PcieAttachment& slot) {
  const auto& sold = nic.form_factors;
  if (sold.empty() || slot.form_factor.empty()) return std::nullopt;
  if (std::find(sold.begin(), sold.end(), slot.form_factor) != sold.end()) return std::nullopt;
  return fmt::format("its form factor is {}, the slot accepts {}", fmt::join(sold, " or "),
                     slot.form_factor);
}

std::vector<std::string> compatible_gpus(const Catalog& catalog, const ServerModel& server,
                                         const std::string& name) {
  std::vector<std::string> fitting;
  for (const auto& [id, gpu] : catalog.gpus) {
    if (!incompatibility(gpu, server)) fitting.push_back(id);
  }
  std::stable_sort(fitting.begin(), fitting.end(), [&](const auto& a, const auto& b) {
    return common_beginning(a, name) > common_beginning(b, name);
  });
  return fitting;
}

bool supports_nvlink_bridges(const GpuModel& gpu) {
  return !gpu.nvlink.empty() && gpu.nvlink_links > 0 &&
         (gpu.form_factor.empty() || gpu.form_factor == kPcieCard);
}

std::vector<std::pair<std::size_t, std::size_t>> possible_bridge_pairs(const ServerModel& server,
                                                                       const GpuModel& gpu,
                                                                       std::size_t gpus) {
  if (server.nvlink.kind != NvLinkLayout::Kind::kBridge || !supports_nvlink_bridges(gpu)) return {};
  auto pairs = server.nvlink.pairs;
  std::erase_if(pairs, [&](const auto& pair) { return std::max(pair.first, pair.second) >= gpus; });
  return pairs;
}

std::vector<std::array<std::size_t, 4>> four_way_bridges(const ServerModel& server,
                                                         const GpuModel& gpu, std::size_t gpus) {
  std::vector<std::array<std::size_t, 4>> groups;
  if (gpu.bridge_gpus < 4) return groups;
  const auto pairs = possible_bridge_pairs(server, gpu, gpus);
  for (std::size_t p = 0; p + 1 < pairs.size(); p += 2) {
    std::array group{pairs[p].first, pairs[p].second, pairs[p + 1].first, pairs[p + 1].second};
    std::sort(group.begin(), group.end());
    if (std::adjacent_find(group.begin(), group.end()) == group.end()) groups.push_back(group);
  }
  return groups;
}

std::vector<std::pair<std::size_t, std::size_t>> most_bridges(const ServerModel& server,
                                                              const GpuModel& gpu,
                                                              std::size_t gpus) {
  std::vector<std::pair<std::size_t, std::size_t>> bridges;
  std::set<std::size_t> bridged;
  for (const auto& [a, b] : possible_bridge_pairs(server, gpu, gpus)) {
    if (bridged.contains(a) || bridged.contains(b)) continue;
    bridged.insert({a, b});
    bridges.emplace_back(a, b);
  }
  return bridges;
}

const NetworkSwitchModel* switch_with(BytesPerSecond rate, const NetworkSwitchModel& now,
                                      const Catalog& catalog) {
  const NetworkSwitchModel* best = nullptr;
  const auto is_better = [&](const NetworkSwitchModel& each) {
    if (best == nullptr || each.port_rate != best->port_rate) {
      return best == nullptr || each.port_rate < best->port_rate;
    }
    return common_beginning(each.id, now.id) > common_beginning(best->id, now.id);
  };
  for (const auto& [id, each] : catalog.switches) {
    if (each.reduces == now.reduces && each.port_rate >= rate && is_better(each)) best = &each;
  }
  return best;
}

BytesPerSecond rate_in_slot(const NicModel& nic, const PcieAttachment& slot,
                            const Catalog& catalog) {
  const PcieWidth width =
      PcieWidth{slot.generation, slot.lanes}.meet({nic.pcie_generation, nic.pcie_lanes});
  const PcieGeneration& pcie = catalog.pcie.at(width.generation);
  const auto line = static_cast<double>((pcie.lane_rate.value * width.lanes).count());
  return BytesPerSecond{static_cast<std::int64_t>(line * pcie.payload_share.value)};
}

}  // namespace vgsim::topology
