#include "models/vsphere/import/scenario_hosts.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <string_view>

#include "topology/machine/device_names.hpp"

namespace vgsim::vsphere::import {
namespace {

std::string plain_name(const std::string& name) {
  std::string plain;
  for (const char c : name) {
    const bool special = c == '[' || c == ']' || c == '*' || c == '/' || c == ',' ||
                         static_cast<unsigned char>(c) < ' ';
    plain += special ? '-' : c;
  }
  return plain.substr(0, 200);
}

BytesPerSecond speed_of(const Device& nic) {
  BytesPerSecond fastest;
  for (const Port& port : nic.ports) {
    if (port.rate) fastest = std::max(fastest, port.rate->value);
  }
  return fastest;
}

}  // namespace

std::string unique_scenario_name(const Maybe<std::string>& name, const std::string& otherwise,
                                 std::set<std::string>& taken) {
  const std::string plain = name ? plain_name(name->value) : std::string();
  const std::string wanted = plain.empty() ? otherwise : plain;
  std::string candidate = wanted;
  for (int n = 2; !taken.insert(candidate).second; ++n) candidate = fmt::format("{}-{}", wanted, n);
  return candidate;
}

std::vector<std::string> scenario_names(const std::vector<Inventory>& hosts) {
  std::vector<std::string> names;
  std::set<std::string> taken;
  for (const Inventory& host : hosts) {
    names.push_back(
        unique_scenario_name(host.name, fmt::format("host{}", names.size() + 1), taken));
  }
  return names;
}

ScenarioHosts::ScenarioHosts(const std::vector<Inventory>& hosts)
    : names_(scenario_names(hosts)), taken_(hosts.size()) {
  for (const Inventory& host : hosts) {
    if (host.name) by_name_.try_emplace(host.name->value, devices_.size());
    if (host.object_id) by_id_.try_emplace(host.object_id->value, devices_.size());
    auto& devices = devices_.emplace_back();
    const auto built = topology::inventory::built_names(host);
    topology::inventory::for_each_device(host, [&](const Device& device) {
      if (device.bus_id.empty()) return;
      const auto name = built.find(&device);
      devices.emplace(device.bus_id, Found{&device, name == built.end() ? "" : name->second});
    });
  }
}

std::optional<std::size_t> ScenarioHosts::host_of(const VmFacts& vm) const {
  const auto look_up = [](const auto& map, const Maybe<std::string>& key) {
    const auto found = key ? map.find(key->value) : map.end();
    return found == map.end() ? std::nullopt : std::optional(found->second);
  };
  if (const auto named = look_up(by_name_, vm.host)) return named;
  if (const auto known = look_up(by_id_, vm.host_id)) return known;
  std::optional<std::size_t> only;
  for (std::size_t h = 0; h < devices_.size(); ++h) {
    const bool has_all = std::ranges::all_of(vm.pci, [&](const VmPciDevice& pci) {
      return !pci.bus_id || devices_[h].contains(pci.bus_id->value);
    });
    if (!has_all) continue;
    if (only) return std::nullopt;
    only = h;
  }
  return only;
}

const ScenarioHosts::Found* ScenarioHosts::device(std::size_t host,
                                                  const std::string& bus_id) const {
  const auto found = devices_[host].find(bus_id);
  return found == devices_[host].end() ? nullptr : &found->second;
}

std::string ScenarioHosts::fastest_nic(std::size_t host) const {
  const Found* fastest = nullptr;
  for (const auto& [bus_id, found] : devices_[host]) {
    if (found.device->kind != DeviceKind::kNic || found.name.empty()) continue;
    if (fastest == nullptr || speed_of(*found.device) > speed_of(*fastest->device)) {
      fastest = &found;
    }
  }
  return fastest == nullptr ? std::string() : fastest->name;
}

std::string ScenarioHosts::take_gpu(std::size_t host, const std::vector<std::string>& ids) {
  for (const auto& [bus_id, found] : devices_[host]) {
    const Device& device = *found.device;
    if (device.kind != DeviceKind::kGpu || taken_[host].contains(found.name)) continue;
    const bool is_known = device.vendor && device.device;
    const std::string id =
        is_known ? fmt::format("{}:{}", device.vendor->value, device.device->value) : "";
    if (!ids.empty() && is_known && std::ranges::find(ids, id) == ids.end()) continue;
    mark_taken(host, found.name);
    return found.name;
  }
  return {};
}

void ScenarioHosts::mark_taken(std::size_t host, const std::string& gpu) {
  taken_[host].insert(gpu);
}

std::string vsphere_version(const Inventory& host) {
  if (!host.hypervisor) return {};
  const std::string_view text = host.hypervisor->value;
  const std::size_t esxi = text.find("ESXi ");
  if (esxi == text.npos) return {};
  const std::string_view version = text.substr(esxi + 5);
  int major = 0;
  int minor = 0;
  int update = 0;
  const char* end = version.data() + version.size();
  auto at = std::from_chars(version.data(), end, major);
  if (at.ec != std::errc() || at.ptr == end || *at.ptr != '.') return {};
  at = std::from_chars(at.ptr + 1, end, minor);
  if (at.ec != std::errc()) return {};
  if (at.ptr < end && *at.ptr == '.') std::from_chars(at.ptr + 1, end, update);
  return update == 0 ? fmt::format("{}.{}", major, minor)
                     : fmt::format("{}.{}U{}", major, minor, update);
}

}  // namespace vgsim::vsphere::import
