#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <set>
#include <string>
#include <utility>

#include "topology/importers/smi/smi_gpu_facts.hpp"
#include "topology/importers/smi/smi_lines.hpp"
#include "topology/importers/smi/smi_merge.hpp"
#include "topology/importers/smi/smi_parts.hpp"
#include "topology/importers/xml_reader.hpp"
#include "topology/machine/import_codes.hpp"

namespace vgsim::topology {
namespace {

constexpr std::string_view kOpen = "<nvidia_smi_log";
constexpr std::string_view kClose = "</nvidia_smi_log>";
constexpr std::size_t kMostXmlLogs = 16;
constexpr std::size_t kMostXmlGpus = 4096;

struct FactPath {
  SmiFact fact;
  const char* path;
};

constexpr std::array<FactPath, 29> kXmlPaths = {{
    {SmiFact::kBusId, "pci/pci_bus_id"},
    {SmiFact::kName, "product_name"},
    {SmiFact::kUuid, "uuid"},
    {SmiFact::kDeviceId, "pci/pci_device_id"},
    {SmiFact::kSubsystemId, "pci/pci_sub_system_id"},
    {SmiFact::kBaseClass, "pci/pci_base_class"},
    {SmiFact::kSubClass, "pci/pci_sub_class"},
    {SmiFact::kMemory, "fb_memory_usage/total"},
    {SmiFact::kMig, "mig_mode/current_mig"},
    {SmiFact::kMigInstance, "mig_devices/mig_device/index"},
    {SmiFact::kVirtualization, "gpu_virtualization_mode/virtualization_mode"},
    {SmiFact::kModuleId, "platformInfo/module_id"},
    {SmiFact::kModuleId, "gpu_module_id"},
    {SmiFact::kMaxGeneration, "pci/pci_gpu_link_info/pcie_gen/max_link_gen"},
    {SmiFact::kDeviceMaxGeneration, "pci/pci_gpu_link_info/pcie_gen/max_device_link_gen"},
    {SmiFact::kHostMaxGeneration, "pci/pci_gpu_link_info/pcie_gen/max_host_link_gen"},
    {SmiFact::kGeneration, "pci/pci_gpu_link_info/pcie_gen/current_link_gen"},
    {SmiFact::kMaxWidth, "pci/pci_gpu_link_info/link_widths/max_link_width"},
    {SmiFact::kWidth, "pci/pci_gpu_link_info/link_widths/current_link_width"},
    {SmiFact::kFabricState, "fabric/state"},
    {SmiFact::kFabricStatus, "fabric/status"},
    {SmiFact::kFabricCluster, "fabric/clusterUuid"},
    {SmiFact::kFabricClique, "fabric/cliqueId"},
    {SmiFact::kFabricHealth, "fabric/health/summary"},
    {SmiFact::kFabricBandwidth, "fabric/health/bandwidth"},
    {SmiFact::kFabricRouteRecovery, "fabric/health/route_recovery_in_progress"},
    {SmiFact::kFabricRouteUnhealthy, "fabric/health/route_unhealthy"},
    {SmiFact::kFabricAccessTimeout, "fabric/health/access_timeout_recovery"},
    {SmiFact::kFabricConfiguration, "fabric/health/incorrect_configuration"},
}};

/// The range of a log.
struct Span {
  std::size_t begin = 0;
  std::size_t end = 0;
};

/// The logs of a text. The first includes the XML before it; one without an end extends to the end
/// of the text.
std::vector<Span> logs_of(std::string_view text) {
  std::vector<Span> logs;
  const std::size_t first = text.find_first_not_of(" \t\r\n\xEF\xBB\xBF");
  const bool is_xml = first != text.npos && text[first] == '<';
  for (std::size_t begin = text.find(kOpen); begin != text.npos && logs.size() <= kMostXmlLogs;) {
    const std::size_t close = text.find(kClose, begin);
    const std::size_t end = close == text.npos ? text.size() : close + kClose.size();
    logs.push_back({logs.empty() && is_xml ? 0 : begin, end});
    begin = text.find(kOpen, end);
  }
  return logs;
}

/// The text with everything except one log blanked out.
std::string only(std::string_view file, Span log) {
  std::string text(file);
  const auto blank = [&](std::size_t begin, std::size_t end) {
    std::replace_if(
        text.begin() + static_cast<std::ptrdiff_t>(begin),
        text.begin() + static_cast<std::ptrdiff_t>(end), [](char c) { return c != '\n'; }, ' ');
  };
  blank(0, log.begin);
  blank(log.end, text.size());
  return text;
}

/// Reads one log.
///
/// A recording can contain several documents between other text. Each is parsed from a copy with
/// everything else blanked out, so that its offsets are those of the file. Tags were renamed
/// between releases: each fact has several paths, and the first present one is used.
class LogReader {
 public:
  LogReader(std::string_view text, FileNotes& notes) : xml_(notes, text), notes_(notes) {}

  Inventory read();

 private:
  [[nodiscard]] SmiGpuFacts facts_of(pugi::xml_node gpu) const;
  void add_vgpus(pugi::xml_node node, inventory::Gpu& gpu) const;
  bool is_new(const Device& gpu, pugi::xml_node node);

  XmlReader xml_;
  FileNotes& notes_;
  std::set<std::string> bus_ids_;
};

SmiGpuFacts LogReader::facts_of(pugi::xml_node gpu) const {
  SmiGpuFacts facts(xml_.at(gpu));
  for (const auto& [fact, path] : kXmlPaths) {
    const pugi::xml_node node = gpu.first_element_by_path(path);
    if (node) facts.add(fact, node.child_value(), xml_.at(node));
  }
  if (const pugi::xml_attribute id = gpu.attribute("id")) {
    facts.add(SmiFact::kBusId, id.value(), xml_.at(gpu, id));
  }
  return facts;
}

/// vGPUs at any place below a GPU, because no public source documents it. XmlReader limits the
/// depth.
void LogReader::add_vgpus(pugi::xml_node node, inventory::Gpu& gpu) const {
  for (const pugi::xml_node child : node.children()) {
    const std::string_view name = trimmed(std::string_view(child.child_value("vgpu_name")));
    if (is_not_told(name)) {
      add_vgpus(child, gpu);
      continue;
    }
    std::string_view vm = trimmed(std::string_view(child.child_value("vm_name")));
    if (is_not_told(vm)) vm = trimmed(std::string_view(child.child_value("vm_uuid")));
    gpu.vgpus.push_back({vgpu_profile_of(name), is_not_told(vm) ? "" : printable(vm)});
  }
}

bool LogReader::is_new(const Device& gpu, pugi::xml_node node) {
  if (gpu.bus_id.empty() || bus_ids_.insert(gpu.bus_id).second) return true;
  notes_.error(import_codes::kBadValue, xml_.at(node),
               fmt::format("a second GPU at {}", gpu.bus_id), "each GPU once");
  return false;
}

Inventory LogReader::read() {
  Inventory part;
  const XmlLimits limits{std::size_t{16} << 20, 32, Doctype::kNamesFile};
  const pugi::xml_node root = xml_.load(limits);
  if (!root) return part;
  const std::string_view driver = trimmed(std::string_view(root.child_value("driver_version")));
  if (!is_not_told(driver)) part.driver = notes_.stated(printable(driver));
  for (const pugi::xml_node gpu : root.children("gpu")) {
    if (part.unplaced.size() == kMostXmlGpus) {
      notes_.error(import_codes::kTooMuch, xml_.at(gpu),
                   fmt::format("more than {} GPUs", kMostXmlGpus), "one host");
      return part;
    }
    Device device = smi_gpu_of(facts_of(gpu), notes_);
    add_vgpus(gpu, *device.gpu);
    if (is_new(device, gpu)) part.unplaced.push_back(std::move(device));
  }
  const auto attached = whole_number(trimmed(std::string_view(root.child_value("attached_gpus"))),
                                     0, static_cast<std::int64_t>(kMostXmlGpus));
  number_smi_gpus(attached, notes_, part.unplaced);
  return part;
}

}  // namespace

bool is_smi_query_xml(std::string_view text) { return text.find(kOpen) != text.npos; }

void read_smi_query_xml(FileNotes& notes, Inventory& host) {
  const auto logs = logs_of(notes.source()->text);
  if (logs.size() > kMostXmlLogs) {
    notes.error(import_codes::kTooMuch, notes.at(0), fmt::format("more than {} logs", kMostXmlLogs),
                "one host");
    return;
  }
  for (const Span log : logs) {
    add_smi_part(LogReader(only(notes.text(), log), notes).read(), notes, host);
  }
  if (notes.failed() || !host.unplaced.empty()) return;
  notes.error(import_codes::kNothingInIt, notes.at(0), "no GPU in a log of nvidia-smi -q -x",
              "<nvidia_smi_log> with a <gpu> for each GPU");
}

}  // namespace vgsim::topology
