#include "topology/importers/nccl/nccl_xml_writer.hpp"

#include <fmt/core.h>

#include <pugixml.hpp>
#include <sstream>

namespace vgsim::topology {
namespace {

using pugi::xml_node;

void put(xml_node node, const char* name, const std::string& value) {
  if (!value.empty()) node.append_attribute(name).set_value(value.c_str());
}
void put(xml_node node, const char* name, std::int64_t value) {
  node.append_attribute(name).set_value(std::to_string(value).c_str());
}
void put(xml_node node, const char* name, const std::optional<std::int64_t>& value) {
  if (value) put(node, name, *value);
}
void put_hex(xml_node node, const char* name, const std::string& digits) {
  if (!digits.empty()) put(node, name, "0x" + digits);
}

void write_net(const NcclNet& net, xml_node nic) {
  xml_node node = nic.append_child("net");
  put(node, "name", net.name);
  put(node, "dev", net.dev);
  put(node, "latency", fmt::format("{:g}", net.latency));
  if (net.speed > 0) put(node, "speed", net.speed);
  put(node, "port", net.port);
  put(node, "guid", fmt::format("0x{:x}", net.guid));
  put(node, "maxconn", net.maxconn);
  put(node, "gdr", std::int64_t{net.gdr});
  if (net.coll) put(node, "coll", std::int64_t{1});
  if (net.keep) put(node, "keep", std::int64_t{1});
  for (const auto& [name, value] : net.more) put(node, name.c_str(), value);
}

void write_gpu(const NcclGpu& gpu, xml_node pci) {
  xml_node node = pci.append_child("gpu");
  put(node, "dev", gpu.dev);
  if (gpu.sm > 0) put(node, "sm", gpu.sm);
  put(node, "gcn", gpu.gcn);
  for (const auto& [name, value] : gpu.more) put(node, name.c_str(), value);
  put(node, "rank", gpu.rank);
  put(node, "gdr", std::int64_t{gpu.gdr});
  for (const NcclNvLink& link : gpu.nvlinks) {
    xml_node child = node.append_child(gpu.xgmi ? "xgmi" : "nvlink");
    put(child, "target", link.target);
    put(child, "count", link.count);
    put_hex(child, "tclass", link.target_class);
  }
  for (const NcclC2c& link : gpu.c2c) {
    xml_node child = node.append_child("c2c");
    put(child, "bw", link.megabytes_per_second);
    put(child, "count", link.count);
  }
}

/// Parents before children, which are bounded in depth as parse_nccl_xml() and topology files are.
void write_pci(const NcclPci& pci, xml_node parent) {
  xml_node node = parent.append_child("pci");
  put(node, "busid", pci.busid);
  put_hex(node, "class", pci.device_class);
  put_hex(node, "vendor", pci.vendor);
  put_hex(node, "device", pci.device);
  put_hex(node, "subsystem_vendor", pci.subsystem_vendor);
  put_hex(node, "subsystem_device", pci.subsystem_device);
  put(node, "link_speed", pci.link_speed);
  if (pci.link_width > 0) put(node, "link_width", pci.link_width);
  if (pci.gpu) write_gpu(*pci.gpu, node);
  if (!pci.nets.empty()) {
    xml_node nic = node.append_child("nic");
    for (const NcclNet& net : pci.nets) write_net(net, nic);
  }
  for (const NcclPci& child : pci.children) write_pci(child, node);
}

}  // namespace

std::string to_nccl_xml(const NcclSystem& system) {
  pugi::xml_document document;
  xml_node root = document.append_child("system");
  put(root, "version", system.version);
  for (const NcclCpu& cpu : system.cpus) {
    xml_node node = root.append_child("cpu");
    put(node, "host_hash", cpu.host_hash);
    put(node, "numaid", cpu.numaid);
    put(node, "affinity", cpu.affinity);
    put(node, "arch", cpu.arch);
    put(node, "vendor", cpu.vendor);
    put(node, "familyid", cpu.familyid);
    put(node, "modelid", cpu.modelid);
    for (const NcclPci& pci : cpu.pcis) write_pci(pci, node);
    for (const NcclNic& nic : cpu.nics) {
      xml_node card = node.append_child("nic");
      for (const NcclNet& net : nic.nets) write_net(net, card);
    }
  }
  std::ostringstream text;
  document.save(text, "  ", pugi::format_indent | pugi::format_no_declaration, pugi::encoding_utf8);
  return text.str();
}

}  // namespace vgsim::topology
