#pragma once

#include <fmt/core.h>

#include <string>
#include <vector>

#include "models/collectives/nccl/machine.hpp"

namespace vgsim::collectives::nccl::machines {

/// GB/s of PCIe x16 as NCCL computes it.
inline constexpr double kGen4 = 24;
inline constexpr double kGen5 = 48;

inline std::string bus(int number) { return fmt::format("0000:{:02x}:00.0", number); }

inline MachinePci gpu(int rank, int sm, double pcie, std::vector<MachineNvLink> nvlinks = {}) {
  MachinePci pci;
  pci.bus_id = bus(0x10 + rank);
  pci.bandwidth = pcie;
  pci.gpu = MachineGpu{rank, sm, true, rank, std::move(nvlinks), 0};
  return pci;
}

inline MachinePci nic(int dev, double bandwidth, double pcie) {
  MachinePci pci;
  pci.bus_id = bus(0x80 + dev);
  pci.bandwidth = pcie;
  pci.has_nic = true;
  MachineNet net;
  net.name = fmt::format("mlx5_{}", dev);
  net.dev = dev;
  net.bandwidth = bandwidth;
  net.port = 1;
  net.guid = 0x1000u + static_cast<unsigned>(dev);
  net.gdr = true;
  pci.nets.push_back(net);
  return pci;
}

inline MachinePci pci_switch(int number, double pcie, std::vector<MachinePci> below) {
  MachinePci pci;
  pci.bus_id = bus(0xa0 + number);
  pci.bandwidth = pcie;
  pci.children = std::move(below);
  return pci;
}

inline MachineCpu cpu(int numa_id, CpuVendor vendor, CpuModel model,
                      std::vector<MachinePci> below) {
  MachineCpu socket;
  socket.numa_id = numa_id;
  socket.vendor = vendor;
  socket.model = model;
  socket.pcis = std::move(below);
  return socket;
}

/// A VM with its GPUs and a 100 Gb/s NIC on one virtual root of an Ice Lake host.
inline Machine flat(int gpus, std::vector<std::vector<MachineNvLink>> nvlinks = {}) {
  std::vector<MachinePci> devices;
  nvlinks.resize(static_cast<std::size_t>(gpus));
  for (int i = 0; i < gpus; ++i) {
    devices.push_back(gpu(i, 80, kGen4, nvlinks[static_cast<std::size_t>(i)]));
  }
  devices.push_back(nic(0, 12.5, kGen4));
  return {{cpu(0, CpuVendor::kIntel, CpuModel::kSkylake, std::move(devices))}};
}

/// Eight H100 behind NVSwitches, each on a PCIe switch with a 400 Gb/s NIC, four per socket.
inline Machine hopper_baseboard() {
  Machine machine;
  for (int socket = 0; socket < 2; ++socket) {
    std::vector<MachinePci> switches;
    for (int i = 4 * socket; i < 4 * socket + 4; ++i) {
      switches.push_back(pci_switch(
          i, kGen5, {gpu(i, 90, kGen5, {{NvLinkEnd::kSwitch, "", 18}}), nic(i, 50, kGen5)}));
    }
    machine.cpus.push_back(
        cpu(socket, CpuVendor::kIntel, CpuModel::kSapphireRapids, std::move(switches)));
  }
  return machine;
}

/// Two sockets, each with a Gen4 switch above four A100 and a 100 Gb/s NIC.
inline Machine two_switches(CpuVendor vendor, CpuModel model) {
  Machine machine;
  for (int socket = 0; socket < 2; ++socket) {
    std::vector<MachinePci> below;
    for (int i = 4 * socket; i < 4 * socket + 4; ++i) below.push_back(gpu(i, 80, kGen4));
    below.push_back(nic(socket, 12.5, kGen4));
    machine.cpus.push_back(
        cpu(socket, vendor, model, {pci_switch(socket, kGen4, std::move(below))}));
  }
  return machine;
}

}  // namespace vgsim::collectives::nccl::machines
