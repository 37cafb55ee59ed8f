#include "topology/machine/host_nvlinks.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <string>

#include "topology/machine/import_codes.hpp"
#include "topology/machine/pci_class.hpp"

namespace vgsim::topology::inventory {
namespace {

using Gpus = std::vector<const PlannedDevice*>;

/// "nvlink3" for compute capability 8.0 (NVIDIA's data sheets); empty for GPUs without NVLink.
std::string generation_of_capability(std::int64_t sm) {
  switch (sm) {
    case 60:
      return "nvlink1";
    case 70:
      return "nvlink2";
    case 80:
    case 86:
      return "nvlink3";
    case 90:
      return "nvlink4";
    case 100:
    case 103:
      return "nvlink5";
    default:
      return {};
  }
}

/// The NVSwitch of an NVLink generation; the first NVSwitch has the second generation.
std::string switch_of_generation(const std::string& nvlink) {
  const char digit = nvlink.empty() ? '0' : nvlink.back();
  return digit >= '2' && digit <= '9' ? fmt::format("nvswitch{}", digit - '1') : std::string();
}

/// Both GPUs of a link list it, as in NCCL, and must state the same count, else the file is an
/// error. Links to any device of an NVSwitch class count as links to one switch. Links to CPUs are
/// reported and ignored.
class NvLinkPlanner {
 public:
  NvLinkPlanner(const Gpus& gpus, HostBuild& build) : gpus_(gpus), build_(build) {
    for (std::size_t i = 0; i < gpus.size(); ++i) index_[gpus[i]->from->bus_id] = i;
  }

  PlannedNvLinks plan() {
    for (std::size_t i = 0; i < gpus_.size(); ++i) {
      if (gpus_[i]->from->gpu) read_links(i, *gpus_[i]->from->gpu);
    }
    for (const auto& [pair, count] : counted_) check_pair(pair.first, pair.second, count);
    find_parts();
    return std::move(planned_);
  }

 private:
  void read_links(std::size_t gpu, const Gpu& element) {
    const std::string& busid = gpus_[gpu]->from->bus_id;
    if (!element.c2c.empty())
      build_.assumptions.add("C2C links to the CPU are not modelled", busid);
    for (const NvLinks& links : element.nvlinks) {
      const std::string target_class = links.target_class ? links.target_class->value : "";
      if (links.count.value == 0) continue;
      if (links.target.value == kHiddenNvSwitch || is_nvswitch_class(target_class)) {
        planned_.to_switch[gpu] += links.count.value;
      } else if (is_nvlink_cpu_class(target_class)) {
        build_.assumptions.add("NVLinks to the CPU are not modelled", busid);
      } else {
        read_links_to_gpu(gpu, links);
      }
    }
  }

  void read_links_to_gpu(std::size_t gpu, const NvLinks& links) {
    const std::string& busid = gpus_[gpu]->from->bus_id;
    const auto target = index_.find(links.target.value);
    if (target == index_.end()) {
      ignore(links, fmt::format("the NVLink of {} to {} leads to no GPU of the file; ignored",
                                busid, links.target.value));
    } else if (target->second == gpu) {
      ignore(links, fmt::format("the NVLink of {} leads to itself; ignored", busid));
    } else {
      counted_[{gpu, target->second}] += links.count.value;
    }
  }

  void ignore(const NvLinks& links, std::string message) {
    build_.diagnostics.warning(import_codes::kNvLinkIgnored.code, build_.at(links.place), "",
                               std::move(message));
  }

  void check_pair(std::size_t from, std::size_t to, std::int64_t count) {
    const auto back = counted_.find({to, from});
    const std::int64_t returned = back == counted_.end() ? 0 : back->second;
    if (count == returned) {
      planned_.between[std::minmax(from, to)] = count;
    } else if (from < to || returned == 0) {
      const Device& device = *gpus_[from]->from;
      build_.diagnostics.error(
          import_codes::kNvLinkMismatch.code, build_.at(device.place), "",
          fmt::format("{} counts {} NVLinks to {}, which counts {} back", device.bus_id, count,
                      gpus_[to]->from->bus_id, returned));
    }
  }

  std::string generation_name() const {
    for (const PlannedDevice* gpu : gpus_) {
      const bool has_nvlink = gpu->gpu != nullptr && !gpu->gpu->nvlink.empty();
      if (has_nvlink) return gpu->gpu->nvlink;
      const auto& stated = gpu->from->gpu;
      if (!stated || stated->nvlinks.empty() || !stated->sm) continue;
      const std::string name = generation_of_capability(stated->sm->value);
      if (!name.empty()) return name;
    }
    return {};
  }

  void find_parts() {
    if (planned_.between.empty() && planned_.to_switch.empty()) return;
    const std::string name = generation_name();
    const auto generation = build_.catalog.nvlinks.find(name);
    if (generation == build_.catalog.nvlinks.end()) {
      return report_gap(
          name.empty()
              ? fmt::format("the model of these {} GPUs is unknown{}, and so is the rate of their "
                            "NVLinks",
                            gpus_.size(), unknown_gpu_names(gpus_, build_.catalog))
              : fmt::format("the file lists NVLinks of an unknown generation: {}", name));
    }
    planned_.generation = &generation->second;
    if (planned_.to_switch.empty()) return;
    const std::string switch_name = switch_of_generation(name);
    const auto nvswitch = build_.catalog.nvswitches.find(switch_name);
    if (nvswitch == build_.catalog.nvswitches.end()) {
      return report_gap(fmt::format("the catalogue has no NVSwitch for {}", name));
    }
    planned_.nvswitch = &nvswitch->second;
  }

  void report_gap(std::string message) {
    build_.diagnostics.error(import_codes::kCatalogueGap.code, build_.at(), "", std::move(message),
                             fmt::format("\"gpus\": \"{} x NAME\" in the scenario, a name that "
                                         "vgsim catalog gpus lists, or \"nvlink\": {{\"kind\": "
                                         "\"none\"}}",
                                         gpus_.size()));
  }

  const Gpus& gpus_;
  HostBuild& build_;
  PlannedNvLinks planned_;
  std::map<std::string, std::size_t> index_;
  std::map<std::pair<std::size_t, std::size_t>, std::int64_t> counted_;  ///< from, to
};

void reject_layout(HostBuild& build, std::string message) {
  build.diagnostics.error(import_codes::kBadCompletion.code, build.at(), "", std::move(message));
}

bool is_symmetric_of_size(const std::vector<std::vector<std::int64_t>>& matrix, std::size_t size) {
  if (matrix.size() != size) return false;
  for (std::size_t a = 0; a < size; ++a) {
    if (matrix[a].size() != size || matrix[a][a] != 0) return false;
    for (std::size_t b = 0; b < a; ++b) {
      if (matrix[a][b] != matrix[b][a]) return false;
    }
  }
  return true;
}

}  // namespace

PlannedNvLinks plan_nvlinks(const Gpus& gpus, HostBuild& build) {
  return NvLinkPlanner(gpus, build).plan();
}

void check_nvlink_layout(const NvLinkLayout& layout, const Gpus& gpus, HostBuild& build) {
  using Kind = NvLinkLayout::Kind;
  if (layout.kind == Kind::kNone) return;
  for (const PlannedDevice* gpu : gpus) {
    if (gpu->gpu != nullptr && build.catalog.nvlinks.contains(gpu->gpu->nvlink)) continue;
    return reject_layout(build,
                         fmt::format("\"nvlink\" is given, but {} is {}", gpu->from->bus_id,
                                     gpu->gpu == nullptr ? "of unknown model; give \"gpus\" as well"
                                                         : gpu->gpu->id + ", which has no NVLink"));
  }
  for (const auto& [a, b] : layout.pairs) {
    if (a < gpus.size() && b < gpus.size() && a != b) continue;
    reject_layout(
        build, fmt::format("\"nvlink\" joins GPUs {} and {}, but the file has GPUs 0 to {}", a, b,
                           gpus.size() - 1));
  }
  if (layout.kind == Kind::kMatrix && !is_symmetric_of_size(layout.links, gpus.size())) {
    reject_layout(build, fmt::format("the matrix of \"nvlink\" is not a symmetric one of {0} x {0} "
                                     "with zeros on its diagonal",
                                     gpus.size()));
  }
  if (layout.kind == Kind::kNvSwitch && !build.catalog.nvswitches.contains(layout.nvswitch)) {
    reject_layout(build, fmt::format("unknown NVSwitch \"{}\"", layout.nvswitch));
  }
}

void build_nvlinks(const PlannedNvLinks& planned, const Gpus& gpus, DeviceBuilder& devices) {
  if (planned.generation == nullptr) return;
  const std::vector<Vertex> vertices = devices.host().gpus;
  for (const auto& [pair, count] : planned.between) {
    devices.join_nvlink(vertices[pair.first], vertices[pair.second], *planned.generation, count,
                        gpus[pair.first]->gpu);
  }
  if (planned.nvswitch == nullptr) return;
  std::map<Vertex, std::int64_t> links;
  for (const auto& [gpu, count] : planned.to_switch) links[vertices[gpu]] = count;
  devices.join_nvswitch(*planned.nvswitch, 0, links, *planned.generation);
}

}  // namespace vgsim::topology::inventory
