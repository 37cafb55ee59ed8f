#include "tools/probe/cuda/facts/machine_facts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cstddef>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>

#include "tools/probe/cuda/facts/hypervisor.hpp"
#include "tools/probe/cuda/facts/nccl_facts.hpp"
#include "tools/probe/cuda/facts/processor.hpp"
#include "tools/probe/cuda/libraries/driver_api.hpp"
#include "tools/probe/cuda/libraries/management_library.hpp"
#include "tools/probe/cuda/text_file.hpp"

namespace vgsim::probe::cuda {
namespace {

/// Without the escape sequences of terminal colours: ESC [ ... letter.
std::string plain(const std::string& text) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\x1b') {
      result += text[i];
      continue;
    }
    if (i + 1 >= text.size() || text[i + 1] != '[') continue;
    i += 2;
    while (i < text.size() && std::isalpha(static_cast<unsigned char>(text[i])) == 0) ++i;
  }
  return result;
}

/// The NUMA node nearest to a PCI device.
std::optional<std::size_t> numa_node_of(const std::string& pci_address) {
  const std::string text = text_of_file("/sys/bus/pci/devices/" + pci_address + "/numa_node");
  std::size_t node = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), node);
  return error == std::errc() ? std::optional(node) : std::nullopt;
}

/// The output of `nvidia-smi topo -m` as plain text.
std::string topology_matrix() {
  const auto close = [](std::FILE* pipe) { pclose(pipe); };
  std::unique_ptr<std::FILE, decltype(close)> pipe(popen("nvidia-smi topo -m 2>/dev/null", "r"),
                                                   close);
  if (!pipe) return {};
  std::string text;
  std::array<char, 4096> part{};
  while (const std::size_t count = std::fread(part.data(), 1, part.size(), pipe.get())) {
    text.append(part.data(), count);
  }
  return pclose(pipe.release()) == 0 ? plain(text) : "";
}

std::string name_of(CUdevice device) {
  std::array<char, 256> name{};
  check(driver().device_name(name.data(), static_cast<int>(name.size()), device),
        "cuDeviceGetName");
  return name.data();
}

/// In lower case, as in Linux.
std::string pci_address_of(CUdevice device) {
  std::array<char, 32> address{};
  check(driver().device_pci_address(address.data(), static_cast<int>(address.size()), device),
        "cuDeviceGetPCIBusId");
  std::string text = address.data();
  std::transform(text.begin(), text.end(), text.begin(), [](char c) {
    return static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  });
  return text;
}

std::size_t megahertz(const Gpu& gpu, CUdevice_attribute attribute) {
  return static_cast<std::size_t>(gpu.attribute(attribute)) / 1000;
}

calibration::MeasuredGpu facts_of(const Gpu& gpu) {
  calibration::MeasuredGpu facts;
  facts.name = name_of(gpu.device());
  // A MIG instance is named "NVIDIA H100 80GB HBM3 MIG 1g.10gb".
  const std::string mark = " MIG ";
  const std::size_t mig = facts.name.find(mark);
  if (mig != std::string::npos) {
    facts.mig = facts.name.substr(mig + mark.size());
    facts.name.resize(mig);
  }
  facts.pci_address = pci_address_of(gpu.device());
  facts.compute_capability =
      fmt::format("{}.{}", gpu.attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR),
                  gpu.attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR));
  std::size_t memory = 0;
  check(driver().device_memory(&memory, gpu.device()), "cuDeviceTotalMem");
  facts.memory = Bytes{static_cast<std::int64_t>(memory)};
  facts.multiprocessors = gpu.multiprocessors();
  facts.clock_mhz = megahertz(gpu, CU_DEVICE_ATTRIBUTE_CLOCK_RATE);
  facts.memory_clock_mhz = megahertz(gpu, CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE);
  facts.numa_node = numa_node_of(facts.pci_address);
  facts.virtualization = virtualization_of(facts.pci_address);
  return facts;
}

std::string cuda_version() {
  int version = 0;
  check(driver().version(&version), "cuDriverGetVersion");
  return fmt::format("{}.{}", version / 1000, version % 1000 / 10);
}

}  // namespace

/// Sources: the CUDA driver for GPUs, NVML for driver version and virtualization, the operating
/// system for the host, NCCL for its topology. A missing source leaves its part empty.
calibration::MeasuredMachine machine_facts(Gpus& gpus) {
  calibration::MeasuredMachine machine;
  for (std::size_t i = 0; i < gpus.count(); ++i) machine.gpus.push_back(facts_of(*gpus.at(i)));
  machine.driver = driver_version();
  machine.cuda = cuda_version();
  machine.nccl = nccl_version();
  machine.processor = processor_fact("model name");
  machine.hypervisor = hypervisor();
  machine.topology_matrix = topology_matrix();
  machine.nccl_topology = nccl_topology(gpus);
  return machine;
}

}  // namespace vgsim::probe::cuda
