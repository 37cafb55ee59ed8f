#include "tools/studio/scenario_card.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <vector>

#include "models/scenario/answer/run_scenario.hpp"
#include "models/scenario/read/library.hpp"
#include "sim/engine.hpp"
#include "tools/report/svg.hpp"
#include "tools/text/fitting.hpp"
#include "tools/text/words.hpp"

// The first layout is built and placed without running it. A row is a host with its GPUs, each in
// the colour of the VM that holds it; hosts of one kind that hold the same are drawn once.

namespace vgsim::studio {
namespace {

using nlohmann::ordered_json;
using scenario::Cluster;

constexpr std::size_t kMostRows = 3;
constexpr std::size_t kMostGpus = 16;
constexpr std::size_t kColours = 6;

/// A host, or several that look the same.
struct HostRow {
  std::string name;
  std::size_t count = 1;
  std::size_t kind = 0;
  std::vector<std::size_t> holders;  ///< by GPU: 0 none, else the VM of the host, from 1
};

std::vector<HostRow> rows_of(const Cluster& cluster) {
  std::vector<std::vector<std::size_t>> holders(cluster.hosts.size());
  std::vector<std::size_t> vms(cluster.hosts.size());
  for (std::size_t h = 0; h < cluster.hosts.size(); ++h) {
    holders[h].resize(cluster.inventory[cluster.hosts[h].kind].gpus.size());
  }
  for (const scenario::Machine& machine : cluster.machines) {
    ++vms[machine.host];
    for (const std::size_t gpu : cluster.kinds[machine.kind].gpus) {
      if (gpu < holders[machine.host].size()) holders[machine.host][gpu] = vms[machine.host];
    }
  }
  std::vector<HostRow> rows;
  for (std::size_t h = 0; h < cluster.hosts.size(); ++h) {
    const std::size_t kind = cluster.hosts[h].kind;
    const auto same = std::ranges::find_if(
        rows, [&](const HostRow& row) { return row.kind == kind && row.holders == holders[h]; });
    if (same != rows.end()) {
      ++same->count;
    } else {
      rows.push_back({cluster.hosts[h].name, 1, kind, holders[h]});
    }
  }
  return rows;
}

std::string picture_of(const std::vector<HostRow>& rows) {
  constexpr double kWidth = 240;
  constexpr double kRow = 54;
  constexpr double kGpu = 22;
  report::Svg svg(kWidth);
  double y = 0;
  for (std::size_t r = 0; r < std::min(rows.size(), kMostRows); ++r) {
    const HostRow& row = rows[r];
    svg.rect(0.5, y + 0.5, kWidth - 1, kRow - 7, {"box"}, 4);
    const std::string words =
        row.count > 1 ? fmt::format("{} and {} like it", row.name, row.count - 1) : row.name;
    svg.text({8, y + 16}, text::shortened(words, 34), {"name"});
    const std::size_t shown = std::min(row.holders.size(), kMostGpus);
    const double pitch = shown > 8 ? (kWidth - 16) / static_cast<double>(shown) : kGpu + 4;
    for (std::size_t g = 0; g < shown; ++g) {
      const std::size_t holder = row.holders[g];
      const std::string look =
          holder == 0 ? std::string("node") : fmt::format("s{} chip", (holder - 1) % kColours);
      svg.rect(8 + static_cast<double>(g) * pitch, y + 23, pitch - 4, 16, {look}, 2);
    }
    y += kRow;
  }
  return svg.finish(std::max(y, 1.0), "card", "The hosts and their GPUs",
                    "A colour for each VM of a host; GPUs without one are free.");
}

/// "4 hosts: 16 x a100-pcie-80gb, 4 VMs".
std::string machines_of(const Cluster& cluster) {
  std::map<std::string, std::size_t> gpus;
  for (const scenario::ClusterHost& host : cluster.hosts) {
    for (const std::string& gpu : cluster.inventory[host.kind].gpus) ++gpus[gpu];
  }
  std::vector<std::string> words;
  for (const auto& [gpu, count] : gpus) words.push_back(fmt::format("{} x {}", count, gpu));
  std::string text = text::plural(cluster.hosts.size(), "host");
  if (!words.empty()) text += fmt::format(": {}", fmt::join(words, ", "));
  return text + ", " + text::plural(cluster.machines.size(), "VM");
}

}  // namespace

ordered_json card_json(const Opening& opening, const scenario::Library& library) {
  ordered_json card{{"machines", ""}, {"svg", ""}};
  try {
    const auto layouts = opening.document.layouts();
    const auto first = opening.document.with_layouts({layouts.front()});
    const auto prepared =
        scenario::prepare_scenario(first, library, loader_of(opening.files), {}, nullptr);
    if (!prepared) return card;
    const Cluster& cluster = *prepared->layouts.front().placement.cluster;
    card["machines"] = machines_of(cluster);
    const auto rows = rows_of(cluster);
    card["svg"] = picture_of(rows);
    card["more"] = rows.size() - std::min(rows.size(), kMostRows);
  } catch (const LimitExceeded&) {  // NOLINT(bugprone-empty-catch): a card without a picture
  }
  return card;
}

}  // namespace vgsim::studio
