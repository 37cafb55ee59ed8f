#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "models/vsphere/import/esxcli/esxcli.hpp"
#include "models/vsphere/import/ovf/ovf.hpp"
#include "models/vsphere/import/rvtools/rvtools.hpp"
#include "models/vsphere/import/vim/vim.hpp"
#include "models/vsphere/import/vmx/vmx.hpp"
#include "tests/models/vsphere/import/facts_fixture.hpp"
#include "tests/support/extra.hpp"

/// Real and recorded files, with facts that were read off them by eye and with other tools.
namespace vgsim::vsphere::import {
namespace shared_samples_test {

using testing::count_of;
using testing::device_at;
using testing::DeviceKind;
using testing::Reading;
using testing::shown;
using testing::tree_of;

struct Format {
  const char* name;
  bool (*is)(std::string_view);
  tl::expected<VsphereFacts, input::Diagnostics> (*read)(const input::SourcePtr&);
};
constexpr Format kFormats[] = {
    {"vmx", is_vmx, read_vmx},
    {"ovf", is_ovf, read_ovf},
    {"vim", is_vim, read_vim},
    {"esxcli", is_esxcli, read_esxcli},
    {"rvtools", is_rvtools, read_rvtools},
};

std::filesystem::path folder() { return test::extra_files() / "topologies/vsphere"; }

/// Names of the formats that claim a text.
std::string claimed_by(const std::string& text) {
  std::string names;
  for (const Format& format : kFormats) {
    if (format.is(text)) names += (names.empty() ? "" : " ") + std::string(format.name);
  }
  return names;
}

Reading read_sample(const std::string& file) {
  const std::string text = testing::file_text(folder() / file);
  for (const Format& format : kFormats) {
    if (format.is(text)) return testing::read_source(format.read, input::make_source(file, text));
  }
  return {};
}

/// The format that each file is, and the code of the error that refuses it, if one does.
const std::map<std::string, std::string> kSamples = {
    {"api/configtarget-esxi-4xA100pcie.xml", "vim"},
    {"api/vim-device-keys.txt", ""},
    {"api/vim25-types-digest.txt", ""},
    {"esxcli/graphics-device-list-a100.txt", "esxcli"},
    {"esxcli/lspci-sriov-names.txt", "esxcli"},
    {"govc/govmomi-testdata-vminfo.json", "vim"},
    {"ovf/directpath-legacy-2dev.ovf", "ovf"},
    {"ovf/dvx-newVM.ovf", "ovf"},
    {"ovf/dvx-passthrough.ovf", "ovf"},
    {"ovf/dynamic-directpath-2dev.ovf", "ovf"},
    {"ovf/sriov-nic.ovf", "ovf"},
    {"ovf/vendor-device-groups-vm.ovf", "ovf"},
    {"ovf/vgpu-mockup.ovf", "ovf"},
    {"rvtools/vHost-header-4.7.csv", "rvtools E532"},
    {"rvtools/vInfo-header-4.7-prefix.csv", "rvtools E532"},
    {"rvtools/vNetwork-header-4.7.csv", "rvtools E532"},
    {"vcsim/collect-extraConfig-devgroup4.json", "vim E532"},
    {"vcsim/collect-gpu-hgx.json", "vim"},
    {"vcsim/collect-hardware.pciDevice-hgx.json", "vim"},
    {"vcsim/device.info-devgroup4.json", "vim"},
    {"vcsim/device.ls-devgroup4.txt", ""},
    {"vcsim/device.pci.ls-devgroup4.txt", ""},
    {"vcsim/host.info-hgx.json", "vim"},
    {"vcsim/object.save/0000-HostSystem-host-25.xml", "vim"},
    {"vcsim/object.save/0005-VirtualMachine-vm-43.xml", "vim"},
    {"vcsim/object.save/0008-VirtualMachine-vm-46.xml", "vim"},
    {"vcsim/object.save/0010-HostSystem-host-35.xml", "vim"},
    {"vcsim/object.save/0015-VirtualMachine-vm-40.xml", "vim"},
    {"vcsim/vm.info-devgroup4.json", "vim"},
    {"vmx/directpath-gtx1050ti-2fn.vmx", "vmx"},
    {"vmx/directpath-old-style-ids.vmx", "vmx"},
    {"vmx/sriov-nics-plus-directpath-vf.vmx", "vmx"},
    {"vmx/vgpu-device-group-doc.vmx", "vmx"},
};

using ExtraSharedSamples = test::NeedsExtraFiles;

TEST_F(ExtraSharedSamples, EveryFileIsImportedOrRefusedForTheRightReason) {
  std::size_t files = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder())) {
    if (!entry.is_regular_file()) continue;
    const std::string file = std::filesystem::relative(entry.path(), folder()).string();
    const auto known = kSamples.find(file);
    if (known == kSamples.end()) continue;
    ++files;
    std::string outcome = claimed_by(testing::file_text(entry.path()));
    const auto reading = read_sample(file);
    if (!outcome.empty() && !reading.ok) {
      ASSERT_EQ(reading.codes().size(), 1U) << file;
      outcome += reading.codes()[0].substr(reading.codes()[0].find(' '));
    }
    EXPECT_EQ(outcome, known->second) << file;
  }
  EXPECT_EQ(files, kSamples.size());
}

TEST_F(ExtraSharedSamples, TheHgxHostHasEightGpusEachBesideANicBelowASwitch) {
  for (const char* file :
       {"vcsim/host.info-hgx.json", "vcsim/object.save/0000-HostSystem-host-25.xml"}) {
    const auto reading = read_sample(file);
    ASSERT_TRUE(reading.ok) << file;
    const Inventory& host = reading.host();
    EXPECT_EQ(shown(host.name), "DC0_C0_H0");
    EXPECT_EQ(shown(host.hypervisor), "VMware ESXi 8.0.2 build-21997540");
    EXPECT_EQ(count_of(host, DeviceKind::kGpu), 8U);
    EXPECT_EQ(count_of(host, DeviceKind::kNic), 10U);
    EXPECT_EQ(count_of(host, DeviceKind::kNvSwitch), 4U);
    EXPECT_EQ(count_of(host, DeviceKind::kBridge), 8U);
    EXPECT_EQ(tree_of(host),
              "0: 16:00.0[18:00.0 19:00.0] 27:00.0[2a:00.0 2b:00.0] 38:00.0[3a:00.0 3b:00.0] "
              "5a:00.0[5d:00.0 5e:00.0] 05:00.0 06:00.0 07:00.0 08:00.0; "
              "1: 98:00.0[9a:00.0 9b:00.0] a9:00.0[ab:00.0 ac:00.0] b8:00.0[ba:00.0 bb:00.0] "
              "d9:00.0[db:00.0 dc:00.0]; "
              "-: 0b:00.0 13:00.0; unplaced: ");
    EXPECT_EQ(shown(host.numa_nodes.at(0).cpu_list), "0-23,48-71");
    EXPECT_EQ(shown(host.numa_nodes.at(1).cpu_list), "24-47,72-95");
    EXPECT_EQ(shown(host.numa_nodes.at(0).memory), "1099511627776");
    const auto& gpu = device_at(host, "0000:18:00.0");
    EXPECT_EQ(shown(gpu.name), "NVIDIA H200");
    EXPECT_EQ(shown(gpu.device), "2335");
    EXPECT_EQ(shown(gpu.gpu.value().memory), "154372935680");
    EXPECT_EQ(shown(device_at(host, "0000:dc:00.0").virtual_functions), "8");
    EXPECT_EQ(shown(device_at(host, "0000:0b:00.0").ports.at(0).name), "vmnic0");
    EXPECT_EQ(shown(device_at(host, "0000:0b:00.0").ports[0].rate), "1250000000");
    EXPECT_EQ(host.profiles.size(), 6U);
    EXPECT_EQ(host.profiles.front(), "nvidia_h200x-141c");
  }
}

TEST_F(ExtraSharedSamples, ThePartsOfTheHgxHostAreTheSameByThemselves) {
  const auto functions = read_sample("vcsim/collect-hardware.pciDevice-hgx.json");
  ASSERT_TRUE(functions.ok);
  EXPECT_EQ(count_of(functions.host(), DeviceKind::kGpu), 8U);
  EXPECT_EQ(count_of(functions.host(), DeviceKind::kBridge), 8U);
  EXPECT_EQ(functions.host().numa_nodes.size(), 1U);

  const auto parts = read_sample("vcsim/collect-gpu-hgx.json");
  ASSERT_TRUE(parts.ok);
  EXPECT_EQ(count_of(parts.host(), DeviceKind::kGpu), 8U);
  EXPECT_EQ(parts.host().numa_nodes.size(), 2U);
  EXPECT_EQ(parts.host().unplaced.size(), 16U);
  EXPECT_EQ(shown(device_at(parts.host(), "0000:9a:00.0").numa_node), "1");
  EXPECT_EQ(parts.host().profiles.size(), 6U);
}

TEST_F(ExtraSharedSamples, TheSecondHostHasTwoPairsOfGpusBelowBridgesThatAreNotListed) {
  const auto reading = read_sample("vcsim/object.save/0010-HostSystem-host-35.xml");
  ASSERT_TRUE(reading.ok);
  const Inventory& host = reading.host();
  EXPECT_EQ(shown(host.name), "DC0_C0_H1");
  EXPECT_EQ(tree_of(host), "0: 0b:00.0 13:00.0; unplaced: 4a:00.0 61:00.0 ca:00.0 e1:00.0");
  EXPECT_EQ(shown(device_at(host, "0000:4a:00.0").parent), "0000:49:02.0");
  EXPECT_EQ(shown(device_at(host, "0000:4a:00.0").passthrough), "false");
  EXPECT_EQ(shown(device_at(host, "0000:e1:00.0").passthrough), "true");
  EXPECT_EQ(shown(device_at(host, "0000:e1:00.0").gpu.value().memory), "85899345920");
  EXPECT_EQ(host.profiles.size(), 9U);
}

TEST_F(ExtraSharedSamples, TheRealEsxiHostHasTwoPairsOfA100) {
  const auto reading = read_sample("api/configtarget-esxi-4xA100pcie.xml");
  ASSERT_TRUE(reading.ok);
  const Inventory& host = reading.host();
  EXPECT_EQ(shown(host.threads), "80");
  EXPECT_EQ(shown(host.cores), "40");
  EXPECT_EQ(count_of(host, DeviceKind::kGpu), 4U);
  EXPECT_EQ(tree_of(host), "unplaced: 05:00.1 8a:00.0 8c:00.0 c1:00.0 c3:00.0");
  EXPECT_EQ(shown(device_at(host, "0000:8a:00.0").parent), "0000:85:03.0");
  EXPECT_EQ(shown(device_at(host, "0000:8c:00.0").parent), "0000:85:04.0");
  EXPECT_EQ(shown(device_at(host, "0000:c1:00.0").parent), "0000:bc:04.0");
  EXPECT_EQ(shown(device_at(host, "0000:c3:00.0").parent), "0000:bc:05.0");
  EXPECT_EQ(shown(device_at(host, "0000:05:00.1").vendor), "8086");
  EXPECT_EQ(shown(device_at(host, "0000:05:00.1").passthrough), "true");
  EXPECT_EQ(host.device_groups, std::vector<std::string>{"Nvidia:2@grid_a100-40c%NVLink"});
  EXPECT_EQ(host.profiles,
            (std::vector<std::string>{"grid_a100-4c", "grid_a100-5c", "grid_a100-8c",
                                      "grid_a100-10c", "grid_a100-20c", "grid_a100-40c"}));
}

TEST_F(ExtraSharedSamples, EsxcliTellsTheGpuAndTheVirtualFunctionsOfTheNic) {
  const auto gpu = read_sample("esxcli/graphics-device-list-a100.txt");
  EXPECT_EQ(shown(device_at(gpu.host(), "0000:af:00.0").name), "GA100 [A100 PCIe 40GB]");
  EXPECT_EQ(shown(device_at(gpu.host(), "0000:af:00.0").gpu.value().memory), "-");
  const auto nic = read_sample("esxcli/lspci-sriov-names.txt");
  EXPECT_EQ(tree_of(nic.host()), "unplaced: af:00.0");
  EXPECT_EQ(shown(device_at(nic.host(), "0000:af:00.0").virtual_functions), "8");
  EXPECT_EQ(shown(device_at(nic.host(), "0000:af:00.0").ports.at(0).name), "vmnic4");
}

/// The devices of a VM, in one line.
std::string summary(const VmFacts& vm) {
  std::string text = fmt::format(
      "{} cpu {} MiB {} |", shown(vm.name), shown(vm.vcpus),
      vm.memory ? shown(Maybe<std::int64_t>{{vm.memory->value.count() >> 20, "file"}}) : "-");
  for (const VmPciDevice& pci : vm.pci) {
    constexpr const char* kKinds[] = {"fixed", "dynamic", "vgpu", "sriov", "dvx"};
    text += fmt::format(" {}", kKinds[static_cast<std::size_t>(pci.kind)]);
    for (const auto& detail : {pci.bus_id, pci.device, pci.profile, pci.device_class}) {
      if (detail) text += ":" + detail->value;
    }
    for (const std::string& ids : pci.allowed) text += ":" + ids;
    if (pci.group) text += fmt::format("@{}", pci.group->value);
  }
  text += " |";
  for (const VmAdapter& adapter : vm.adapters) text += " " + shown(adapter.type);
  text += " |";
  for (const auto& [key, group] : vm.device_groups) text += fmt::format(" {}={}", key, group.value);
  return text;
}

TEST_F(ExtraSharedSamples, VmsHaveTheseDevices) {
  const std::map<std::string, std::string> expected = {
      {"vmx/directpath-gtx1050ti-2fn.vmx",
       "- cpu - MiB - | fixed:0000:02:00.0:1c82 fixed:0000:02:00.1:0fb9 | |"},
      {"vmx/directpath-old-style-ids.vmx",
       "- cpu - MiB - | fixed:0000:06:00.0:0043 fixed:0000:82:00.0:0043 "
       "fixed:0000:83:00.0:0040 | |"},
      {"vmx/sriov-nics-plus-directpath-vf.vmx",
       "- cpu - MiB - | fixed:0000:1a:01.2:1016 sriov:0000:1a:00.1 sriov:0000:1a:00.1 "
       "sriov:0000:1a:00.1 sriov:0000:1a:00.1 sriov:0000:1a:00.1 | |"},
      {"vmx/vgpu-device-group-doc.vmx",
       "- cpu - MiB - | vgpu:grid_a100d-80c vgpu:grid_a100d-80c | |"},
      {"ovf/directpath-legacy-2dev.ovf",
       "pci-legacy-2-devices cpu 1 MiB 2048 | fixed:0000:04:00.0:10d3 fixed:0000:1b:00.0:10d3 | "
       "vmxnet3 |"},
      {"ovf/dvx-newVM.ovf", "newVM-dvx3 cpu 1 MiB 256 | dvx:com.vmware.dvxpassthru | |"},
      {"ovf/dvx-passthrough.ovf", "dvx-pci-vm cpu - MiB 1024 | dvx:com.vmware.dvxpassthru | |"},
      {"ovf/dynamic-directpath-2dev.ovf",
       "AH-VM-1 cpu 1 MiB 128 | dynamic:8086:10d3 dynamic:8086:10d3 | pcnet32 |"},
      {"ovf/sriov-nic.ovf", "sriov-vm cpu - MiB 1024 | sriov:com.vmware.dvxpassthru | |"},
      {"ovf/vendor-device-groups-vm.ovf",
       "vdg-vm cpu - MiB 1024 | vgpu:mockup-vmiop@0 vgpu:mockup-vmiop@1 "
       "sriov:com.vmware.dvxpassthru@1 | | 0=testGroup0 1=testGroup1"},
      {"ovf/vgpu-mockup.ovf", "VM-PCI-VGPU cpu 2 MiB 512 | vgpu:mockup-vmiop | e1000e |"},
      {"govc/govmomi-testdata-vminfo.json", "test cpu 1 MiB 2048 | | vmxnet3 |"},
      {"vcsim/device.info-devgroup4.json",
       "- cpu - MiB - | vgpu:nvidia_h200x-141c@0 vgpu:nvidia_h200x-141c@0 "
       "vgpu:nvidia_h200x-141c@0 vgpu:nvidia_h200x-141c@0 | e1000 |"},
      {"vcsim/vm.info-devgroup4.json",
       "DC0_C0_RP0_VM0 cpu 1 MiB 32 | vgpu:nvidia_h200x-141c@0 vgpu:nvidia_h200x-141c@0 "
       "vgpu:nvidia_h200x-141c@0 vgpu:nvidia_h200x-141c@0 | - | "
       "0=Nvidia:4@nvidia_h200x-141c%NVLink"},
      {"vcsim/object.save/0015-VirtualMachine-vm-40.xml",
       "DC0_C0_RP0_VM0 cpu 1 MiB 32 | vgpu:nvidia_h200x-141c@0 vgpu:nvidia_h200x-141c@0 "
       "vgpu:nvidia_h200x-141c@0 vgpu:nvidia_h200x-141c@0 | e1000 | "
       "0=Nvidia:4@nvidia_h200x-141c%NVLink"},
      {"vcsim/object.save/0005-VirtualMachine-vm-43.xml",
       "DC0_C0_RP0_VM1 cpu 1 MiB 32 | fixed:0000:ca:00.0:20b5 dynamic:0000:e1:00.0:10de:20b5 | "
       "e1000 |"},
      {"vcsim/object.save/0008-VirtualMachine-vm-46.xml",
       "DC0_C0_RP0_VM2 cpu 1 MiB 32 | vgpu:grid_a100d-40c sriov:0000:19:00.0:1021 | e1000 |"},
  };
  for (const auto& [file, line] : expected) {
    const auto reading = read_sample(file);
    ASSERT_TRUE(reading.ok) << file;
    ASSERT_EQ(reading.facts.vms.size(), 1U) << file;
    EXPECT_EQ(summary(reading.vm()), line) << file;
    EXPECT_TRUE(reading.codes().empty()) << file;
  }
}

TEST_F(ExtraSharedSamples, VmsHaveTheseSettings) {
  const auto passthrough = read_sample("vcsim/object.save/0005-VirtualMachine-vm-43.xml");
  EXPECT_EQ(shown(passthrough.vm().allow_p2p), "true");
  EXPECT_EQ(shown(passthrough.vm().relax_acs), "true");
  EXPECT_EQ(shown(passthrough.vm().wide_mmio), "true");
  EXPECT_EQ(shown(passthrough.vm().mmio_gb), "256");
  EXPECT_EQ(shown(passthrough.vm().powered_on), "true");
  EXPECT_EQ(shown(passthrough.vm().memory_reserved), "false");
  EXPECT_EQ(shown(passthrough.vm().pci.at(1).custom_label), "Training");
  const auto vmx = read_sample("vmx/vgpu-device-group-doc.vmx");
  EXPECT_EQ(shown(vmx.vm().unified_memory), "true");
  EXPECT_EQ(shown(vmx.vm().mmio_gb), "256");
  const auto ovf = read_sample("ovf/vgpu-mockup.ovf");
  EXPECT_EQ(shown(ovf.vm().hardware_version), "21");
  EXPECT_EQ(shown(ovf.vm().firmware), "efi");
  EXPECT_EQ(shown(ovf.vm().memory_reserved), "true");
  EXPECT_EQ(shown(ovf.vm().guest_os), "Microsoft Windows Server 2019 (64-bit)");
  const auto real = read_sample("govc/govmomi-testdata-vminfo.json");
  EXPECT_EQ(shown(real.vm().hardware_version), "20");
  EXPECT_EQ(shown(real.vm().memory_reserved), "false");
  EXPECT_EQ(shown(real.vm().latency_sensitivity), "normal");
  const auto nics = read_sample("vmx/sriov-nics-plus-directpath-vf.vmx");
  EXPECT_EQ(shown(nics.vm().pci.at(3).network), "dvportgroup-2637");
}

}  // namespace shared_samples_test
}  // namespace vgsim::vsphere::import
