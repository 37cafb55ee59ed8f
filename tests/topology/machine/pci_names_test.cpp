#include "topology/machine/pci_names.hpp"

#include <gtest/gtest.h>

namespace vgsim::topology {
namespace pci_names_test {

using inventory::DeviceKind;

TEST(PciKind, FollowsFromTheClass) {
  EXPECT_EQ(kind_of_pci({"0302", "10de", "2330", ""}), DeviceKind::kGpu);
  EXPECT_EQ(kind_of_pci({"0300", "10de", "27b2", ""}), DeviceKind::kGpu);
  EXPECT_EQ(kind_of_pci({"0380", "1002", "740f", ""}), DeviceKind::kGpu);
  EXPECT_EQ(kind_of_pci({"1200", "1002", "74a1", ""}), DeviceKind::kGpu);
  EXPECT_EQ(kind_of_pci({"0207", "15b3", "1021", ""}), DeviceKind::kNic);
  EXPECT_EQ(kind_of_pci({"0280", "15b3", "1013", ""}), DeviceKind::kNic);
  EXPECT_EQ(kind_of_pci({"0680", "10de", "22a3", ""}), DeviceKind::kNvSwitch);
  EXPECT_EQ(kind_of_pci({"0108", "144d", "a80a", ""}), DeviceKind::kStorage);
  EXPECT_EQ(kind_of_pci({"0604", "1000", "c030", ""}), DeviceKind::kBridge);
  EXPECT_EQ(kind_of_pci({"0403", "10de", "22bd", ""}), DeviceKind::kOther);
}

TEST(PciKind, ADisplayOfAManagementControllerIsNotAGpu) {
  EXPECT_EQ(kind_of_pci({"0300", "1a03", "2000", "ASPEED Graphics Family"}), DeviceKind::kOther);
  EXPECT_EQ(kind_of_pci({"0300", "102b", "0536", ""}), DeviceKind::kOther);
  EXPECT_EQ(kind_of_pci({"0300", "1002", "515e", "ES1000"}), DeviceKind::kOther);
  EXPECT_EQ(kind_of_pci({"0300", "1d0f", "1111", ""}), DeviceKind::kOther);
  EXPECT_EQ(kind_of_pci({"0680", "8086", "1234", ""}), DeviceKind::kOther);
}

TEST(PciKind, FollowsFromTheNameWithoutAClass) {
  EXPECT_EQ(kind_of_pci({"", "", "", "NVIDIA Corporation Device 2335"}), DeviceKind::kGpu);
  EXPECT_EQ(kind_of_pci({"", "", "", "NVIDIA Corporation Device 22a3"}), DeviceKind::kNvSwitch);
  EXPECT_EQ(kind_of_pci({"", "", "", "NVIDIA Corporation GH100 [H100 NVSwitch]"}),
            DeviceKind::kNvSwitch);
  EXPECT_EQ(kind_of_pci({"", "", "", "NVIDIA Corporation GA102 High Definition Audio Controller"}),
            DeviceKind::kOther);
  EXPECT_EQ(
      kind_of_pci(
          {"", "", "", "Advanced Micro Devices, Inc. [AMD/ATI] Aldebaran/MI200 [Instinct MI210]"}),
      DeviceKind::kGpu);
  EXPECT_EQ(kind_of_pci({"", "", "", "Mellanox Technologies MT2910 Family [ConnectX-7]"}),
            DeviceKind::kNic);
  EXPECT_EQ(kind_of_pci({"", "", "", "Intel Corporation I350 Gigabit Network Connection"}),
            DeviceKind::kNic);
  EXPECT_EQ(kind_of_pci({"", "", "", "Samsung Electronics Co Ltd NVMe SSD Controller PM174X"}),
            DeviceKind::kStorage);
  EXPECT_EQ(kind_of_pci({"", "", "", "Intel Corporation Device 09a2"}), DeviceKind::kOther);
}

TEST(PciNames, TellIds) {
  EXPECT_EQ(vendor_by_name("NVIDIA Corporation GH100 [H100 SXM5 80GB]"), "10de");
  EXPECT_EQ(vendor_by_name("Red Hat, Inc. Virtio network device"), "");
  EXPECT_EQ(device_by_name("NVIDIA Corporation Device 2bb5"), "2bb5");
  EXPECT_EQ(device_by_name("NVIDIA Corporation Device 2bb5 (something)"), "2bb5");
  EXPECT_EQ(device_by_name("NVIDIA Corporation GH100 [H100 SXM5 80GB]"), "");
  EXPECT_EQ(device_by_name("NVIDIA Corporation Device"), "");
  EXPECT_EQ(device_by_name("NVIDIA Corporation Device 2bb"), "");
  EXPECT_EQ(pci_class_by_name("3D controller"), "0302");
  EXPECT_EQ(pci_class_by_name("SATA controller"), "");
}

}  // namespace pci_names_test
}  // namespace vgsim::topology
