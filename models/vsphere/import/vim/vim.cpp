#include "models/vsphere/import/vim/vim.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include "models/vsphere/import/reading.hpp"
#include "models/vsphere/import/utf8_source.hpp"
#include "models/vsphere/import/vim/vim_host.hpp"
#include "models/vsphere/import/vim/vim_objects.hpp"
#include "models/vsphere/import/vim/vim_value.hpp"
#include "models/vsphere/import/vim/vim_vm.hpp"

namespace vgsim::vsphere::import {
namespace {

constexpr std::size_t kMostVimBytes = std::size_t{64} << 20;
constexpr std::ptrdiff_t kMostHosts = 4096;
constexpr std::size_t kVimStartBytes = std::size_t{1} << 20;

/// Ends of keys that no other tool writes, without their first letter, which Go once wrote large.
constexpr std::array<std::string_view, 17> kJsonWords = {"ostSystems\"",
                                                         "irtualMachines\"",
                                                         "ciDevice\"",
                                                         "umaNode\"",
                                                         "hangeSet\"",
                                                         "assthruCapable\"",
                                                         "arentBridge\"",
                                                         "axMemMBOptimalPerf\"",
                                                         "gpuProfileInfo\"",
                                                         "xtraConfig\"",
                                                         "ontrollerKey\"",
                                                         "raphicsType\"",
                                                         "umCoresPerSocket\"",
                                                         "umCpuPackages\"",
                                                         "haredPassthruGpuTypes",
                                                         "uestFullName\"",
                                                         "ropSet\""};
constexpr std::array<std::string_view, 7> kXmlWords = {
    "ObjectContent",     "<propSet",           "ConfigTarget", "urn:vim25",
    "urn:internalvim25", "RetrieveProperties", ":propSet"};

/// Keys of esxcli --formatter=json; some have an old spelling of Go for keys of the API.
constexpr std::array<std::string_view, 3> kEsxcliWords = {"\"VMkernelName\"", "\"AdminStatus\"",
                                                          "\"ConfiguredOwner\""};

bool has_any(std::string_view text, const auto& words) {
  return std::ranges::any_of(words,
                             [&](std::string_view word) { return text.find(word) != text.npos; });
}

/// [{"key": "pciPassthru.use64bitMMIO", "value": "TRUE"}], and lists of properties or profiles:
/// short, and known by how they begin.
bool begins_like_a_list(std::string_view text) {
  std::string squeezed;
  for (const char c : text.substr(0, 256)) {
    if (c != ' ' && c != '\t' && c != '\r' && c != '\n') squeezed += c;
  }
  const std::string start = lower_case(squeezed);
  return start.starts_with("[{\"key\":\"") || start.starts_with("[\"grid_") ||
         start.starts_with("[\"nvidia_") ||
         (start.starts_with("[{\"name\":\"") &&
          (start.find("\"op\":") != start.npos || start.find("\"val\":") != start.npos));
}

/// Several tools export the vSphere API as SOAP, as XML of objects or as JSON, completely or in
/// parts. Each form is converted to the same tree of values. Hosts, VMs and configuration targets
/// in it are found by their members, and each kind has a reader.
class VimReader {
 public:
  explicit VimReader(const input::SourcePtr& source) : notes_(source) {}

  tl::expected<VsphereFacts, input::Diagnostics> read() {
    if (notes_.is_plain_text(kMostVimBytes)) read_objects();
    if (!notes_.failed()) check_content();
    if (notes_.failed()) return tl::unexpected(notes_.errors());
    notes_.tell(facts_);
    return std::move(facts_);
  }

 private:
  void read_objects() {
    std::vector<VimObject> objects;
    for (VimValue& document : read_documents()) {
      find_vim_objects(std::move(document), notes_, objects);
    }
    const auto hosts = std::ranges::count_if(
        objects, [](const VimObject& object) { return object.kind != VimKind::kVm; });
    if (hosts > kMostHosts) {
      return notes_.error(codes::kTooMuch, Place{}, fmt::format("{} hosts", hosts),
                          fmt::format("at most {}", kMostHosts));
    }
    const VimNames names = names_of(objects);
    for (const VimObject& object : objects) {
      if (object.kind == VimKind::kVm) facts_.vms.push_back(read_vim_vm(object, names, notes_));
    }
    // Notes about VMs belong to the file, not to a host.
    notes_.tell(facts_);
    for (const VimObject& object : objects) {
      if (object.kind == VimKind::kHost) {
        facts_.hosts.push_back(read_vim_host(object, names, notes_));
      } else if (object.kind == VimKind::kConfigTarget) {
        facts_.hosts.push_back(read_vim_config_target(object, notes_));
      }
    }
  }

  std::vector<VimValue> read_documents() {
    const std::string_view text = trimmed(notes_.text().substr(0, 4096));
    if (!text.starts_with('<')) return read_vim_json(notes_);
    std::vector<VimValue> documents;
    if (auto document = read_vim_xml(notes_)) documents.push_back(std::move(*document));
    return documents;
  }

  static bool tells(const VmFacts& vm) {
    return vm.name || vm.vcpus || vm.memory || vm.guest_os || !vm.pci.empty() ||
           !vm.adapters.empty() || !vm.advanced.empty() || !vm.device_groups.empty() ||
           vm.allow_p2p || vm.relax_acs || vm.wide_mmio || vm.mmio_gb || vm.unified_memory ||
           vm.latency_sensitivity || vm.numa_affinity || vm.vcpus_per_numa_node || vm.powered_on ||
           vm.cores_per_socket || vm.firmware || vm.hardware_version;
  }

  static bool tells(const Inventory& host) {
    return host.name || host.vendor || host.model || host.hypervisor || host.cpu_name ||
           host.packages || host.cores || host.threads || host.memory || !host.numa_nodes.empty() ||
           !host.unplaced.empty() || !host.profiles.empty() || !host.device_groups.empty();
  }

  void check_content() {
    const bool found = !facts_.hosts.empty() || !facts_.vms.empty();
    std::erase_if(facts_.vms, [](const VmFacts& vm) { return !tells(vm); });
    std::erase_if(facts_.hosts, [](const Inventory& host) { return !tells(host); });
    if (!facts_.hosts.empty() || !facts_.vms.empty()) return;
    notes_.error(codes::kNothingInIt, Place{},
                 found ? "the file contains neither hardware nor settings of devices"
                       : "the file contains no HostSystem, VirtualMachine or ConfigTarget",
                 "output of \"govc object.save\" or \"govc host.info -json\"");
  }

  FileNotes notes_;
  VsphereFacts facts_;
};

}  // namespace

bool is_vim(std::string_view text) {
  const std::string start = utf8_start(text, kVimStartBytes);
  const std::string_view content = trimmed(start);
  if (content.starts_with('<')) {
    return has_any(content, kXmlWords) && content.find("schemas.dmtf.org/ovf") == content.npos;
  }
  if (!content.starts_with('{') && !content.starts_with('[')) return false;
  if (has_any(content, kEsxcliWords)) return false;
  return begins_like_a_list(content) || has_any(content, kJsonWords);
}

tl::expected<VsphereFacts, input::Diagnostics> read_vim(const input::SourcePtr& source) {
  return VimReader(in_utf8(source)).read();
}

}  // namespace vgsim::vsphere::import
