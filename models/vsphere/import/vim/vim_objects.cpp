#include "models/vsphere/import/vim/vim_objects.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <utility>

#include "models/vsphere/import/reading.hpp"

namespace vgsim::vsphere::import {
namespace {

constexpr std::size_t kMostProperties = 4096;
constexpr std::size_t kMostObjects = 65536;
constexpr int kDeepest = 10;

/// The parent of a value that was written without it, and the members that identify it: two, or
/// only the first if there is no second.
struct Fragment {
  VimKind kind;
  std::string_view path;
  std::string_view one;
  std::string_view other;
};
constexpr std::array kFragments = {
    Fragment{VimKind::kConfigTarget, "", "numCpus", "numCpuCores"},
    Fragment{VimKind::kConfigTarget, "", "vgpuProfileInfo", ""},
    Fragment{VimKind::kVm, "", "config.hardware.device", ""},
    Fragment{VimKind::kVm, "", "config.hardware.numCPU", ""},
    Fragment{VimKind::kVm, "", "config.guestId", ""},
    Fragment{VimKind::kVm, "", "config.extraConfig", ""},
    Fragment{VimKind::kVm, "", "config.deviceGroups", ""},
    Fragment{VimKind::kVm, "", "runtime.host", ""},
    Fragment{VimKind::kVm, "", "summary.config.vmPathName", ""},
    Fragment{VimKind::kVm, "", "summary.config.guestId", ""},
    Fragment{VimKind::kVm, "config", "hardware.numCPU", ""},
    Fragment{VimKind::kVm, "config.hardware", "numCPU", "memoryMB"},
    Fragment{VimKind::kHost, "", "hardware.pciDevice", ""},
    Fragment{VimKind::kHost, "", "hardware.numaInfo", ""},
    Fragment{VimKind::kHost, "", "hardware.cpuInfo", ""},
    Fragment{VimKind::kHost, "", "hardware.systemInfo", ""},
    Fragment{VimKind::kHost, "", "hardware.cpuPkg", ""},
    Fragment{VimKind::kHost, "", "hardware.memorySize", ""},
    Fragment{VimKind::kHost, "", "config.pciPassthruInfo", ""},
    Fragment{VimKind::kHost, "", "config.graphicsInfo", ""},
    Fragment{VimKind::kHost, "", "config.sharedPassthruGpuTypes", ""},
    Fragment{VimKind::kHost, "", "config.network.pnic", ""},
    Fragment{VimKind::kHost, "", "config.product", ""},
    Fragment{VimKind::kHost, "", "summary.hardware", ""},
    Fragment{VimKind::kHost, "hardware", "systemInfo", "cpuInfo"},
    Fragment{VimKind::kHost, "hardware", "pciDevice", ""},
    Fragment{VimKind::kHost, "hardware", "numaInfo", ""},
    Fragment{VimKind::kHost, "hardware.numaInfo", "numaNode", "numNodes"},
    Fragment{VimKind::kHost, "config", "pciPassthruInfo", ""},
    Fragment{VimKind::kHost, "config", "graphicsInfo", ""},
    Fragment{VimKind::kHost, "config", "sharedPassthruGpuTypes", ""},
    Fragment{VimKind::kHost, "config.network", "pnic", ""},
};

/// The same for the elements of a list.
constexpr std::array kListFragments = {
    Fragment{VimKind::kHost, "hardware.pciDevice", "classId", "vendorId"},
    Fragment{VimKind::kHost, "config.pciPassthruInfo", "passthruCapable", "id"},
    Fragment{VimKind::kHost, "config.graphicsInfo", "pciId", "graphicsType"},
    Fragment{VimKind::kHost, "config.network.pnic", "device", "pci"},
    Fragment{VimKind::kVm, "config.hardware.device", "key", "deviceInfo"},
    Fragment{VimKind::kVm, "config.deviceGroups.deviceGroup", "deviceGroupName", ""},
    Fragment{VimKind::kVm, "config.extraConfig", "key", "value"},
};

bool has(const VimValue& value, std::string_view path) { return find(&value, path) != nullptr; }

bool fits(const VimValue& value, const Fragment& fragment) {
  return has(value, fragment.one) && (fragment.other.empty() || has(value, fragment.other));
}

bool begins_a_fragment(std::string_view name) {
  const auto begins = [&](const Fragment& fragment) {
    const std::string_view first = fragment.one.substr(0, fragment.one.find('.'));
    return same_name(name, first);
  };
  return std::ranges::any_of(kFragments, begins) || std::ranges::any_of(kListFragments, begins);
}

template <class Fragments>
const Fragment* recognized(const VimValue& value, const Fragments& fragments) {
  // Most values are none, and most of those have few members.
  const bool may_be = std::ranges::any_of(
      value.children, [](const VimValue& child) { return begins_a_fragment(child.name); });
  if (!may_be) return nullptr;
  const auto found =
      std::ranges::find_if(fragments, [&](const Fragment& entry) { return fits(value, entry); });
  return found == fragments.end() ? nullptr : &*found;
}

bool is_profile(const VimValue& value) {
  return value.text.starts_with("grid_") || value.text.starts_with("nvidia_");
}

/// Lists of the API as Go wrote them before 2023: an object with the list as its one member, which
/// has the name of its type.
void unwrap_list(VimValue& value) {
  constexpr std::array<std::string_view, 8> kTypes = {
      "HostPciDevice", "HostPciPassthruInfo", "HostGraphicsInfo", "String",
      "VirtualDevice", "OptionValue",         "PhysicalNic",      "ManagedObjectReference"};
  if (value.is_list || value.children.size() != 1 || !value.children.front().is_list) return;
  if (std::ranges::find(kTypes, value.children.front().name) == kTypes.end()) return;
  VimValue list = std::move(value.children.front());
  value = std::move(list);
}

bool is_property(const VimValue& value) {
  return has(value, "name") && (has(value, "val") || has(value, "op")) &&
         value.children.size() <= 4;
}

std::optional<VimKind> kind_of_type(std::string_view type) {
  if (type == "HostSystem") return VimKind::kHost;
  if (type == "VirtualMachine") return VimKind::kVm;
  return std::nullopt;
}

/// Tools write objects completely, property by property ("propSet"), in envelopes, or a
/// part without its parent. The search goes down from the root and takes the first of
/// these forms that fits; a part is put at the path where it belongs, so that readers see whole
/// objects only.
class Finder {
 public:
  Finder(FileNotes& notes, std::vector<VimObject>& objects) : notes_(notes), objects_(objects) {}

  void search(VimValue& value, int depth) {
    if (value.children.empty() || depth > kDeepest || objects_.size() >= kMostObjects) return;
    if (find_in_envelope(value) || find_properties(value) || find_list(value) ||
        find_fragment(value)) {
      return;
    }
    for (VimValue& child : value.children) search(child, depth + 1);
  }

 private:
  /// {"hostSystems": [..]} and its like.
  bool find_in_envelope(VimValue& value) {
    bool found = false;
    for (VimValue& child : value.children) {
      if (!child.is_list) continue;
      const bool hosts = same_name(child.name, "hostSystems");
      if (hosts || same_name(child.name, "virtualMachines")) {
        for (VimValue& item : child.children) {
          std::string id = reference(find(&item, "self"));
          add(hosts ? VimKind::kHost : VimKind::kVm, std::move(id), std::move(item));
        }
        found = true;
      } else if (same_name(child.name, "devices") && !child.children.empty() &&
                 recognized(child.children.front(), kListFragments) != nullptr) {
        add_fragment(VimKind::kVm, "config.hardware.device", std::move(child));
        found = true;
      }
    }
    return found;
  }

  /// An object with its properties by path: "obj" beside "propSet" or "changeSet".
  bool find_properties(VimValue& value) {
    const VimValue* object = find(&value, "obj");
    if (object == nullptr) return false;
    const VimValue* type = find(object, "type");
    const auto kind = kind_of_type(type == nullptr ? "" : type->text);
    const std::string id = reference(object);
    VimValue root;
    std::size_t count = 0;
    for (VimValue& child : value.children) {
      if (same_name(child.name, "propSet") || same_name(child.name, "changeSet")) {
        if (!child.is_list) add_property(child, root, count);
        for (VimValue& item : child.children) {
          if (child.is_list) add_property(item, root, count);
        }
      }
    }
    if (kind) {
      add(*kind, id, std::move(root));
    } else {
      notes_.skip("managed objects other than hosts and VMs are omitted", id);
    }
    return true;
  }

  void add_property(VimValue& property, VimValue& root, std::size_t& count) {
    const VimValue* name = find(&property, "name");
    if (name == nullptr) return;
    if (++count > kMostProperties) {
      if (count == kMostProperties + 1) {
        notes_.error(codes::kTooMuch, property.place,
                     fmt::format("more than {} properties of one object", kMostProperties));
      }
      return;
    }
    const std::string path = name->text;
    for (VimValue& child : property.children) {
      if (!same_name(child.name, "val")) continue;
      unwrap_list(child);
      add_at_path(root, path, std::move(child));
      return;
    }
  }

  bool find_list(VimValue& value) {
    if (!value.is_list || value.children.empty()) return false;
    if (std::ranges::all_of(value.children, is_property)) {
      VimValue root;
      std::size_t count = 0;
      for (VimValue& property : value.children) add_property(property, root, count);
      return find_fragment(root);
    }
    if (std::ranges::all_of(value.children, is_profile)) {
      add_fragment(VimKind::kHost, "config.sharedPassthruGpuTypes", std::move(value));
      return true;
    }
    const Fragment* fragment = recognized(value.children.front(), kListFragments);
    if (fragment == nullptr) return false;
    add_fragment(fragment->kind, fragment->path, std::move(value));
    return true;
  }

  bool find_fragment(VimValue& value) {
    const Fragment* fragment = value.is_list ? nullptr : recognized(value, kFragments);
    if (fragment == nullptr) return false;
    if (fragment->path.empty()) {
      const std::string id = reference(find(&value, "self"));
      add(fragment->kind, id, std::move(value));
    } else {
      add_fragment(fragment->kind, fragment->path, std::move(value));
    }
    return true;
  }

  void add_fragment(VimKind kind, std::string_view path, VimValue value) {
    VimValue root;
    add_at_path(root, path, std::move(value));
    add(kind, "", std::move(root));
  }

  void add(VimKind kind, std::string id, VimValue root) {
    objects_.push_back({kind, std::move(id), std::move(root)});
  }

  FileNotes& notes_;
  std::vector<VimObject>& objects_;
};

}  // namespace

void find_vim_objects(VimValue document, FileNotes& notes, std::vector<VimObject>& objects) {
  Finder(notes, objects).search(document, 0);
}

std::string name_of(const VimObject& object) {
  for (const char* path : {"name", "config.name", "summary.config.name"}) {
    const VimValue* name = find(&object.root, path);
    if (name != nullptr && !printable(name->text).empty()) return printable(name->text);
  }
  return object.id;
}

VimNames names_of(const std::vector<VimObject>& objects) {
  VimNames names;
  for (const VimObject& object : objects) {
    const std::string name = name_of(object);
    if (!object.id.empty() && name != object.id) names.emplace(object.id, name);
  }
  return names;
}

}  // namespace vgsim::vsphere::import
