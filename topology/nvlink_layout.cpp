#include "topology/nvlink_layout.hpp"

#include <algorithm>
#include <map>

namespace vgsim::topology {
namespace {

/// Number of NVLinks between two GPUs in the layout.
std::int64_t links_between(const NvLinkLayout& layout, const GpuModel& gpu, std::size_t a,
                           std::size_t b) {
  using Kind = NvLinkLayout::Kind;
  switch (layout.kind) {
    case Kind::kBridge: {
      const auto& pairs = layout.pairs;
      const bool bridged = std::find(pairs.begin(), pairs.end(), std::pair{a, b}) != pairs.end() ||
                           std::find(pairs.begin(), pairs.end(), std::pair{b, a}) != pairs.end();
      return bridged ? gpu.nvlink_links : 0;
    }
    case Kind::kMesh:
      return layout.links_per_pair;
    case Kind::kMatrix:
      return a < layout.links.size() && b < layout.links[a].size() ? layout.links[a][b] : 0;
    case Kind::kNone:
    case Kind::kNvSwitch:
      return 0;
  }
  return 0;
}

}  // namespace

void apply_nvlink_layout(DeviceBuilder& devices, const NvLinkLayout& layout, const GpuModel& gpu) {
  const auto generation = devices.catalog().nvlinks.find(gpu.nvlink);
  if (generation == devices.catalog().nvlinks.end()) return;
  const std::vector<Vertex>& gpus = devices.host().gpus;
  if (layout.kind == NvLinkLayout::Kind::kNvSwitch) {
    std::map<Vertex, std::int64_t> links;
    for (const Vertex v : gpus) links[v] = gpu.nvlink_links;
    devices.join_nvswitch(devices.catalog().nvswitches.at(layout.nvswitch), layout.nvswitches,
                          links, generation->second);
    return;
  }
  for (std::size_t a = 0; a < gpus.size(); ++a) {
    for (std::size_t b = a + 1; b < gpus.size(); ++b) {
      const std::int64_t links = links_between(layout, gpu, a, b);
      if (links > 0) devices.join_nvlink(gpus[a], gpus[b], generation->second, links, &gpu);
    }
  }
}

}  // namespace vgsim::topology
