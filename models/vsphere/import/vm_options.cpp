#include "models/vsphere/import/vm_options.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>

#include "models/vsphere/import/reading.hpp"

namespace vgsim::vsphere::import {
namespace {

struct TextKey {
  std::string_view key;
  Maybe<std::string> VmFacts::*field;
};
constexpr std::array kTextKeys = {
    TextKey{"displayname", &VmFacts::name},
    TextKey{"firmware", &VmFacts::firmware},
    TextKey{"guestos", &VmFacts::guest_os},
    TextKey{"sched.cpu.latencysensitivity", &VmFacts::latency_sensitivity},
    TextKey{"numa.nodeaffinity", &VmFacts::numa_affinity},
};

struct NumberKey {
  std::string_view key;
  Maybe<std::int64_t> VmFacts::*field;
  std::int64_t max;
};
constexpr std::array kNumberKeys = {
    NumberKey{"numvcpus", &VmFacts::vcpus, kMostCpus},
    NumberKey{"cpuid.corespersocket", &VmFacts::cores_per_socket, kMostCpus},
    NumberKey{"virtualhw.version", &VmFacts::hardware_version, 999},
    NumberKey{"numa.vcpu.maxpervirtualnode", &VmFacts::vcpus_per_numa_node, kMostCpus},
    NumberKey{"pcipassthru.64bitmmiosizegb", &VmFacts::mmio_gb, std::int64_t{1} << 24},
};

struct FlagKey {
  std::string_view start;
  Maybe<bool> VmFacts::*field;
};
/// By the start of the key: RelaxACSforP2P is also written RelaxACSCheck and RelaxACS.
constexpr std::array kFlagKeys = {
    FlagKey{"pcipassthru.use64bitmmio", &VmFacts::wide_mmio},
    FlagKey{"pcipassthru.allowp2p", &VmFacts::allow_p2p},
    FlagKey{"pcipassthru.relaxacs", &VmFacts::relax_acs},
};

/// Starts of keys that concern devices, or on which CPUs and memory near them a VM runs.
constexpr std::array<std::string_view, 9> kAdvanced = {"numa.",
                                                       "pcipassthru.",
                                                       "sched.cpu.affinity",
                                                       "sched.mem.affinity",
                                                       "sched.node",
                                                       "sched.mem.lpage.",
                                                       "hypervisor.cpuid.",
                                                       "monitor_control.",
                                                       "sched.cpu.htsharing"};

/// Parts of pciPassthruN.* that identify the device and its address in the guest.
constexpr std::array<std::string_view, 23> kDeviceParts = {"id",
                                                           "deviceid",
                                                           "vendorid",
                                                           "systemid",
                                                           "pcislotnumber",
                                                           "present",
                                                           "virtualdev",
                                                           "vgpu",
                                                           "alloweddevices",
                                                           "customlabel",
                                                           "pfid",
                                                           "networkname",
                                                           "macaddress",
                                                           "macaddresstype",
                                                           "addresstype",
                                                           "address",
                                                           "connectionid",
                                                           "allowguestctrl",
                                                           "generatedaddress",
                                                           "generatedaddressoffset",
                                                           "startconnected",
                                                           "externalid",
                                                           "wakeonpcktrcv"};

template <class Value>
bool same_value(const Value& a, const Value& b) {
  if constexpr (std::is_same_v<Value, std::string>) {
    return same_word(a, b);
  } else {
    return a == b;
  }
}

template <class Value>
void set(Maybe<Value>& field, Value value, const VmOption& option, FileNotes& notes) {
  if (!field) {
    field = notes.stated(std::move(value));
  } else if (!same_value(field->value, value)) {
    notes.warning(
        codes::kContradiction, option.place,
        fmt::format("{} is {}, but has another value earlier in the file; the first is kept",
                    printable(option.key), printable(option.value)));
  }
}

std::optional<bool> read_flag(const VmOption& option, FileNotes& notes) {
  const auto flag = truth(option.value);
  if (!flag) {
    notes.error(codes::kBadValue, option.place,
                fmt::format("{} is \"{}\"", printable(option.key), printable(option.value)),
                "TRUE or FALSE");
  }
  return flag;
}

/// Memory settings of .vmx files, which are meaningful only together.
struct VmxMemory {
  std::optional<std::int64_t> reserved;
  bool pinned = false;
};

/// .vmx files, OVF and the API share these keys, in any case of letters. Tables contain the member
/// of each key; of other keys, those of devices or placement are kept by name, and memory is
/// settled at the end, because its reservation and its size come as separate keys.
class OptionReader {
 public:
  OptionReader(FileNotes& notes, VmFacts& vm) : notes_(notes), vm_(vm) {}

  void read(const VmOption& option) {
    if (trimmed(option.value).empty()) return;
    const std::string key = lower_case(option.key);
    const bool known = read_text(key, option) || read_number(key, option) ||
                       read_memory(key, option) || read_of_device(option);
    if (!known && !read_flag_key(key, option)) keep_advanced(key, option);
  }

  void finish() {
    if (vm_.memory_reserved) return;
    if (memory_.pinned) {
      vm_.memory_reserved = notes_.stated(true);
    } else if (memory_.reserved) {
      read_memory_reservation(*memory_.reserved, notes_, vm_);
    }
  }

 private:
  bool read_text(const std::string& key, const VmOption& option) {
    for (const TextKey& known : kTextKeys) {
      if (known.key != key) continue;
      std::string value = printable(option.value);
      if (!value.empty()) set(vm_.*known.field, std::move(value), option, notes_);
      return true;
    }
    return false;
  }

  bool read_number(const std::string& key, const VmOption& option) {
    for (const NumberKey& known : kNumberKeys) {
      if (known.key != key) continue;
      const auto value =
          notes_.number(option.value, option.place, printable(option.key), 0, known.max);
      // 0 leaves it to the host.
      if (value && *value > 0) set(vm_.*known.field, *value, option, notes_);
      return true;
    }
    return false;
  }

  bool read_flag_key(const std::string& key, const VmOption& option) {
    for (const FlagKey& known : kFlagKeys) {
      if (!key.starts_with(known.start)) continue;
      if (const auto flag = read_flag(option, notes_)) set(vm_.*known.field, *flag, option, notes_);
      return true;
    }
    return false;
  }

  bool read_memory(const std::string& key, const VmOption& option) {
    const auto mebibytes = [&](std::int64_t min) {
      return notes_.number(option.value, option.place, printable(option.key), min, kMostMebibytes);
    };
    if (key == "memsize") {
      if (const auto size = mebibytes(1)) set(vm_.memory, Bytes{*size * kMebibyte}, option, notes_);
    } else if (key == "sched.mem.min") {
      memory_.reserved = mebibytes(0);
    } else if (key == "sched.mem.pin") {
      memory_.pinned = read_flag(option, notes_).value_or(false);
    } else {
      return false;
    }
    return true;
  }

  bool read_of_device(const VmOption& option) {
    const auto key = pci_key(option.key);
    if (!key) return false;
    if (key->part == "cfg.enable_uvm") {
      const auto flag = read_flag(option, notes_);
      const bool before = vm_.unified_memory && vm_.unified_memory->value;
      if (flag) vm_.unified_memory = notes_.stated(before || *flag);
      return true;
    }
    const bool plain = std::ranges::find(kDeviceParts, key->part) != kDeviceParts.end();
    if (!plain && !key->part.starts_with("dvs.") && !key->part.starts_with("dvx.")) {
      keep(option);
    }
    return true;
  }

  void keep_advanced(const std::string& key, const VmOption& option) {
    const bool wanted = std::ranges::any_of(
        kAdvanced, [&](std::string_view start) { return key.starts_with(start); });
    if (wanted) keep(option);
  }

  void keep(const VmOption& option) {
    vm_.advanced.insert_or_assign(printable(option.key), notes_.stated(printable(option.value)));
  }

  FileNotes& notes_;
  VmFacts& vm_;
  VmxMemory memory_;
};

}  // namespace

std::optional<PciKey> pci_key(std::string_view key) {
  constexpr std::string_view kStart = "pcipassthru";
  const std::string word = lower_case(key);
  const std::size_t dot = word.find('.');
  if (!word.starts_with(kStart) || dot == word.npos) return std::nullopt;
  const std::string_view number = std::string_view(word).substr(kStart.size(), dot - kStart.size());
  if (number.empty() || number.size() > 4) return std::nullopt;
  if (number.find_first_not_of("0123456789") != number.npos) return std::nullopt;
  const auto index = whole_number(number);
  return PciKey{index.value_or(0), word.substr(dot + 1)};
}

void read_vm_options(const std::vector<VmOption>& options, FileNotes& notes, VmFacts& vm) {
  OptionReader reader(notes, vm);
  for (const VmOption& option : options) reader.read(option);
  reader.finish();
}

void read_memory_reservation(std::int64_t mebibytes, const FileNotes& notes, VmFacts& vm) {
  if (!vm.memory) return;
  vm.memory_reserved = notes.stated(mebibytes >= vm.memory->value.count() / kMebibyte);
}

}  // namespace vgsim::vsphere::import
