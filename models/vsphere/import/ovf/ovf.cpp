#include "models/vsphere/import/ovf/ovf.hpp"

#include <fmt/core.h>

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "models/vsphere/import/ovf/ovf_vm.hpp"
#include "models/vsphere/import/reading.hpp"
#include "models/vsphere/import/utf8_source.hpp"
#include "models/vsphere/import/xml_names.hpp"
#include "topology/importers/xml_reader.hpp"

namespace vgsim::vsphere::import {
namespace {

constexpr topology::XmlLimits kOvfLimits{std::size_t{16} << 20, 32};
constexpr std::size_t kMostOvfDevices = 4096;
constexpr std::size_t kMostVms = 4096;
constexpr std::size_t kOvfStartBytes = std::size_t{16} << 10;

/// An envelope contains a VM or nested collections of VMs. Device groups are in a section next to
/// the VMs or in that of a VM, which has priority; of a section for all, each VM keeps the groups
/// that its devices name.
class OvfReader {
 public:
  explicit OvfReader(const input::SourcePtr& source) : notes_(source), xml_(notes_) {}

  tl::expected<VsphereFacts, input::Diagnostics> read() {
    const pugi::xml_node root = xml_.load(kOvfLimits);
    if (root) read_envelope(root);
    if (notes_.failed()) return tl::unexpected(notes_.errors());
    notes_.tell(facts_);
    return std::move(facts_);
  }

 private:
  [[nodiscard]] Place place(pugi::xml_node node) const {
    return {xml_.offset(node), std::string_view(node.name()).size()};
  }

  void read_envelope(pugi::xml_node root) {
    if (local_name(root.name()) != "Envelope") {
      notes_.error(codes::kNotThisFormat, place(root), fmt::format("the root is <{}>", root.name()),
                   "<Envelope> of OVF");
      return;
    }
    read_systems(root);
    if (facts_.vms.empty() && !notes_.failed()) {
      notes_.error(codes::kNothingInIt, place(root), "the envelope holds no VM",
                   "a <VirtualSystem>");
    }
    std::size_t devices = 0;
    for (const VmFacts& vm : facts_.vms) devices += vm.pci.size() + vm.adapters.size();
    if (devices <= kMostOvfDevices) return;
    notes_.error(codes::kTooMuch, place(root), fmt::format("{} devices", devices),
                 fmt::format("at most {}", kMostOvfDevices));
  }

  /// Collections of systems may be nested; the depth of the file bounds the recursion.
  void read_systems(pugi::xml_node parent) {
    std::vector<pugi::xml_node> systems;
    std::map<std::int64_t, Stated<std::string>> groups;
    for (const pugi::xml_node node : parent.children()) {
      const std::string_view name = local_name(node.name());
      if (name == "VirtualSystem") systems.push_back(node);
      if (name == "VirtualSystemCollection") read_systems(node);
      if (name == "VirtualDeviceGroupSection") groups = read_ovf_groups(node, xml_, notes_);
    }
    if (facts_.vms.size() + systems.size() > kMostVms) {
      notes_.error(codes::kTooMuch, place(systems.front()),
                   fmt::format("more than {} VMs", kMostVms));
      return;
    }
    for (const pugi::xml_node system : systems) {
      VmFacts vm = read_ovf_vm(system, xml_, notes_);
      const pugi::xml_node own = child_named(system, "VirtualDeviceGroupSection");
      vm.device_groups = own ? read_ovf_groups(own, xml_, notes_) : groups;
      if (systems.size() > 1 && !own) keep_groups_in_use(vm);
      facts_.vms.push_back(std::move(vm));
    }
  }

  static void keep_groups_in_use(VmFacts& vm) {
    std::set<std::int64_t> used;
    for (const VmPciDevice& device : vm.pci) {
      if (device.group) used.insert(device.group->value);
    }
    std::erase_if(vm.device_groups, [&](const auto& group) { return !used.contains(group.first); });
  }

  FileNotes notes_;
  topology::XmlReader xml_;
  VsphereFacts facts_;
};

}  // namespace

bool is_ovf(std::string_view text) {
  const std::string start = utf8_start(text, kOvfStartBytes);
  return start.find("Envelope") != start.npos &&
         (start.find("schemas.dmtf.org/ovf/") != start.npos ||
          start.find("<VirtualSystem") != start.npos ||
          start.find("vmware.com/schema/ovf") != start.npos);
}

tl::expected<VsphereFacts, input::Diagnostics> read_ovf(const input::SourcePtr& source) {
  return OvfReader(in_utf8(source)).read();
}

}  // namespace vgsim::vsphere::import
