#include "tools/cli/text/host_tree_text.hpp"

#include <fmt/format.h>

#include <map>
#include <vector>

#include "tools/cli/import/host_text.hpp"
#include "tools/text/table.hpp"
#include "topology/input/units/unit_strings.hpp"
#include "topology/machine/device_names.hpp"
#include "topology/machine/path_classes.hpp"
#include "topology/machine/topology_words.hpp"
#include "topology/machine/unknown_facts.hpp"

namespace vgsim::cli {
namespace {

using namespace topology::inventory;

/// A line of the tree and its children.
struct Branch {
  std::string text;
  std::vector<Branch> below;
};

void print(const std::vector<Branch>& branches, const std::string& margin, std::string& text) {
  for (std::size_t i = 0; i < branches.size(); ++i) {
    const bool is_last = i + 1 == branches.size();
    text += fmt::format("{}{} {}\n", margin, is_last ? "└─" : "├─", branches[i].text);
    print(branches[i].below, margin + (is_last ? "   " : "│  "), text);
  }
}

class TreeOfHost {
 public:
  TreeOfHost(const Inventory& host, const topology::Catalog& catalog)
      : host_(host), catalog_(catalog) {
    for (const NamedDevice& named : name_devices(host)) names_[named.device] = named.name;
  }

  std::vector<Branch> build() {
    std::vector<Branch> top;
    std::map<std::int64_t, std::size_t> sockets;  // by number: the index in `top`
    for (std::size_t n = 0; n < host_.numa_nodes.size(); ++n) {
      const NumaNode& node = host_.numa_nodes[n];
      Branch branch = numa_branch(node, n);
      if (!node.package) {
        top.push_back(std::move(branch));
        continue;
      }
      const auto [socket, is_new] = sockets.emplace(node.package->value, top.size());
      if (is_new) top.push_back({fmt::format("socket {}", node.package->value), {}});
      top[socket->second].below.push_back(std::move(branch));
    }
    if (!host_.unplaced.empty()) {
      top.push_back({"location unknown", branches(host_.unplaced)});
    }
    return top;
  }

 private:
  Branch numa_branch(const NumaNode& node, std::size_t index) {
    Branch branch;
    branch.text = node.id ? fmt::format("NUMA node {}", node.id->value)
                          : fmt::format("NUMA node (number unknown)");
    if (host_.numa_nodes.size() > 1 && !node.id) branch.text += fmt::format(" [{}]", index);
    if (node.cpu_name) branch.text += "  " + node.cpu_name->value;
    if (node.cpu_list) branch.text += "  CPUs " + node.cpu_list->value;
    if (node.memory) branch.text += "  " + input::format_bytes(node.memory->value);
    std::map<std::string, std::size_t> complexes;
    for (const Device& device : node.devices) {
      Branch below = device_branch(device);
      if (!device.root_complex) {
        branch.below.push_back(std::move(below));
        continue;
      }
      const std::string& name = device.root_complex->value;
      const auto [complex, is_new] = complexes.emplace(name, branch.below.size());
      if (is_new) branch.below.push_back({"root complex " + name, {}});
      branch.below[complex->second].below.push_back(std::move(below));
    }
    for (const Device& nic : node.without_pcie) branch.below.push_back(device_branch(nic));
    return branch;
  }

  std::vector<Branch> branches(const std::vector<Device>& devices) {
    std::vector<Branch> result;
    for (const Device& device : devices) result.push_back(device_branch(device));
    return result;
  }

  Branch device_branch(const Device& device) {
    Branch branch{names_.at(&device), branches(device.below)};
    const auto add = [&](const std::string& text) {
      if (!text.empty()) branch.text += "  " + text;
    };
    add(device_text(device, catalog_));
    if (!device.bus_id.empty() && !is_placeholder_bus_id(device.bus_id)) add(device.bus_id);
    add(link_text(device));
    if (device.gpu) add(nvlink_text(*device.gpu));
    for (const Port& port : device.ports) {
      if (port.rate) {
        add(fmt::format("{} Gbit/s", static_cast<double>(port.rate->value.count()) / 125e6));
      }
    }
    if (device.virtual_functions) {
      add(fmt::format("{} virtual functions", device.virtual_functions->value));
    }
    if (device.acs_redirect && device.acs_redirect->value) add("ACS redirect");
    return branch;
  }

  static std::string link_text(const Device& device) {
    if (!device.link) return device.link_now ? "now " + to_text(device.link_now->value) : "";
    std::string text = to_text(device.link->value);
    if (device.link_now && to_text(device.link_now->value) != text) {
      text += fmt::format(" (now {})", to_text(device.link_now->value));
    }
    return text;
  }

  static std::string nvlink_text(const Gpu& gpu) {
    std::int64_t links = 0;
    for (const NvLinks& each : gpu.nvlinks) links += each.count.value;
    if (links == 0) return {};
    return fmt::format("{} {}", links, gpu.xgmi ? "xGMI links" : links == 1 ? "NVLink" : "NVLinks");
  }

  const Inventory& host_;
  const topology::Catalog& catalog_;
  std::map<const Device*, std::string> names_;
};

}  // namespace

std::string host_tree_text(const Inventory& host, const topology::Catalog& catalog) {
  std::string text = host.name ? host.name->value : std::string("host");
  if (host.vendor || host.model) {
    text += fmt::format("  {}{}{}", host.vendor ? host.vendor->value : "",
                        host.vendor && host.model ? " " : "", host.model ? host.model->value : "");
  }
  if (host.hypervisor) text += "  " + host.hypervisor->value;
  if (host.driver) text += "  NVIDIA driver " + host.driver->value;
  text += '\n';
  print(TreeOfHost(host, catalog).build(), "", text);
  return text;
}

std::string missing_data_text(const Inventory& host) {
  const std::vector<std::string> missing = unknown_facts(host);
  if (missing.empty()) return {};
  return text::wrap(fmt::format("unknown: {}", fmt::join(missing, "; ")), 10) + '\n';
}

}  // namespace vgsim::cli
