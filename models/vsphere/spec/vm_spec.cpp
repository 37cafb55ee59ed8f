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
