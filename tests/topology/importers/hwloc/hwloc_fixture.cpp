#include "hwloc_fixture.hpp"

#include <fmt/core.h>

#include "topology/importers/hwloc/hwloc_xml.hpp"

namespace vgsim::topology::pci_testing {
namespace {

std::string core(int number) {
  const std::string mask = fmt::format("0x{:08x}", 1u << number);
  const std::string node = number < 2 ? "0x1" : "0x2";
  return fmt::format(
      R"(<object type="L2Cache" {1} cache_size="1" depth="2" cache_type="0">
<object type="Core" os_index="{0}" {1}><object type="PU" os_index="{0}" {1}/></object></object>)",
      number, sets(mask, node));
}

std::string nvml(int index, int gp_index) {
  return fmt::format(
      R"(<object type="OSDev" gp_index="{1}" name="nvml{0}" subtype="NVML" osdev_type="1">
<info name="GPUModel" value="NVIDIA A100 80GB PCIe"/><info name="NVIDIAUUID" value="GPU-{0}"/></object>
<object type="OSDev" name="cuda{0}" subtype="CUDA" osdev_type="5">
<info name="CUDAGlobalMemorySize" value="83886080"/></object>)",
      index, gp_index);
}

}  // namespace

Imported read_hwloc(const std::string& text) { return read_hwloc_xml(source_of(text)); }

std::string sets(const std::string& cpus, const std::string& nodes) {
  return fmt::format(R"(cpuset="{0}" complete_cpuset="{0}" nodeset="{1}" complete_nodeset="{1}")",
                     cpus, nodes);
}

std::string pci(const std::string& bus_id, const std::string& type, const std::string& speed,
                const std::string& inside, int gp_index) {
  return fmt::format(
      R"(<object type="PCIDev" gp_index="{}" pci_busid="{}" pci_type="{}" pci_link_speed="{}">{}</object>)",
      gp_index, bus_id, type, speed, inside);
}

std::string bridge(const std::string& bus_id, const std::string& buses, const std::string& inside,
                   const std::string& speed) {
  return fmt::format(
      R"(<object type="Bridge" bridge_type="1-1" bridge_pci="0000:[{}]" pci_busid="{}" pci_type="0604 [1000:c030] [1000:c030] b0" pci_link_speed="{}">{}</object>)",
      buses, bus_id, speed, inside);
}

std::string host_bridge(const std::string& buses, const std::string& inside) {
  return fmt::format(
      R"(<object type="Bridge" bridge_type="0-1" bridge_pci="0000:[{}]">{}</object>)", buses,
      inside);
}

std::string hwloc_host(const std::string& devices, const std::string& behind,
                       const std::string& memory) {
  return fmt::format(
      R"(<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE topology SYSTEM "hwloc2.dtd">
<topology version="2.0">
<object type="Machine" os_index="0" {0}>
<info name="HostName" value="gpu01"/><info name="Architecture" value="x86_64"/>
<info name="DMISysVendor" value="Default string"/><info name="DMIChassisVendor" value="Dell Inc."/>
<info name="DMIProductName" value="PowerEdge R750xa"/>
<object type="Package" os_index="0" {1}>
<info name="CPUVendor" value="AuthenticAMD"/><info name="CPUFamilyNumber" value="25"/>
<info name="CPUModelNumber" value="1"/><info name="CPUModel" value="AMD EPYC 7763   "/>
<object type="NUMANode" os_index="0" {1} local_memory="68719476736"/>{6}
{2}{3}{4}</object>
<object type="Package" os_index="1" {5}>
<object type="NUMANode" os_index="1" {5} local_memory="68719476736"/>
{7}{8}</object></object>{9}</topology>
)",
      sets("0xf", "0x3"), sets("0x3", "0x1"), core(0), core(1), devices, sets("0xc", "0x2"), memory,
      core(2), core(3), behind);
}

std::string two_gpus() {
  return host_bridge(
      "3a-3f",
      bridge("0000:3a:00.0", "3b-3f",
             bridge("0000:3b:00.0", "3c-3f",
                    bridge("0000:3c:00.0", "3d-3d",
                           pci("0000:3d:00.0", kA100, "31.507692", nvml(1, 101), 201)) +
                        bridge("0000:3c:01.0", "3e-3e",
                               pci("0000:3e:00.0", kA100, "31.507692", nvml(0, 100), 200)) +
                        bridge("0000:3c:02.0", "3f-3f",
                               pci("0000:3f:00.0", kNic, "31.507692",
                                   R"(<object type="OSDev" name="ib0" osdev_type="2"/>
<object type="OSDev" name="mlx5_0" osdev_type="3"><info name="NodeGUID" value="b8ce:f603:0001:0002"/>
<info name="Port1State" value="4"/><info name="Port2State" value="1"/></object>)")))));
}

std::string matrix(const std::string& name, const std::string& objects, const std::string& values) {
  return fmt::format(
      R"(<distances2 type="OSDev" nbobjs="2" kind="9" name="{}" indexing="gp">
<indexes length="{}">{}</indexes><u64values length="{}">{}</u64values></distances2>)",
      name, objects.size(), objects, values.size(), values);
}

}  // namespace vgsim::topology::pci_testing
