#include "topology/importers/hwloc/hwloc_osdev.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "topology/importers/hwloc/hwloc_library.hpp"
#include "topology/importers/hwloc/hwloc_values.hpp"
#include "topology/machine/text.hpp"

namespace vgsim::topology {
namespace {

/// OS devices of GPUs, by the beginning of their names, and the info with their memory in KiB, if
/// they have one.
///
/// Back ends of hwloc list one GPU several times, each with facts from its library. They are read
/// in this order, and the first number, UUID and size are used: other tools use the number of NVML.
struct OsDeviceKind {
  std::string_view prefix;
  const char* memory;
};
constexpr std::array kOsDeviceKinds = {
    OsDeviceKind{"nvml", ""}, OsDeviceKind{"cuda", "CUDAGlobalMemorySize"},
    OsDeviceKind{"rsmi", "RSMIVRAMSize"}, OsDeviceKind{"opencl", "OpenCLGlobalMemorySize"}};
constexpr std::int64_t kMostKibibytes = std::int64_t{1} << 40;
constexpr int kMostPorts = 8;

std::string_view osdev_name(hwloc_obj_t object) {
  return object->name == nullptr ? std::string_view{} : object->name;
}

/// The number behind the prefix: 3 of "nvml3".
std::optional<std::int64_t> index_of(hwloc_obj_t object, std::string_view prefix) {
  const auto index = number_of<std::uint16_t>(osdev_name(object).substr(prefix.size()));
  return index ? std::optional<std::int64_t>(*index) : std::nullopt;
}

void read_index(hwloc_obj_t object, std::string_view prefix, Device& device, FileNotes& notes) {
  Gpu& gpu = *device.gpu;
  if (gpu.index || prefix == "opencl") return;
  const auto index = index_of(object, prefix);
  if (!index) return;
  gpu.index = notes.stated(*index);
  if (prefix != "cuda") return;
  gpu.index->source = inventory::kAssumed;
  notes.assume("GPUs are taken to be numbered as CUDA does, since hwloc was built without NVML",
               device.bus_id);
}

void read_gpu(hwloc_obj_t object, const OsDeviceKind& kind, Device& device, FileNotes& notes) {
  Gpu& gpu = *device.gpu;
  read_index(object, kind.prefix, device, notes);
  for (const char* info : {"NVIDIAUUID", "AMDUUID"}) {
    const std::string uuid = printable(hwloc_info_of(object, info));
    if (!gpu.uuid && !uuid.empty()) gpu.uuid = notes.stated(uuid);
  }
  const auto memory = number_of<std::int64_t>(hwloc_info_of(object, kind.memory));
  if (!gpu.memory && memory && *memory > 0 && *memory <= kMostKibibytes) {
    gpu.memory = notes.stated(Bytes(*memory * 1024));
  }
}

/// "b8e9:2403:00ba:a4c8" as "0xb8e9240300baa4c8"; empty if it is none or all zero.
std::string guid_of(std::string_view text) {
  std::string digits(text);
  std::erase(digits, ':');
  const bool hex = digits.find_first_not_of("0123456789abcdef") == digits.npos;
  const bool zero = digits.find_first_not_of('0') == digits.npos;
  return digits.size() == 16 && hex && !zero ? "0x" + digits : std::string();
}

void add_rdma_ports(hwloc_obj_t object, std::vector<Port>& ports, const FileNotes& notes) {
  Port port;
  port.name = notes.stated(printable(osdev_name(object)));
  const std::string guid = guid_of(hwloc_info_of(object, "NodeGUID"));
  if (!guid.empty()) port.guid = notes.stated(guid);
  const std::size_t before = ports.size();
  for (std::int64_t number = 1; number <= kMostPorts; ++number) {
    if (hwloc_info_of(object, fmt::format("Port{}State", number).c_str()).empty()) continue;
    port.port = notes.stated(number);
    ports.push_back(port);
  }
  if (ports.size() == before) ports.push_back(std::move(port));
}

bool is_of_type(hwloc_obj_t object, hwloc_obj_osdev_type_t type) {
  return object->attr->osdev.type == type && !osdev_name(object).empty();
}

}  // namespace

bool is_hwloc_gpu(hwloc_obj_t os_device) {
  return std::ranges::any_of(kOsDeviceKinds, [&](const OsDeviceKind& kind) {
    return osdev_name(os_device).starts_with(kind.prefix);
  });
}

void read_hwloc_gpu(const std::vector<hwloc_obj_t>& os_devices, Device& gpu, FileNotes& notes) {
  std::string model;
  for (const OsDeviceKind& kind : kOsDeviceKinds) {
    for (const hwloc_obj_t object : os_devices) {
      if (!osdev_name(object).starts_with(kind.prefix)) continue;
      read_gpu(object, kind, gpu, notes);
      if (model.empty()) model = printable(hwloc_info_of(object, "GPUModel"));
    }
  }
  if (!model.empty()) gpu.name = notes.stated(model);
  const auto partitions = std::ranges::count_if(
      os_devices, [](hwloc_obj_t object) { return osdev_name(object).starts_with("rsmi"); });
  if (partitions < 2) return;
  notes.skip("partitions of GPUs, which are kept whole",
             fmt::format("{} of {}", partitions, gpu.bus_id));
}

std::vector<Port> read_hwloc_ports(const std::vector<hwloc_obj_t>& os_devices,
                                   const FileNotes& notes) {
  std::vector<Port> ports;
  for (const hwloc_obj_t object : os_devices) {
    if (is_of_type(object, HWLOC_OBJ_OSDEV_OPENFABRICS)) add_rdma_ports(object, ports, notes);
  }
  if (!ports.empty()) return ports;
  for (const hwloc_obj_t object : os_devices) {
    if (!is_of_type(object, HWLOC_OBJ_OSDEV_NETWORK)) continue;
    Port port;
    port.name = notes.stated(printable(osdev_name(object)));
    ports.push_back(std::move(port));
  }
  return ports;
}

}  // namespace vgsim::topology
