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
  }
  return "?";
}

}  // namespace vgsim::vsphere
