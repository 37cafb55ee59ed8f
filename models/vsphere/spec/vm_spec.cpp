#include "models/vsphere/spec/vm_spec.hpp"

namespace vgsim::vsphere {

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
    case Operation::kFaultTolerance:
      return "fault_tolerance";
  }
  return "?";
}

const char* title_of(Operation operation) {
  switch (operation) {
    case Operation::kVmotion:
      return "vMotion";
    case Operation::kDrs:
      return "DRS";
    case Operation::kHa:
      return "HA";
    case Operation::kSuspend:
      return "suspend";
    case Operation::kSnapshot:
      return "snapshots";
    case Operation::kFaultTolerance:
      return "Fault Tolerance";
  }
  return "?";
}

}  // namespace vgsim::vsphere
