#include "topology/importers/nccl/nccl_xml_writer.hpp"

#include <fmt/core.h>

#include <pugixml.hpp>
#include <sstream>

#include "topology/machine/device_facts.hpp"

namespace vgsim::topology {
namespace {

using namespace inventory;
using pugi::xml_node;

void put(xml_node node, const char* name, const std::string& value) {
  if (!value.empty()) node.append_attribute(name).set_value(value.c_str());
}
void put(xml_node node, const char* name, std::int64_t value) {
  node.append_attribute(name).set_value(std::to_string(value).c_str());
}
template <class Value>
void put(xml_node node, const char* name, const Maybe<Value>& stated) {
  if (stated) put(node, name, stated->value);
}
void put_hex(xml_node node, const char* name, const Maybe<std::string>& digits) {
  if (digits && !digits->value.empty()) put(node, name, "0x" + digits->value);
}
void put_flag(xml_node node, const char* name, const Maybe<bool>& flag) {
  put(node, name, std::int64_t{flag && flag->value});
}
void put_if_set(xml_node node, const char* name, const Maybe<bool>& flag) {
  if (flag && flag->value) put(node, name, std::int64_t{1});
}

void write_port(const Port& port, xml_node nic) {
  xml_node node = nic.append_child("net");
  put(node, "name", port.name);
  put(node, "dev", port.dev);
  const SimTime latency = port.latency ? port.latency->value : SimTime{};
  put(node, "latency", fmt::format("{:g}", static_cast<double>(latency.count()) / 1e6));
  if (port.rate && port.rate->value >= kMegabitPerSecond) {
    put(node, "speed", port.rate->value.count() / kMegabitPerSecond.count());
  }
  put(node, "port", port.port ? port.port->value : std::int64_t{0});
  put(node, "guid", fmt::format("0x{:x}", guid_of(port)));
  put(node, "maxconn", port.maxconn);
  put_flag(node, "gdr", port.gdr);
  put_if_set(node, "coll", port.coll);
  put_if_set(node, "keep", port.keep);
  for (const auto& [name, value] : port.nccl_attributes) put(node, name.c_str(), value);
}

void write_ports(const std::vector<Port>& ports, xml_node parent) {
  xml_node nic = parent.append_child("nic");
  for (const Port& port : ports) write_port(port, nic);
}

void write_gpu(const Gpu& gpu, xml_node pci) {
  xml_node node = pci.append_child("gpu");
  put(node, "dev", gpu.index);
  put(node, "sm", gpu.sm);
  put(node, "gcn", gpu.gcn);
  for (const auto& [name, value] : gpu.nccl_attributes) put(node, name.c_str(), value);
  put(node, "rank", gpu.rank);
  put_flag(node, "gdr", gpu.gdr);
  for (const NvLinks& links : gpu.nvlinks) {
    xml_node child = node.append_child(gpu.xgmi ? "xgmi" : "nvlink");
    put(child, "target", links.target.value);
    put(child, "count", links.count.value);
    put_hex(child, "tclass", links.target_class);
  }
  for (const C2cLinks& links : gpu.c2c) {
    xml_node child = node.append_child("c2c");
    put(child, "bw", links.rate.value.count() / 1'000'000);
    put(child, "count", links.count.value);
  }
}

/// Parents before children. read_nccl_xml() and topology files limit the depth.
void write_device(const Device& device, xml_node parent) {
  xml_node node = parent.append_child("pci");
  put(node, "busid", device.bus_id);
  put_hex(node, "class", Stated<std::string>{pci_class_of(device), {}});
  put_hex(node, "vendor", device.vendor);
  put_hex(node, "device", device.device);
  put_hex(node, "subsystem_vendor", device.subsystem_vendor);
  put_hex(node, "subsystem_device", device.subsystem_device);
  const auto [speed, lanes] = link_text_of(device);
  put(node, "link_speed", speed);
  if (lanes > 0) put(node, "link_width", lanes);
  if (device.gpu) write_gpu(*device.gpu, node);
  if (!device.ports.empty()) write_ports(device.ports, node);
  for (const Device& child : device.below) write_device(child, node);
}

}  // namespace

std::string to_nccl_xml(const Inventory& host) {
  pugi::xml_document document;
  xml_node root = document.append_child("system");
  put(root, "version", host.nccl_version ? host.nccl_version->value : std::int64_t{1});
  for (std::size_t n = 0; n < host.numa_nodes.size(); ++n) {
    const NumaNode& numa = host.numa_nodes[n];
    xml_node node = root.append_child("cpu");
    put(node, "host_hash", numa.host_hash);
    put(node, "numaid", numa_number(host, n));
    put(node, "affinity", numa.affinity);
    put(node, "arch", numa.arch);
    put(node, "vendor", numa.vendor);
    put(node, "familyid", numa.family);
    put(node, "modelid", numa.model);
    for (const Device& device : numa.devices) write_device(device, node);
    for (const Device& card : numa.without_pcie) write_ports(card.ports, node);
  }
  std::ostringstream text;
  document.save(text, "  ", pugi::format_indent | pugi::format_no_declaration, pugi::encoding_utf8);
  return text.str();
}

}  // namespace vgsim::topology
