#include "topology/importers/hwloc/hwloc_library.hpp"

#include <cstdlib>
#include <utility>

namespace vgsim::topology {
namespace {

/// libhwloc has no other interface for these settings and reads them once. Set before main(), when
/// no other thread can read the environment.
const bool kSettled = [] {
  // Suppresses errors of the topology on stderr, unless the user has set the variable.
  setenv("HWLOC_HIDE_ERRORS", "2", 0);
  // The parser built in instead of libxml2, and no plug-ins, which load OpenCL and X11 libraries.
  setenv("HWLOC_LIBXML", "0", 1);
  setenv("HWLOC_PLUGINS_PATH", "", 1);
  return true;
}();

}  // namespace

HwlocTopology load_hwloc(const std::string& xml) {
  hwloc_topology_t raw = nullptr;
  if (!kSettled || hwloc_topology_init(&raw) != 0) return nullptr;
  HwlocTopology topology(raw);
  // The length counts the NUL at the end.
  const bool good =
      hwloc_topology_set_xmlbuffer(raw, xml.c_str(), static_cast<int>(xml.size()) + 1) == 0 &&
      hwloc_topology_set_flags(raw, HWLOC_TOPOLOGY_FLAG_INCLUDE_DISALLOWED) == 0 &&
      hwloc_topology_set_io_types_filter(raw, HWLOC_TYPE_FILTER_KEEP_ALL) == 0 &&
      hwloc_topology_load(raw) == 0;
  return good ? std::move(topology) : nullptr;
}

std::string_view hwloc_info_of(hwloc_obj_t object, const char* name) {
  const char* value = hwloc_obj_get_info_by_name(object, name);
  return value == nullptr ? std::string_view{} : value;
}

std::string hwloc_list_of(hwloc_const_bitmap_t set) {
  char* text = nullptr;
  if (hwloc_bitmap_list_asprintf(&text, set) < 0) return {};
  const std::unique_ptr<char, decltype(&std::free)> owner(text, &std::free);
  return text;
}

}  // namespace vgsim::topology
