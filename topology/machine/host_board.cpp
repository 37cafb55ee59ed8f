#include "topology/machine/host_board.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <numeric>

namespace vgsim::topology::inventory {
namespace {

using Gpus = std::vector<const PlannedDevice*>;

/// The common model of all GPUs; nullptr if models differ or one is unknown.
const GpuModel* model_of(const Gpus& gpus) {
  const GpuModel* model = gpus.front()->gpu;
  const bool same =
      std::ranges::all_of(gpus, [&](const PlannedDevice* gpu) { return gpu->gpu == model; });
  return same ? model : nullptr;
}

/// A board for that number of GPUs; a board for the CPU vendor is preferred to one for any vendor.
const BoardModel* find_board(const Catalog& catalog, const GpuModel& gpu, std::size_t count,
                             const std::string& cpu_vendor) {
  const BoardModel* found = nullptr;
  for (const auto& [id, board] : catalog.boards) {
    const bool fits = std::ranges::find(board.gpus, gpu.id) != board.gpus.end() &&
                      board.count == static_cast<std::int64_t>(count) &&
                      (board.cpu_vendor.empty() || board.cpu_vendor == cpu_vendor);
    if (fits && (found == nullptr || !board.cpu_vendor.empty())) found = &board;
  }
  return found;
}

bool is_on_a_board(const Catalog& catalog, const GpuModel& gpu) {
  return std::ranges::any_of(catalog.boards, [&](const auto& entry) {
    return std::ranges::find(entry.second.gpus, gpu.id) != entry.second.gpus.end();
  });
}

/// Number of NVLinks of each GPU to any target.
std::vector<std::int64_t> links_of(const NvLinkLayout& layout, const GpuModel& gpu,
                                   std::size_t gpus) {
  using Kind = NvLinkLayout::Kind;
  std::vector<std::int64_t> links(gpus, 0);
  for (std::size_t g = 0; g < gpus; ++g) {
    if (layout.kind == Kind::kNvSwitch) links[g] = gpu.nvlink_links;
    if (layout.kind == Kind::kMesh) {
      links[g] = layout.links_per_pair * static_cast<std::int64_t>(gpus - 1);
    }
    if (layout.kind == Kind::kMatrix) {
      links[g] = std::accumulate(layout.links[g].begin(), layout.links[g].end(), std::int64_t{0});
    }
  }
  return links;
}

std::vector<std::int64_t> links_of(const PlannedNvLinks& stated, std::size_t gpus) {
  std::vector<std::int64_t> links(gpus, 0);
  for (const auto& [pair, count] : stated.between) {
    links[pair.first] += count;
    links[pair.second] += count;
  }
  for (const auto& [gpu, count] : stated.to_switch) links[gpu] += count;
  return links;
}

/// Number of NVLinks of each GPU if the file states only that; 0 means none.
std::optional<std::int64_t> links_up(const Gpus& gpus) {
  std::optional<std::int64_t> least;
  for (const PlannedDevice* gpu : gpus) {
    if (!gpu->from->gpu || !gpu->from->gpu->nvlinks_up) return std::nullopt;
    const std::int64_t up = gpu->from->gpu->nvlinks_up->value;
    least = std::min(least.value_or(up), up);
  }
  return least;
}

std::string links_text(std::int64_t links) {
  return links == 0 ? "no NVLinks" : fmt::format("{} NVLinks", links);
}

OpenPoint disagreement(const BoardModel& board, std::int64_t stated, std::int64_t expected) {
  return {fmt::format("the dump shows {} of a GPU, {} has {}; the dump is used", links_text(stated),
                      board.name, expected),
          OpenPoint::Kind::kDisputed};
}

OpenPoint unknown_model(const Catalog& catalog, const Gpus& gpus) {
  return {
      fmt::format("the model of these {} GPUs{}: add \"gpus\": \"{} x NAME\", a name that vgsim "
                  "catalog gpus lists",
                  gpus.size(), unknown_gpu_names(gpus, catalog), gpus.size()),
      OpenPoint::Kind::kNeeded};
}

}  // namespace

BoardNvLinks board_nvlinks(const Gpus& gpus, const CpuModel& cpu, const PlannedNvLinks& stated,
                           HostBuild& build) {
  BoardNvLinks result;
  if (gpus.size() < 2) return result;
  const GpuModel* gpu = model_of(gpus);
  if (gpu == nullptr) {
    const bool unknown =
        std::ranges::any_of(gpus, [](const PlannedDevice* each) { return each->gpu == nullptr; });
    if (unknown) result.open.push_back(unknown_model(build.catalog, gpus));
    return result;
  }
  const bool has_stated_links = !stated.between.empty() || !stated.to_switch.empty();
  const auto up = links_up(gpus);
  if (!is_on_a_board(build.catalog, *gpu)) {
    if (!gpu->nvlink.empty() && !has_stated_links && up != 0) {
      result.open.push_back(
          {fmt::format("NVLink bridges between {} {}, taken as none: import nvidia-smi "
                       "topo -m, or add \"nvlink\" to the scenario",
                       gpus.size(), gpu->id)});
    }
    return result;
  }
  const BoardModel* board = find_board(build.catalog, *gpu, gpus.size(), cpu.vendor);
  if (board == nullptr) {
    if (has_stated_links || up == 0) return result;
    result.open.push_back(
        {fmt::format(
             "NVLinks between {} {}, taken as none: no known board has this number of GPUs; import "
             "nvidia-smi topo -m, or add \"nvlink\" to the scenario",
             gpus.size(), gpu->id),
         OpenPoint::Kind::kNeeded});
    return result;
  }
  const auto expected = links_of(board->nvlink, *gpu, gpus.size());
  const auto found = has_stated_links ? links_of(stated, gpus.size())
                                      : std::vector<std::int64_t>(gpus.size(), up.value_or(-1));
  if (!has_stated_links && (!up || found == expected)) {
    result.layout = board->nvlink;
    result.open.push_back(
        {fmt::format("the NVLinks of {} {}, taken as on {}", gpus.size(), gpu->id, board->name)});
    return result;
  }
  for (std::size_t g = 0; g < gpus.size(); ++g) {
    if (found[g] == expected[g]) continue;
    result.open.push_back(disagreement(*board, found[g], expected[g]));
    break;
  }
  return result;
}

}  // namespace vgsim::topology::inventory
