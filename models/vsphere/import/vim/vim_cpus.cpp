#include "models/vsphere/import/vim/vim_cpus.hpp"

#include <fmt/core.h>

#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "models/vsphere/import/reading.hpp"
#include "models/vsphere/import/vim/vim_functions.hpp"

namespace vgsim::vsphere::import {
namespace {

constexpr std::size_t kMostNodes = 1024;  ///< and packages
constexpr std::int64_t kMostVimCpusBytes = kMostMebibytes * kMebibyte;

/// A socket.
struct Package {
  std::int64_t index = 0;
  Maybe<std::string> name;
  Maybe<std::string> vendor;
  Maybe<std::int64_t> family;
  Maybe<std::int64_t> model;
};

/// CPUID's name of a vendor that the API calls "intel".
std::string cpuid_vendor(std::string_view vendor) {
  const std::string word = lower_case(vendor);
  if (word == "intel") return "GenuineIntel";
  if (word == "amd") return "AuthenticAMD";
  if (word == "hygon") return "HygonGenuine";
  return {};
}

/// A register as the API writes it, bits in groups of four: "0000:0000:...:0111".
std::optional<std::uint32_t> register_of(std::string_view text) {
  std::uint32_t value = 0;
  std::size_t bits = 0;
  for (const char c : trimmed(text)) {
    if (c == ':') continue;
    // CPUID bits that a host masks for its guests are written as letters.
    if (c != '0' && c != '1') return std::nullopt;
    value = (value << 1U) | (c == '1' ? 1U : 0U);
    ++bits;
  }
  return bits == 32 ? std::optional(value) : std::nullopt;
}

/// Family and model as NCCL counts them, from register EAX of CPUID leaf 1.
void read_family(const VimValue& package, const FileNotes& notes, Package& result) {
  for (const VimValue* feature : items(&package, "cpuFeature")) {
    const VimValue* level = find(feature, "level");
    const VimValue* eax = find(feature, "eax");
    if (level == nullptr || trimmed(level->text) != "1" || eax == nullptr) continue;
    const auto bits = register_of(eax->text);
    if (!bits) return;
    const auto field = [&](unsigned shift, std::uint32_t mask) {
      return static_cast<std::int64_t>((*bits >> shift) & mask);
    };
    result.family = notes.stated(field(8, 0xF) + (field(20, 0xFF) << 4));
    result.model = notes.stated(field(4, 0xF) + (field(16, 0xF) << 4));
    return;
  }
}

/// Counts are in the hardware or in the summary; packages list their threads, NUMA nodes their
/// CPUs and PCI devices. The API does not contain the socket of a node: it is the package with all
/// CPUs of the node. Family and model are bits of a CPUID register, as NCCL counts them.
class CpuReader {
 public:
  CpuReader(const VimValue& root, FileNotes& notes, Inventory& host)
      : root_(root), notes_(notes), host_(host) {}

  std::map<std::string, std::int64_t> read() {
    read_counts();
    read_packages();
    read_nodes();
    check_counts();
    return std::move(node_of_device_);
  }

 private:
  Maybe<std::int64_t> count(const char* path, const char* in_summary) {
    auto value = vim_number(find(&root_, path), 0, kMostCpus, notes_);
    if (!value) value = vim_number(find(&root_, in_summary), 0, kMostCpus, notes_);
    if (value && value->value == 0) return std::nullopt;
    return value;
  }

  bool is_too_many(const std::vector<const VimValue*>& values, const char* what) {
    if (values.size() <= kMostNodes) return false;
    notes_.error(codes::kTooMuch, values.front()->place, fmt::format("{} {}", values.size(), what),
                 fmt::format("at most {}", kMostNodes));
    return true;
  }

  void read_counts() {
    host_.packages = count("hardware.cpuInfo.numCpuPackages", "summary.hardware.numCpuPkgs");
    host_.cores = count("hardware.cpuInfo.numCpuCores", "summary.hardware.numCpuCores");
    host_.threads = count("hardware.cpuInfo.numCpuThreads", "summary.hardware.numCpuThreads");
    auto memory = vim_number(find(&root_, "hardware.memorySize"), 0, kMostVimCpusBytes, notes_);
    if (!memory) {
      memory =
          vim_number(find(&root_, "summary.hardware.memorySize"), 0, kMostVimCpusBytes, notes_);
    }
    if (memory && memory->value > 0) host_.memory = notes_.stated(Bytes{memory->value});
  }

  void read_packages() {
    const auto values = items(&root_, "hardware.cpuPkg");
    if (is_too_many(values, "CPU packages")) return;
    for (const VimValue* value : values) {
      Package package;
      const auto index = vim_number(find(value, "index"), 0, kMostCpus, notes_);
      package.index = index ? index->value : static_cast<std::int64_t>(packages_.size());
      package.name = vim_text(find(value, "description"), notes_);
      const auto vendor = vim_text(find(value, "vendor"), notes_);
      const std::string name = vendor ? cpuid_vendor(vendor->value) : std::string();
      if (!name.empty()) package.vendor = notes_.stated(name);
      read_family(*value, notes_, package);
      for (const VimValue* thread : items(value, "threadId")) {
        const auto id = vim_number(thread, 0, kMostCpus, notes_);
        if (id) package_of_cpu_.emplace(id->value, packages_.size());
      }
      packages_.push_back(std::move(package));
    }
    if (!packages_.empty()) host_.cpu_name = packages_.front().name;
    if (!host_.cpu_name) {
      host_.cpu_name = vim_text(find(&root_, "summary.hardware.cpuModel"), notes_);
    }
  }

  void read_nodes() {
    const auto nodes = items(&root_, "hardware.numaInfo.numaNode");
    if (is_too_many(nodes, "NUMA nodes")) return;
    std::set<std::int64_t> ids;
    for (const VimValue* value : nodes) {
      NumaNode node = read_node(*value);
      if (node.id && !ids.insert(node.id->value).second) {
        notes_.warning(
            codes::kOddValue, value->place,
            fmt::format("NUMA node {} is listed twice; the first one counts", node.id->value));
        continue;
      }
      host_.numa_nodes.push_back(std::move(node));
    }
  }

  NumaNode read_node(const VimValue& value) {
    NumaNode node;
    node.id = vim_number(find(&value, "typeId"), 0, 255, notes_);
    std::vector<std::int64_t> cpus;
    for (const VimValue* cpu : items(&value, "cpuID")) {
      const auto id = vim_number(cpu, 0, kMostCpus, notes_);
      if (id) cpus.push_back(id->value);
    }
    cpus_in_nodes_.push_back(static_cast<std::int64_t>(cpus.size()));
    set_package(cpus, node);
    if (!cpus.empty()) node.cpu_list = notes_.stated(cpu_ranges(std::move(cpus)));
    auto memory = vim_number(find(&value, "memorySize"), 0, kMostVimCpusBytes, notes_);
    // Before 8.0 a node is one stretch of memory.
    if (!memory)
      memory = vim_number(find(&value, "memoryRangeLength"), 0, kMostVimCpusBytes, notes_);
    if (memory && memory->value > 0) node.memory = notes_.stated(Bytes{memory->value});
    for (const VimValue* device : items(&value, "pciId")) {
      const std::string id = vim_bus_id(device, notes_);
      if (!id.empty() && node.id) node_of_device_.try_emplace(id, node.id->value);
    }
    return node;
  }

  /// For a node within one package, the facts of that package; for other nodes, those common to all
  /// packages.
  void set_package(const std::vector<std::int64_t>& cpus, NumaNode& node) {
    std::set<std::size_t> of_cpus;
    for (const std::int64_t cpu : cpus) {
      const auto known = package_of_cpu_.find(cpu);
      if (known == package_of_cpu_.end()) {
        of_cpus.clear();
        break;
      }
      of_cpus.insert(known->second);
    }
    if (of_cpus.size() == 1) {
      const Package& package = packages_[*of_cpus.begin()];
      node.package = notes_.stated(package.index);
      copy(package, node);
    } else if (all_alike()) {
      copy(packages_.front(), node);
    }
  }

  [[nodiscard]] bool all_alike() const {
    if (packages_.empty()) return false;
    const Package& first = packages_.front();
    for (const Package& other : packages_) {
      if (other.name != first.name || other.vendor != first.vendor ||
          other.family != first.family || other.model != first.model) {
        return false;
      }
    }
    return true;
  }

  static void copy(const Package& package, NumaNode& node) {
    node.cpu_name = package.name;
    node.vendor = package.vendor;
    node.family = package.family;
    node.model = package.model;
  }

  /// Cores of the host are those of its nodes if it counts the same CPUs as they do.
  void check_counts() {
    std::int64_t cpus = 0;
    for (const std::int64_t count : cpus_in_nodes_) cpus += count;
    if (cpus == 0 || !host_.threads || !host_.cores) return;
    if (cpus != host_.threads->value) {
      const VimValue* info = find(&root_, "hardware.numaInfo");
      notes_.warning(
          codes::kContradiction, info == nullptr ? Place{} : info->place,
          fmt::format("the NUMA nodes have {} CPUs, the host has {}", cpus, host_.threads->value));
      return;
    }
    if (cpus_in_nodes_.size() != host_.numa_nodes.size()) return;
    for (std::size_t i = 0; i < cpus_in_nodes_.size(); ++i) {
      const std::int64_t scaled = cpus_in_nodes_[i] * host_.cores->value;
      if (scaled == 0 || scaled % cpus != 0) continue;
      host_.numa_nodes[i].cores = {{scaled / cpus, kAssumed}};
      notes_.assume("the cores of the host are spread over its NUMA nodes like its CPUs");
    }
  }

  const VimValue& root_;
  FileNotes& notes_;
  Inventory& host_;
  std::vector<Package> packages_;
  std::map<std::int64_t, std::size_t> package_of_cpu_;
  std::vector<std::int64_t> cpus_in_nodes_;
  std::map<std::string, std::int64_t> node_of_device_;
};

}  // namespace

std::map<std::string, std::int64_t> read_vim_cpus(const VimValue& root, FileNotes& notes,
                                                  Inventory& host) {
  return CpuReader(root, notes, host).read();
}

}  // namespace vgsim::vsphere::import
