#include "pci_dump_fixture.hpp"

#include <fmt/core.h>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <utility>

#include "topology/machine/bus_id.hpp"

namespace vgsim::topology::pci_testing {
namespace {

using inventory::Device;
using inventory::DeviceKind;
using inventory::Inventory;

/// The place of a GPU: NUMA node, root complex, then bridges from above.
struct Place {
  std::string bus_id;
  std::size_t node = 0;
  std::string root_complex;
  std::vector<std::string> bridges;
};

void collect(const std::vector<Device>& devices, const Place& above, std::vector<Place>& places) {
  for (const Device& device : devices) {
    Place place = above;
    place.bus_id = device.bus_id;
    if (device.root_complex) place.root_complex = device.root_complex->value;
    if (device.kind == DeviceKind::kGpu) places.push_back(place);
    place.bridges.push_back(device.bus_id);
    collect(device.below, place, places);
  }
}

std::string bus_of(const std::string& bus_id) { return bus_id.substr(0, bus_id.rfind(':')); }

std::string path_between(const Place& a, const Place& b) {
  if (a.bus_id == b.bus_id) return "X";
  if (a.node != b.node) return "SYS";
  if (a.root_complex != b.root_complex) return "NODE";
  if (a.bridges == b.bridges) {
    // Functions of one card share a root port.
    return !a.bridges.empty() || bus_of(a.bus_id) == bus_of(b.bus_id) ? "PIX" : "PHB";
  }
  const bool same_switch =
      !a.bridges.empty() && !b.bridges.empty() && a.bridges.front() == b.bridges.front();
  return same_switch ? "PXB" : "PHB";
}

}  // namespace

input::SourcePtr source_of(std::string text) {
  return input::make_source("dump.txt", std::move(text));
}

input::SourcePtr sample(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  EXPECT_TRUE(file) << path;
  return input::make_source(
      path, std::string(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()));
}

std::vector<const Device*> all_of(const Inventory& host, DeviceKind kind) {
  std::vector<const Device*> found;
  inventory::for_each_device(host, [&](const Device& device) {
    if (device.kind == kind) found.push_back(&device);
  });
  return found;
}

std::size_t count_of(const Inventory& host, DeviceKind kind) { return all_of(host, kind).size(); }

const Device& device_at(const Inventory& host, const std::string& bus_id) {
  const Device* found = nullptr;
  inventory::for_each_device(host, [&](const Device& device) {
    if (device.bus_id == bus_id) found = &device;
  });
  static const Device kNone;
  EXPECT_NE(found, nullptr) << bus_id;
  return found == nullptr ? kNone : *found;
}

std::string numa_of(const Inventory& host, const std::string& bus_id) {
  for (const inventory::NumaNode& node : host.numa_nodes) {
    Inventory only;
    only.numa_nodes.push_back(node);
    bool here = false;
    inventory::for_each_device(
        only, [&](const Device& device) { here = here || device.bus_id == bus_id; });
    if (here) return node.id ? std::to_string(node.id->value) : "none";
  }
  return "not in the tree";
}

std::string words_of(const inventory::Maybe<PcieWidth>& link) {
  if (!link) return {};
  return fmt::format("gen{} x{}{}", link->value.generation, link->value.lanes,
                     link->source == inventory::kAssumed ? " (assumed)" : "");
}

std::string links_of(const Device& gpu) {
  std::vector<std::string> links;
  for (const inventory::NvLinks& link : gpu.gpu->nvlinks) {
    links.push_back(fmt::format("{} x{}", link.target.value, link.count.value));
  }
  return fmt::format("{}", fmt::join(links, ", "));
}

std::string codes_of(const Imported& imported) {
  std::vector<std::string> codes;
  const input::Diagnostics& diagnostics = imported ? imported->warnings : imported.error();
  for (const input::Diagnostic& item : diagnostics.items()) codes.push_back(item.code);
  return fmt::format("{}", fmt::join(codes, " "));
}

bool any_has(const std::vector<std::string>& sentences, const std::string& words) {
  return std::any_of(sentences.begin(), sentences.end(), [&](const std::string& sentence) {
    return sentence.find(words) != sentence.npos;
  });
}

std::string shape_of(const std::vector<Device>& devices) {
  std::vector<std::string> shapes;
  for (const Device& device : devices) {
    const std::string id = device.bus_id.substr(device.bus_id.find(':') + 1);
    shapes.push_back(device.below.empty() ? id : fmt::format("{}({})", id, shape_of(device.below)));
  }
  return fmt::format("{}", fmt::join(shapes, " "));
}

std::vector<std::vector<std::string>> gpu_paths(const Inventory& host) {
  std::vector<Place> places;
  for (std::size_t i = 0; i < host.numa_nodes.size(); ++i) {
    collect(host.numa_nodes[i].devices, {{}, i, {}, {}}, places);
  }
  std::sort(places.begin(), places.end(),
            [](const Place& a, const Place& b) { return bus_id_less(a.bus_id, b.bus_id); });
  std::vector<std::vector<std::string>> paths;
  for (const Place& from : places) {
    std::vector<std::string>& row = paths.emplace_back();
    for (const Place& to : places) row.push_back(path_between(from, to));
  }
  return paths;
}

}  // namespace vgsim::topology::pci_testing
