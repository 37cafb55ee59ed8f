#include "models/vsphere/import/alike_hosts.hpp"

#include <array>
#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "topology/importers/topology_file/topology_file.hpp"

namespace vgsim::vsphere::import {
namespace {

using HostJson = nlohmann::ordered_json;

/// Removes values that differ between equal machines, at every level.
void forget_its_own(HostJson& json) {
  constexpr std::array<const char*, 5> kOwn = {"from", "uuid", "guid", "vgpus", "skipped"};
  if (json.is_object()) {
    for (const char* key : kOwn) json.erase(key);
  }
  for (HostJson& child : json) {
    if (child.is_structured()) forget_its_own(child);
  }
}

}  // namespace

/// A topology file contains all facts of a host: hosts with equal files are equal.
std::vector<std::size_t> alike_hosts(const std::vector<Inventory>& hosts) {
  std::vector<std::size_t> first;
  std::map<std::string, std::size_t> known;
  for (const Inventory& host : hosts) {
    HostJson json = HostJson::parse(topology::inventory::to_topology_text(host));
    json.erase("name");
    json.erase("object_id");
    forget_its_own(json);
    first.push_back(known.try_emplace(json.dump(), first.size()).first->second);
  }
  return first;
}

}  // namespace vgsim::vsphere::import
