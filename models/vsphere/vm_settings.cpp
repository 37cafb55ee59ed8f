#include "models/vsphere/vm_settings.hpp"

#include <algorithm>
#include <charconv>
#include <string>

#include "topology/input/typed.hpp"

namespace vgsim::vsphere {
namespace {

using namespace input;

std::vector<std::string> operation_words() {
  std::vector<std::string> words;
  for (const Operation operation : kOperations) words.emplace_back(to_string(operation));
  return words;
}

/// Advanced settings as .vmx files have them: text, but numbers and booleans are understood.
Shape advanced_shape() {
  return map_shape("name of the setting",
                   any_of_shape({string_shape(), boolean_shape(), count_shape(0, 1'000'000)}));
}

Shape other_devices_shape() {
  std::vector<Field> kinds;
  for (const char* kind : {"nvme", "fpga", "nvme_snap", "other"}) {
    kinds.push_back(field(kind, count_shape(0, 1000)));
  }
  return object_shape(kinds);
}

std::string text_of(const Value& value) {
  switch (value.kind()) {
    case Kind::boolean:
      return value.boolean() ? "true" : "false";
    case Kind::integer:
      return std::to_string(value.integer());
    default:
      break;
  }
  std::string text = as_string(value);
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) {
    return static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
  });
  return text;
}

void read_advanced(const Value& advanced, VmSettings& settings) {
  if (const auto wide = find(advanced, "pciPassthru.use64bitMMIO")) {
    settings.wide_mmio = text_of(*wide) == "true";
  }
  if (const auto size = find(advanced, "pciPassthru.64bitMMIOSizeGB")) {
    const std::string text = text_of(*size);
    std::int64_t gb = 0;
    std::from_chars(text.data(), text.data() + text.size(), gb);
    settings.mmio_gb = gb;
  }
}

bool flag(const Value& vm, const char* key, bool otherwise) {
  const auto value = find(vm, key);
  return value ? as_bool(*value) : otherwise;
}

std::optional<std::int64_t> count(const Value& vm, const char* key) {
  const auto value = find(vm, key);
  return value ? std::optional(as_count(*value)) : std::nullopt;
}

}  // namespace

const char* to_string(Operation operation) {
  switch (operation) {
    case Operation::kVmotion:
      return "vmotion";
    case Operation::kDrs:
      return "drs";
    case Operation::kHa:
      return "ha";
    case Operation::kSuspend:
      return "suspend";
    case Operation::kSnapshot:
      return "snapshot";
  }
  return "?";
}

std::vector<Field> vm_settings_fields() {
  return {
      field("vcpus", count_shape(1, 1024)).describe("virtual CPUs"),
      field("memory", bytes_shape(Bytes{1})).describe("guest memory").examples({"256 GiB"}),
      field("hardware_version", count_shape(1, 100))
          .describe("version of the virtual hardware")
          .default_text("the newest of the vSphere version")
          .examples({"20"}),
      field("firmware", enum_shape({"efi", "bios"})).describe("firmware").default_text("efi"),
      field("memory_reserved", boolean_shape())
          .describe("all guest memory is reserved")
          .default_text("true"),
      field("unified_memory", boolean_shape())
          .describe("CUDA unified memory is on for its vGPUs (pciPassthruN.cfg.enable_uvm)")
          .default_text("false"),
      field("guest_os", enum_shape({"linux", "windows"})).default_text("linux"),
      field("guest_driver", driver_release_shape())
          .describe("release of the vGPU guest driver")
          .examples({"15.2"}),
      field("advanced", advanced_shape())
          .describe("advanced settings under their own names; those that matter here are "
                    "pciPassthru.use64bitMMIO and pciPassthru.64bitMMIOSizeGB")
          .default_text("64-bit MMIO on, and as large as the GPUs need"),
      field("other_devices", other_devices_shape())
          .describe("further PCI devices in passthrough, by kind"),
      field("requires", array_shape(enum_shape(operation_words())))
          .describe("operations that must work for this VM"),
      field("stun_limit", time_shape())
          .describe("longest time that vMotion may stop the VM")
          .examples({"100 s"}),
      field("gpu_load", number_shape(0.0, 1.0))
          .describe("share of the time that it has work for its vGPUs, as others that share a GPU "
                    "with it see it")
          .default_text("1"),
      field("power_on", count_shape(0, 1'000'000))
          .describe("VMs of a lower number are powered on, and get their devices, before")
          .default_text("0"),
  };
}

VmSettings read_vm_settings(const Value& vm) {
  VmSettings settings;
  settings.vcpus = count(vm, "vcpus");
  if (const auto memory = find(vm, "memory")) settings.memory = as_bytes(*memory);
  settings.hardware_version = count(vm, "hardware_version");
  const auto firmware = find(vm, "firmware");
  settings.efi = !firmware || as_string(*firmware) == "efi";
  settings.memory_reserved = flag(vm, "memory_reserved", true);
  settings.unified_memory = flag(vm, "unified_memory", false);
  const auto guest = find(vm, "guest_os");
  settings.linux_guest = !guest || as_string(*guest) == "linux";
  if (const auto driver = find(vm, "guest_driver")) {
    settings.guest_driver = parse_driver_release(as_string(*driver));
  }
  if (const auto advanced = find(vm, "advanced")) read_advanced(*advanced, settings);
  if (const auto devices = find(vm, "other_devices")) {
    for (const Member& kind : devices->members()) {
      const auto number = static_cast<std::size_t>(as_count(kind.value));
      settings.other_devices += number;
      if (kind.name == "nvme_snap" && number > 0) settings.nvme_snap = true;
    }
  }
  if (const auto required = find(vm, "requires")) {
    for (const Value& word : required->elements()) {
      for (const Operation operation : kOperations) {
        if (as_string(word) == to_string(operation)) settings.required.push_back(operation);
      }
    }
  }
  if (const auto limit = find(vm, "stun_limit")) settings.stun_limit = as_time(*limit);
  if (const auto load = find(vm, "gpu_load")) settings.gpu_load = as_double(*load);
  settings.power_on = count(vm, "power_on").value_or(0);
  return settings;
}

}  // namespace vgsim::vsphere
