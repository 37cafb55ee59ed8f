#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>
#include <utility>

#include "topology/importers/smi/smi_gpu_facts.hpp"
#include "topology/importers/smi/smi_gpu_lines.hpp"
#include "topology/importers/smi/smi_lines.hpp"
#include "topology/importers/smi/smi_parts.hpp"
#include "topology/machine/import_codes.hpp"

namespace vgsim::topology {
namespace {

bool is_payload(double gigabytes) {
  constexpr std::array<double, 4> kRates = {20, 25, 50, 100};
  return std::ranges::find(kRates, gigabytes) != kRates.end();
}

/// The common rate of all links of a GPU; nothing if they differ.
std::optional<double> common_speed(const SmiGpuLines& lines) {
  if (lines.speeds.empty()) return std::nullopt;
  const double first = lines.speeds.begin()->second;
  const bool same =
      std::ranges::all_of(lines.speeds, [&](const auto& link) { return link.second == first; });
  return same ? std::optional(first) : std::nullopt;
}

void add_peers(const SmiGpuLines& lines, const FileNotes& notes, Gpu& gpu) {
  std::map<std::string, std::size_t> index;
  for (const auto& [number, peer] : lines.peers) {
    const auto [known, is_new] = index.emplace(peer, gpu.nvlinks.size());
    if (is_new) {
      gpu.nvlinks.push_back({notes.stated(peer), std::nullopt, notes.stated<std::int64_t>(0), {}});
    }
    ++gpu.nvlinks[known->second].count.value;
  }
}

void add_speed(const SmiGpuLines& lines, const std::string& name, FileNotes& notes, Gpu& gpu) {
  const auto speed = common_speed(lines);
  if (!speed && !lines.speeds.empty()) {
    notes.skip("The speeds of NVLinks of one GPU differ and are not read", name);
  } else if (speed && !is_payload(*speed)) {
    notes.skip(
        fmt::format("{} GB/s of an NVLink is the signalling rate: the payload rate is unknown",
                    *speed),
        name);
  } else if (speed && gpu.nvlinks.empty()) {
    notes.skip(fmt::format("{} GB/s of an NVLink is stated without its remote device", *speed),
               name);
  } else if (speed) {
    const auto rate = notes.stated(BytesPerSecond{std::llround(*speed * 1e9)});
    for (auto& links : gpu.nvlinks) links.rate = rate;
  }
}

/// -R and -p contain the remote device of each link, -s its speed and state; both are needed for a
/// link with a rate. Signalling rates (26.562 GB/s) would overstate the payload and are only
/// mentioned.
void add_links(const SmiGpuLines& lines, const std::string& name, FileNotes& notes, Gpu& gpu) {
  add_peers(lines, notes, gpu);
  add_speed(lines, name, notes, gpu);
  const bool tells_state = !lines.speeds.empty() || lines.all_inactive || lines.without_nvlink ||
                           (!lines.inactive.empty() && lines.peers.empty());
  const auto up = static_cast<std::int64_t>(lines.speeds.size());
  if (tells_state) gpu.nvlinks_up = notes.stated(up);
  if (!lines.inactive.empty()) {
    notes.skip("NVLinks are inactive", fmt::format("{} of {}", lines.inactive.size(), name));
  }
  const bool differs =
      !lines.speeds.empty() && !lines.peers.empty() && lines.speeds.size() != lines.peers.size();
  if (differs) {
    notes.warn(import_codes::kContradiction, notes.at(lines.offset),
               "The number of NVLinks that are down equals that of NVLinks with a remote device",
               fmt::format("{} ({} and {})", name, lines.speeds.size(), lines.peers.size()));
  }
}

Device device_of(std::int64_t number, const SmiGpuLines& lines, FileNotes& notes) {
  Device device;
  device.kind = inventory::DeviceKind::kGpu;
  device.gpu.emplace();
  device.gpu->index = notes.stated(number);
  if (!is_not_told(lines.name)) device.name = notes.stated(lines.name);
  if (!is_not_told(lines.uuid)) device.gpu->uuid = notes.stated(lines.uuid);
  if (lines.mig) device.gpu->mig = notes.stated(true);
  if (lines.has_mig_instances) notes.skip(kMigInstancesAreNotRead, fmt::format("GPU{}", number));
  add_links(lines, fmt::format("GPU{}", number), notes, *device.gpu);
  return device;
}

}  // namespace

void read_smi_nvlink(FileNotes& notes, Inventory& host) {
  const auto gpus = scan_gpu_lines(notes.source()->text, notes);
  if (gpus.empty()) {
    notes.error(import_codes::kNothingInIt, notes.at(0),
                "no line of nvidia-smi -L or nvidia-smi nvlink",
                "the output of nvidia-smi nvlink -R or -s, from \"GPU 0: ...\" on");
  }
  if (notes.failed()) return;
  for (const auto& [number, lines] : gpus) {
    host.unplaced.push_back(device_of(number, lines, notes));
  }
}

bool is_smi_list(std::string_view text) {
  if (text.find("(UUID:") == text.npos) return false;
  FileNotes ignored(input::make_source("", ""));
  return !scan_gpu_lines(text, ignored).empty();
}

}  // namespace vgsim::topology
