#include "tools/probe/cuda/libraries/management_library.hpp"

#include <array>
#include <cctype>
#include <sstream>

#include "tools/probe/cuda/libraries/shared_library.hpp"
#include "tools/probe/cuda/text_file.hpp"
#include "tools/probe/device_layer.hpp"

// nvml.h is in an optional part of the toolkit, so the used functions are declared here.
extern "C" {
using nvmlDevice_t = struct nvmlDevice_st*;
int nvmlInit_v2();
int nvmlShutdown();
int nvmlSystemGetDriverVersion(char* version, unsigned length);
int nvmlDeviceGetHandleByPciBusId_v2(const char* address, nvmlDevice_t* device);
int nvmlDeviceGetVirtualizationMode(nvmlDevice_t device, int* mode);
}

namespace vgsim::probe::cuda {
namespace {

/// NVML, initialized during its lifetime.
class ManagementLibrary {
 public:
  /// Throws DeviceError.
  ManagementLibrary() {
    if (VGSIM_SYMBOL(library_, nvmlInit_v2)() != 0) throw DeviceError("nvmlInit_v2 failed");
  }
  ManagementLibrary(const ManagementLibrary&) = delete;
  ManagementLibrary& operator=(const ManagementLibrary&) = delete;
  ~ManagementLibrary() { shutdown_(); }

  [[nodiscard]] std::string driver_version() const {
    std::array<char, 96> version{};
    const auto get = VGSIM_SYMBOL(library_, nvmlSystemGetDriverVersion);
    return get(version.data(), version.size() - 1) == 0 ? version.data() : "";
  }

  [[nodiscard]] std::string virtualization(const std::string& pci_address) const {
    const auto find = VGSIM_SYMBOL(library_, nvmlDeviceGetHandleByPciBusId_v2);
    const auto get = VGSIM_SYMBOL(library_, nvmlDeviceGetVirtualizationMode);
    nvmlDevice_t device = nullptr;
    int mode = 0;
    if (find(pci_address.c_str(), &device) != 0 || get(device, &mode) != 0) return {};
    if (mode == 0) return "none";
    if (mode == 1) return "passthrough";
    return mode == 2 ? "vgpu" : "";
  }

 private:
  SharedLibrary library_{{"libnvidia-ml.so.1"}};
  decltype(&nvmlShutdown) shutdown_ = VGSIM_SYMBOL(library_, nvmlShutdown);
};

/// The first word in the kernel module's version file that looks like a version.
std::string kernel_module_version() {
  std::istringstream words(text_of_file("/proc/driver/nvidia/version"));
  for (std::string word; words >> word;) {
    const bool begins = std::isdigit(static_cast<unsigned char>(word.front())) != 0;
    if (begins && word.find('.') != std::string::npos) return word;
  }
  return {};
}

}  // namespace

std::string driver_version() {
  try {
    const std::string version = ManagementLibrary().driver_version();
    if (!version.empty()) return version;
  } catch (const DeviceError&) {
    return kernel_module_version();
  }
  return kernel_module_version();
}

std::string virtualization_of(const std::string& pci_address) {
  try {
    return ManagementLibrary().virtualization(pci_address);
  } catch (const DeviceError&) {
    return {};
  }
}

}  // namespace vgsim::probe::cuda
