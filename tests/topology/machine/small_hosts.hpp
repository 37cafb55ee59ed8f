#pragma once

#include <fmt/core.h>

#include <string>

#include "topology/importers/nccl/nccl_xml.hpp"
#include "topology/machine/inventory.hpp"

namespace vgsim::topology::inventory {

/// A dump of NCCL's: two NUMA nodes, on each a switch with two A100s and a NIC; all GPUs have 12
/// NVLinks to NVSwitches.
inline std::string two_socket_dump() {
  std::string xml = "<system version=\"1\">\n";
  int gpu = 0;
  for (int numa = 0; numa < 2; ++numa) {
    const int bus = 0x10 + numa * 0x80;
    xml += fmt::format(
        "<cpu numaid=\"{}\" affinity=\"0000ffff\" arch=\"x86_64\" vendor=\"AuthenticAMD\" "
        "familyid=\"143\" modelid=\"49\">\n"
        "<pci busid=\"0000:{:02x}:00.0\" class=\"0x060400\" vendor=\"0x1000\" device=\"0xc011\" "
        "link_speed=\"16.0 GT/s PCIe\" link_width=\"16\">\n",
        numa, bus);
    for (int g = 0; g < 2; ++g, ++gpu) {
      xml += fmt::format(
          "<pci busid=\"0000:{:02x}:00.0\" class=\"0x030200\" vendor=\"0x10de\" device=\"0x20b2\" "
          "link_speed=\"16.0 GT/s PCIe\" link_width=\"16\"><gpu dev=\"{}\" sm=\"80\" rank=\"{}\" "
          "gdr=\"1\"><nvlink target=\"fffffff:ff:ff.0\" count=\"12\" tclass=\"0x068000\"/></gpu>"
          "</pci>\n",
          bus + 2 + g, gpu, gpu);
    }
    xml += fmt::format(
        "<pci busid=\"0000:{:02x}:00.0\" class=\"0x020700\" vendor=\"0x15b3\" device=\"0x101b\" "
        "link_speed=\"16 GT/s\" link_width=\"16\"><nic><net name=\"mlx5_{}\" dev=\"{}\" "
        "speed=\"200000\" port=\"1\" guid=\"0xabc{}\" maxconn=\"131072\" latency=\"0.5\" "
        "gdr=\"1\"/>"
        "</nic></pci>\n</pci>\n</cpu>\n",
        bus + 8, numa, numa, numa);
  }
  return xml + "</system>\n";
}

inline Inventory parsed(const std::string& xml, const std::string& path = "host.xml") {
  return read_nccl_xml(input::make_source(path, xml), NcclGpus::kAny).value();
}

inline Inventory two_socket_host() { return parsed(two_socket_dump()); }

/// The GPUs and NICs of a matrix, as its importer lists them: without a place.
inline Inventory host_of_matrix(PathMatrix matrix) {
  Inventory host;
  for (std::size_t row = 0; row < matrix.names.size(); ++row) {
    const std::string& name = matrix.names[row];
    Device device;
    if (name.starts_with("GPU")) {
      device.kind = DeviceKind::kGpu;
      device.gpu.emplace().index = {std::stoll(name.substr(3)), "topo.txt"};
    } else {
      device.kind = DeviceKind::kNic;
      const auto port = matrix.nic_legend.find(name);
      device.ports.emplace_back().name = {port == matrix.nic_legend.end() ? name : port->second,
                                          "topo.txt"};
    }
    host.unplaced.push_back(std::move(device));
  }
  matrix.source = "topo.txt";
  matrix.cpu_list.resize(matrix.names.size());
  matrix.numa.resize(matrix.names.size());
  host.matrix = std::move(matrix);
  return host;
}

}  // namespace vgsim::topology::inventory
