#include "topology/machine/host_sockets.hpp"

#include <fmt/core.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <utility>

#include "topology/machine/device_facts.hpp"
#include "topology/machine/import_codes.hpp"
#include "topology/machine/text.hpp"

namespace vgsim::topology::inventory {
namespace {

using CpuId = std::pair<std::int64_t, std::int64_t>;  ///< family, model
using Nodes = std::map<std::int64_t, std::vector<const NumaNode*>>;

Nodes nodes_by_number(HostBuild& build) {
  Nodes nodes;
  const Inventory& host = build.inventory;
  for (std::size_t n = 0; n < host.numa_nodes.size(); ++n) {
    const std::int64_t number = std::max<std::int64_t>(numa_number(host, n), 0);
    auto& same = nodes[number];
    if (!same.empty()) {
      build.diagnostics.warning(
          import_codes::kSameNumaNode.code, build.at(host.numa_nodes[n].place), "",
          fmt::format("NUMA node {} is listed again; taken as the same", number));
    }
    same.push_back(&host.numa_nodes[n]);
  }
  return nodes;
}

/// Number of nodes in the first of two sockets.
std::size_t first_half(const Nodes& nodes) {
  const std::int64_t middle = (nodes.rbegin()->first + 2) / 2;
  const auto below =
      std::ranges::count_if(nodes, [&](const auto& node) { return node.first < middle; });
  return below > 0 ? static_cast<std::size_t>(below) : (nodes.size() + 1) / 2;
}

/// Nodes by socket, if the file states the socket of all nodes.
std::map<std::int64_t, std::vector<std::int64_t>> stated_sockets(const Nodes& nodes) {
  std::map<std::int64_t, std::vector<std::int64_t>> sockets;
  for (const auto& [number, same] : nodes) {
    if (!same.front()->package) return {};
    sockets[same.front()->package->value].push_back(number);
  }
  return sockets;
}

/// Pads sockets that have fewer nodes than others.
void assign_stated_sockets(const Nodes& nodes,
                           const std::map<std::int64_t, std::vector<std::int64_t>>& sockets,
                           PlannedSockets& planned) {
  std::size_t per_socket = 1;
  for (const auto& [socket, numbers] : sockets) per_socket = std::max(per_socket, numbers.size());
  for (const auto& [socket, numbers] : sockets) {
    for (const std::int64_t number : numbers) planned.nodes.push_back(nodes.at(number));
    planned.nodes.resize(planned.nodes.size() + per_socket - numbers.size());
  }
  planned.nodes_per_socket = static_cast<std::int64_t>(per_socket);
}

void put_in_sockets(const Nodes& nodes, PlannedSockets& planned, DeviceSentences& assumptions) {
  const auto sockets = stated_sockets(nodes);
  if (!sockets.empty()) return assign_stated_sockets(nodes, sockets, planned);
  for (const auto& [number, same] : nodes) planned.nodes.push_back(same);
  if (nodes.size() <= 2) return;
  const std::size_t first = first_half(nodes);
  const std::size_t per_socket = std::max(first, nodes.size() - first);
  planned.nodes.insert(planned.nodes.begin() + static_cast<std::ptrdiff_t>(first),
                       per_socket - first, {});
  planned.nodes.resize(2 * per_socket);
  planned.nodes_per_socket = static_cast<std::int64_t>(per_socket);
  std::vector<std::int64_t> numbers;
  for (const auto& [number, same] : nodes) numbers.push_back(number);
  const auto cut = numbers.begin() + static_cast<std::ptrdiff_t>(first);
  assumptions.add(
      fmt::format("the file does not distinguish sockets from NUMA nodes; taken as two "
                  "sockets, with nodes {} and {}",
                  fmt::join(numbers.begin(), cut, ", "), fmt::join(cut, numbers.end(), ", ")));
}

/// CPU facts from the files; for each member the first one stated.
struct StatedCpu {
  std::string vendor;
  std::string arch;
  std::string model_name;
  std::optional<CpuId> id;
};

StatedCpu told_cpu(const Inventory& host) {
  StatedCpu stated;
  const auto fill_in = [](std::string& text, const Maybe<std::string>& stated) {
    if (text.empty() && stated) text = stated->value;
  };
  for (const NumaNode& node : host.numa_nodes) {
    fill_in(stated.vendor, node.vendor);
    fill_in(stated.arch, node.arch);
    fill_in(stated.model_name, node.cpu_name ? node.cpu_name : host.cpu_name);
    if (!stated.id && node.family && node.model) {
      stated.id = CpuId{node.family->value, node.model->value};
    }
  }
  return stated;
}

/// Common prefix of the catalogue names of such CPUs; empty if unknown.
std::string maker_of(const StatedCpu& stated) {
  if (stated.vendor == "GenuineIntel") return "intel";
  if (stated.vendor == "AuthenticAMD") return "amd";
  if (stated.arch == "ppc64") return "ibm";
  return stated.arch == "arm64" ? "nvidia-grace" : "";
}

/// "ibm-power9" for "POWER9, altivec supported"; nullptr if no family or several match the name.
const CpuModel* cpu_by_name(const Catalog& catalog, const std::string& name) {
  const CpuModel* found = nullptr;
  for (const auto& [id, cpu] : catalog.cpus) {
    if (name.empty() || !mentions(name, id.substr(id.rfind('-') + 1))) continue;
    if (found != nullptr) return nullptr;
    found = &cpu;
  }
  return found;
}

/// Whether the text contains the pattern ('?' matches a digit), not followed by a digit.
bool has_pattern(std::string_view text, std::string_view pattern) {
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  for (std::size_t at = 0; at + pattern.size() <= text.size(); ++at) {
    std::size_t same = 0;
    while (same < pattern.size() &&
           (pattern[same] == '?' ? is_digit(text[at + same]) : pattern[same] == text[at + same])) {
      ++same;
    }
    const std::size_t end = at + pattern.size();
    if (same == pattern.size() && (end == text.size() || !is_digit(text[end]))) return true;
  }
  return false;
}

/// The family of a model by its number: "Intel(R) Xeon(R) Platinum 8368 CPU" is Ice Lake; nullptr
/// for none or several.
const CpuModel* cpu_by_product(const Catalog& catalog, const std::string& name) {
  const CpuModel* found = nullptr;
  for (const auto& [id, cpu] : catalog.cpus) {
    const bool fits = std::ranges::any_of(
        cpu.products, [&](const std::string& pattern) { return has_pattern(name, pattern); });
    if (!fits) continue;
    if (found != nullptr) return nullptr;
    found = &cpu;
  }
  return found;
}

std::string described(const StatedCpu& stated) {
  const auto& [vendor, arch, model_name, id] = stated;
  if (!id && !model_name.empty()) return model_name;
  const std::string name = vendor.empty() ? "of unknown maker" : vendor;
  if (!id) return name + ", model not given";
  return fmt::format("{} family {} model {}", name, id->first, id->second);
}

/// Sort key, lowest first: other vendor, distance in family, distance in model.
std::tuple<bool, std::int64_t, std::int64_t> distance(const CpuModel& cpu, const std::string& maker,
                                                      const std::optional<CpuId>& id) {
  const bool other_maker = maker.empty() || !cpu.id.starts_with(maker);
  std::tuple best{other_maker, std::int64_t{1} << 40, std::int64_t{0}};
  if (!id) return best;
  for (const auto& [family, model] : cpu.cpuids) {
    best =
        std::min(best, {other_maker, std::abs(family - id->first), std::abs(model - id->second)});
  }
  return best;
}

const CpuModel* nearest_cpu(const Catalog& catalog, const std::string& maker,
                            const std::optional<CpuId>& id) {
  const CpuModel* best = nullptr;
  for (const auto& [name, cpu] : catalog.cpus) {
    if (best == nullptr || distance(cpu, maker, id) < distance(*best, maker, id)) best = &cpu;
  }
  return best;
}

/// Models with the same family and model number, in words; empty if there is only one.
std::string same_cpuid(const Catalog& catalog, const CpuId& id) {
  std::vector<std::string> names;
  for (const auto& [name, cpu] : catalog.cpus) {
    if (std::ranges::find(cpu.cpuids, id) != cpu.cpuids.end()) {
      names.push_back(name);
    }
  }
  return names.size() > 1 ? fmt::format("{}", fmt::join(names, ", ")) : std::string();
}

const CpuModel* find_cpu(HostBuild& build) {
  const StatedCpu stated = told_cpu(build.inventory);
  const auto& id = stated.id;
  const Catalog& catalog = build.catalog;
  if (const CpuModel* exact = id ? catalog.cpu_by_cpuid(id->first, id->second) : nullptr) {
    const std::string others = same_cpuid(catalog, *id);
    if (!others.empty()) {
      build.assumptions.add(
          fmt::format("CPU {} is any of {}; taken as {}", described(stated), others, exact->id));
    }
    return exact;
  }
  if (const CpuModel* named = cpu_by_name(catalog, stated.model_name)) return named;
  if (const CpuModel* product = cpu_by_product(catalog, stated.model_name)) return product;
  const CpuModel* nearest = nearest_cpu(catalog, maker_of(stated), id);
  if (nearest == nullptr) {
    build.diagnostics.error(import_codes::kCatalogueGap.code, build.at(), "",
                            "the catalogue has no CPU");
    return nullptr;
  }
  build.assumptions.add(fmt::format("CPU {}: taken as {}, the nearest of the catalogue",
                                    described(stated), nearest->id));
  TakenPart part;
  part.kind = TakenPart::Kind::kCpu;
  part.text = fmt::format("CPU, taken as {}", nearest->id);
  part.taken = nearest->id;
  part.maker = maker_of(stated);
  build.taken.push_back(std::move(part));
  return nearest;
}

}  // namespace

/// Not all dumps state the sockets of NUMA nodes: NCCL's do not. Without that, up to two nodes are
/// sockets and more are split in two halves by their numbers. The CPU model is that of the
/// completion, else the catalogue model with the same CPUID, else by name or product number, else
/// the nearest of the same vendor.
PlannedSockets plan_sockets(HostBuild& build) {
  PlannedSockets planned;
  put_in_sockets(nodes_by_number(build), planned, build.assumptions);
  planned.cpu = build.completion.cpu != nullptr ? build.completion.cpu : find_cpu(build);
  return planned;
}

}  // namespace vgsim::topology::inventory
