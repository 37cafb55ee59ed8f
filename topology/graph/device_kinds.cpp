#include "topology/graph/device_kinds.hpp"

namespace vgsim::topology {

const char* to_string(NodeKind kind) {
  switch (kind) {
    case NodeKind::kSocket:
      return "socket";
    case NodeKind::kMemory:
      return "memory";
    case NodeKind::kRootComplex:
      return "root-complex";
    case NodeKind::kPcieSwitch:
      return "pcie-switch";
    case NodeKind::kGpu:
      return "gpu";
    case NodeKind::kNvSwitch:
      return "nvswitch";
    case NodeKind::kNic:
      return "nic";
    case NodeKind::kStorage:
      return "storage";
  }
  return "?";
}

const char* to_string(LinkKind kind) {
  switch (kind) {
    case LinkKind::kNvLink:
      return "nvlink";
    case LinkKind::kPcie:
      return "pcie";
    case LinkKind::kOnDie:
      return "on-die";
    case LinkKind::kSocketLink:
      return "socket-link";
    case LinkKind::kMemoryBus:
      return "memory";
    case LinkKind::kStorage:
      return "storage";
    case LinkKind::kRootPort:
      return "root-port";
    case LinkKind::kNicPort:
      return "nic";
    case LinkKind::kFabric:
      return "fabric";
    case LinkKind::kNicFunction:
      return "nic-function";
    case LinkKind::kCpu:
      return "cpu";
  }
  return "?";
}

}  // namespace vgsim::topology
