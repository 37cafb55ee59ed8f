#include "models/vsphere/spec/vm_spec.hpp"

namespace vgsim::vsphere {

const char* to_string(GpuMode mode) {
  switch (mode) {
    case GpuMode::kBareMetal:
      return "bare metal";
    case GpuMode::kPassthrough:
      return "passthrough";
    case GpuMode::kVgpu:
      return "vgpu";
  }
  return "?";
}

const char* to_string(NicMode mode) {
  switch (mode) {
    case NicMode::kSriov:
      return "sriov";
    case NicMode::kEnhancedDirectPath:
      return "enhanced_directpath";
    case NicMode::kPvrdma:
      return "pvrdma";
    case NicMode::kVmxnet3:
      return "vmxnet3";
    case NicMode::kBareMetal:
    case NicMode::kPassthrough:
      break;
  }
  return "passthrough";
}

const char* to_string(Operation operation) {
  switch (operation) {
    case Operation::kVmotion:
      return "vmotion";
    case Operation::kDrs:
      return "drs";
    case Operation::kHa:
      return "ha";
    case Operation::kSuspend:
      return "suspend";
    case Operation::kSnapshot:
      return "snapshot";
  }
  return "?";
}

}  // namespace vgsim::vsphere
