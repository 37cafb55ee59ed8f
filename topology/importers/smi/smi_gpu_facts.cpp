#include "topology/importers/smi/smi_gpu_facts.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <optional>

#include "topology/importers/smi/smi_lines.hpp"
#include "topology/machine/bus_id.hpp"
#include "topology/machine/import_codes.hpp"

namespace vgsim::topology {
namespace {

constexpr std::int64_t kMostMebibytes = 1 << 24;  // 16 TiB

struct Healthy {
  SmiFact fact;
  const char* value;  ///< of a fabric that works
  const char* what;
};

constexpr std::array<Healthy, 8> kHealthy = {{
    {SmiFact::kFabricState, "Completed", "registration"},
    {SmiFact::kFabricStatus, "Success", "status"},
    {SmiFact::kFabricHealth, "Healthy", "health"},
    {SmiFact::kFabricBandwidth, "Full", "bandwidth"},
    {SmiFact::kFabricRouteRecovery, "False", "route recovery"},
    {SmiFact::kFabricRouteUnhealthy, "False", "unhealthy route"},
    {SmiFact::kFabricAccessTimeout, "False", "access timeout recovery"},
    {SmiFact::kFabricConfiguration, "None", "incorrect configuration"},
}};

bool is_serial_hex(char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); }

/// The digits of "0x233010DE" or "233010DE", lower case. Empty for other texts or more digits.
std::string hex_digits(std::string_view text, std::size_t most) {
  std::string digits = lower_case(text);
  if (digits.starts_with("0x")) digits.erase(0, 2);
  const bool good =
      !digits.empty() && digits.size() <= most && std::ranges::all_of(digits, is_serial_hex);
  return good ? digits : std::string();
}

/// Builds one device, with a warning for each fact that cannot be parsed.
///
/// -q, -q -x and --query-gpu have the same facts under different names; each reader collects them
/// as texts by SmiFact, and only this class parses them. An invalid fact does not affect the
/// others.
class GpuBuilder {
 public:
  GpuBuilder(const SmiGpuFacts& facts, FileNotes& notes) : facts_(facts), notes_(notes) {}

  Device build();

 private:
  void odd(SmiFact fact, const char* what);
  std::optional<std::int64_t> number(SmiFact fact, const char* what, std::int64_t most);
  void add_text(SmiFact fact, inventory::Maybe<std::string>& value);
  void add_ids(SmiFact fact, const char* what, inventory::Maybe<std::string>& vendor,
               inventory::Maybe<std::string>& device);
  void add_bus_id();
  void add_class();
  void add_capability();
  void add_memory();
  void add_mig();
  void tell_of_fabric();

  const SmiGpuFacts& facts_;
  FileNotes& notes_;
  Device device_;
};

void GpuBuilder::odd(SmiFact fact, const char* what) {
  notes_.warn(import_codes::kOddValue, facts_.find(fact)->where,
              fmt::format("The {} cannot be read", what), name_in_messages(device_));
}

std::optional<std::int64_t> GpuBuilder::number(SmiFact fact, const char* what, std::int64_t most) {
  if (facts_.find(fact) == nullptr) return std::nullopt;
  const auto value = whole_number(facts_.text(fact), 0, most);
  if (!value) odd(fact, what);
  return value;
}

void GpuBuilder::add_text(SmiFact fact, inventory::Maybe<std::string>& value) {
  if (facts_.find(fact) != nullptr) value = notes_.stated(printable(facts_.text(fact)));
}

void GpuBuilder::add_ids(SmiFact fact, const char* what, inventory::Maybe<std::string>& vendor,
                         inventory::Maybe<std::string>& device) {
  if (facts_.find(fact) == nullptr) return;
  const std::string digits = hex_digits(facts_.text(fact), 8);
  if (digits.size() <= 4) return odd(fact, what);
  const std::string all = std::string(8 - digits.size(), '0') + digits;
  device = notes_.stated(all.substr(0, 4));
  vendor = notes_.stated(all.substr(4));
}

void GpuBuilder::add_bus_id() {
  if (facts_.find(SmiFact::kBusId) == nullptr) return;
  device_.bus_id = normalized_bus_id(facts_.text(SmiFact::kBusId));
  if (device_.bus_id.empty()) odd(SmiFact::kBusId, "bus id");
}

void GpuBuilder::add_class() {
  const std::string base = hex_digits(facts_.text(SmiFact::kBaseClass), 2);
  const std::string sub = hex_digits(facts_.text(SmiFact::kSubClass), 2);
  if (base.empty() || sub.empty()) return;
  device_.pci_class = notes_.stated(fmt::format("{:0>2}{:0>2}", base, sub));
}

void GpuBuilder::add_capability() {
  if (facts_.find(SmiFact::kComputeCapability) == nullptr) return;
  const std::string_view text = facts_.text(SmiFact::kComputeCapability);
  const std::size_t point = std::min(text.find('.'), text.size());
  const auto major = whole_number(text.substr(0, point), 1, 99);
  const auto minor = whole_number(text.substr(std::min(point + 1, text.size())), 0, 9);
  if (!major || !minor) return odd(SmiFact::kComputeCapability, "compute capability");
  device_.gpu->sm = notes_.stated(*major * 10 + *minor);
}

void GpuBuilder::add_memory() {
  if (facts_.find(SmiFact::kMemory) == nullptr) return;
  std::string_view text = facts_.text(SmiFact::kMemory);
  if (text.ends_with("MiB")) text.remove_suffix(3);
  const auto mebibytes = whole_number(trimmed(text), 1, kMostMebibytes);
  if (!mebibytes) return odd(SmiFact::kMemory, "memory size");
  device_.gpu->memory = notes_.stated(Bytes(*mebibytes << 20));
}

void GpuBuilder::add_mig() {
  if (facts_.find(SmiFact::kMig) == nullptr) return;
  const std::string_view text = facts_.text(SmiFact::kMig);
  if (text != "Enabled" && text != "Disabled") return odd(SmiFact::kMig, "MIG mode");
  device_.gpu->mig = notes_.stated(text == "Enabled");
  if (facts_.find(SmiFact::kMigInstance) != nullptr) {
    notes_.skip(kMigInstancesAreNotRead, name_in_messages(device_));
  }
}

/// Warns if the GPU is not registered in its fabric or the fabric is unhealthy, and notes a fabric
/// shared with other hosts.
void GpuBuilder::tell_of_fabric() {
  for (const auto& [fact, value, what] : kHealthy) {
    const SmiValue* stated = facts_.find(fact);
    if (stated == nullptr || lower_case(stated->text) == lower_case(value)) continue;
    notes_.warn(
        import_codes::kOddValue, stated->where,
        fmt::format("The NVLink fabric is not in order ({}: {})", what, printable(stated->text)),
        name_in_messages(device_));
  }
  const std::string cluster = printable(facts_.text(SmiFact::kFabricCluster));
  if (cluster.empty() || is_nil_uuid(cluster)) return;
  const std::string clique = printable(facts_.text(SmiFact::kFabricClique));
  notes_.skip(fmt::format("The other hosts of the NVLink fabric are unknown (cluster {}, clique "
                          "{})",
                          cluster, clique.empty() ? "unknown" : clique),
              name_in_messages(device_));
}

Device GpuBuilder::build() {
  device_.kind = inventory::DeviceKind::kGpu;
  Gpu& gpu = device_.gpu.emplace();
  add_bus_id();
  if (const auto index = number(SmiFact::kIndex, "GPU number", 4095)) {
    gpu.index = notes_.stated(*index);
  }
  add_text(SmiFact::kName, device_.name);
  add_text(SmiFact::kUuid, gpu.uuid);
  add_text(SmiFact::kVirtualization, gpu.virtualization);
  add_ids(SmiFact::kDeviceId, "PCI device id", device_.vendor, device_.device);
  add_ids(SmiFact::kSubsystemId, "PCI subsystem id", device_.subsystem_vendor,
          device_.subsystem_device);
  add_class();
  add_capability();
  add_memory();
  add_mig();
  if (const auto module = number(SmiFact::kModuleId, "module id", 65535)) {
    gpu.module_id = notes_.stated(*module);
  }
  add_smi_pcie_link(facts_, device_, notes_);
  tell_of_fabric();
  return std::move(device_);
}

void settle_uuids(Inventory& host, FileNotes& notes) {
  std::map<std::string, int> count;
  for (const Device& device : host.unplaced) {
    if (device.gpu && device.gpu->uuid) ++count[device.gpu->uuid->value];
  }
  for (Device& device : host.unplaced) {
    if (!device.gpu || !device.gpu->uuid) continue;
    const std::string uuid = device.gpu->uuid->value;
    const bool nil = is_nil_uuid(uuid);
    if (!nil && count[uuid] < 2) continue;
    device.gpu->uuid.reset();
    const std::string name = name_in_messages(device);
    if (nil) {
      notes.skip("A UUID of zeros, as masked dumps have it, is not read", name);
    } else {
      notes.warn_last(import_codes::kOddValue, {uuid}, "GPUs with the same UUID, which is not read",
                      name);
    }
  }
}

void settle_modules(Inventory& host, FileNotes& notes) {
  std::map<std::int64_t, int> count;
  for (const Device& device : host.unplaced) {
    if (device.gpu && device.gpu->module_id) ++count[device.gpu->module_id->value];
  }
  const bool tell_apart = std::ranges::all_of(count, [](const auto& id) { return id.second == 1; });
  if (tell_apart) return;
  for (Device& device : host.unplaced) {
    if (!device.gpu || !device.gpu->module_id) continue;
    device.gpu->module_id.reset();
    notes.skip("Module ids that several GPUs share are ambiguous and are not read",
               name_in_messages(device));
  }
}

}  // namespace

void SmiGpuFacts::add(SmiFact fact, std::string_view text, const input::Location& where) {
  text = trimmed(text);
  if (!is_not_told(text)) values_.emplace(fact, SmiValue{std::string(text), where});
}

const SmiValue* SmiGpuFacts::find(SmiFact fact) const {
  const auto known = values_.find(fact);
  return known == values_.end() ? nullptr : &known->second;
}

std::string_view SmiGpuFacts::text(SmiFact fact) const {
  const SmiValue* value = find(fact);
  return value == nullptr ? std::string_view() : std::string_view(value->text);
}

std::string vgpu_profile_of(std::string_view vgpu_name) {
  std::string profile = lower_case(printable(vgpu_name));
  std::ranges::replace(profile, ' ', '_');
  return profile;
}

bool is_nil_uuid(std::string_view uuid) {
  if (uuid.starts_with("GPU-")) uuid.remove_prefix(4);
  return uuid.size() >= 8 && uuid.find_first_not_of("0-") == uuid.npos;
}

Device smi_gpu_of(const SmiGpuFacts& facts, FileNotes& notes) {
  return GpuBuilder(facts, notes).build();
}

void number_smi_gpus(std::optional<std::int64_t> attached, FileNotes& notes,
                     std::vector<Device>& gpus) {
  const auto count = static_cast<std::int64_t>(gpus.size());
  if (attached && *attached != count) {
    notes.skip(fmt::format("The numbers of the GPUs are not known: the log has {} of {} GPUs",
                           count, *attached));
    return;
  }
  if (!attached) {
    notes.assume(
        "The GPUs are numbered in the order of the log, which does not contain their number");
  }
  const std::string source = attached ? notes.source()->path : inventory::kAssumed;
  for (std::int64_t i = 0; i < count; ++i) {
    gpus[static_cast<std::size_t>(i)].gpu->index = {i, source};
  }
}

void settle_smi_gpus(Inventory& host, FileNotes& notes) {
  settle_uuids(host, notes);
  settle_modules(host, notes);
}

}  // namespace vgsim::topology
