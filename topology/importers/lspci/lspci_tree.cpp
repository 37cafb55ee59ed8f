#include "topology/importers/lspci/lspci_tree.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "topology/importers/file_notes.hpp"
#include "topology/importers/lspci/lspci_branches.hpp"
#include "topology/importers/pcie_ports.hpp"
#include "topology/machine/import_codes.hpp"
#include "topology/machine/pci_names.hpp"
#include "topology/machine/text.hpp"

namespace vgsim::topology {
namespace {

constexpr std::size_t kMostBytes = std::size_t{16} << 20;
constexpr int kFirstTreeLines = 20;

/// "NVIDIA Corporation Device 2335", the same with "[10de:2335]" behind it, or "10de:2335".
PciMake make_of(std::string_view words) {
  PciMake make;
  constexpr std::string_view kHex = "0123456789abcdef";
  const std::size_t open = words.ends_with(']') ? words.rfind('[') : words.npos;
  std::string_view ids = words;
  if (open != words.npos) ids = words.substr(open + 1, words.size() - open - 2);
  const bool has_ids = ids.size() == 9 && ids[4] == ':' && ids.find_first_not_of(kHex) == 4 &&
                       ids.substr(5).find_first_not_of(kHex) == ids.npos;
  if (has_ids) {
    make.vendor = ids.substr(0, 4);
    make.device = ids.substr(5);
    words = open == words.npos ? std::string_view{} : words.substr(0, open);
  }
  make.name = printable(words);
  if (!has_ids) {
    make.vendor = vendor_by_name(make.name);
    make.device = device_by_name(make.name);
  }
  return make;
}

/// Kinds judged without a class: functions other than the first of a graphics card are its sound
/// and USB controllers.
DeviceKind kind_of(const PciMake& make, const std::string& bus_id) {
  const DeviceKind kind = kind_of_pci(make);
  const bool first = bus_id.ends_with('0');
  return make.name.empty() && kind == DeviceKind::kGpu && !first ? DeviceKind::kOther : kind;
}

/// lspci -t prints neither classes nor, without -v, names: kinds are inferred from names or ids,
/// which the result states. PcieTree converts the tree as for any dump.
class TreeImport {
 public:
  explicit TreeImport(const input::SourcePtr& source) : notes_(source) {}

  Inventory import(const FunctionTree& tree);

 private:
  PciFunction function_of(const FunctionTree& tree, std::size_t index);

  FileNotes notes_;
};

PciFunction TreeImport::function_of(const FunctionTree& tree, std::size_t index) {
  const TreeFunction& from = tree.functions[index];
  PciFunction function;
  Device& device = function.device;
  device.bus_id = from.bus_id;
  if (from.is_bridge) {
    device.kind = DeviceKind::kBridge;
    function.port = PciePort::kUnknown;
    for (const std::size_t next : from.below) function.below.push_back(function_of(tree, next));
    return function;
  }
  const PciMake make = make_of(from.words);
  device.kind = kind_of(make, from.bus_id);
  function.is_virtual = names_virtual_function(make.name);
  if (!make.name.empty()) device.name = notes_.stated(make.name);
  if (!make.vendor.empty()) device.vendor = notes_.stated(make.vendor);
  if (!make.device.empty()) device.device = notes_.stated(make.device);
  if (device.kind == DeviceKind::kGpu) device.gpu.emplace();
  return function;
}

Inventory TreeImport::import(const FunctionTree& tree) {
  Inventory host;
  inventory::NumaNode& node = host.numa_nodes.emplace_back();
  PcieTree ports(notes_);
  for (const TreeRoot& root : tree.roots) {
    std::vector<PciFunction> bus;
    for (const std::size_t index : root.functions) bus.push_back(function_of(tree, index));
    ports.add(std::move(bus), notes_.stated(root.root_complex), node.devices);
  }
  ports.finish();
  notes_.assume("lspci -t prints no classes: kinds of devices are inferred from names or ids");
  notes_.skip("NUMA nodes and PCIe links: lspci -t does not print them; run sudo lspci -vvv");
  notes_.tell(host);
  return host;
}

}  // namespace

bool is_lspci_tree(std::string_view text) {
  for (int line = 0; line < kFirstTreeLines && !text.empty(); ++line) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    if (begins_lspci_tree(text.substr(0, end))) return true;
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return false;
}

tl::expected<Inventory, input::Diagnostics> read_lspci_tree(const input::SourcePtr& source) {
  if (source->text.size() > kMostBytes) {
    return file_error(import_codes::kTooMuch, source,
                      fmt::format("the file has {} bytes", source->text.size()), "at most 16 MiB");
  }
  input::Diagnostics errors;
  const FunctionTree tree = read_function_tree(source, errors);
  if (errors.has_errors()) return tl::make_unexpected(std::move(errors));
  if (tree.roots.empty()) {
    return file_error(import_codes::kNotThisFormat, source, "the text contains no tree of lspci -t",
                      "\"-[0000:00]-+-00.0  Intel Corporation ...\"");
  }
  Inventory host = TreeImport(source).import(tree);
  if (host.numa_nodes.front().devices.empty()) {
    return file_error(
        import_codes::kNothingInIt, source,
        "nothing in the tree has the name or ids of a GPU, NIC, NVSwitch or NVMe drive",
        "the output of lspci -tvnn, or better of sudo lspci -vvv");
  }
  return host;
}

}  // namespace vgsim::topology
