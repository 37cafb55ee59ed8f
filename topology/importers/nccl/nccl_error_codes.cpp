#include "topology/importers/nccl/nccl_error_codes.hpp"

#include <array>

namespace vgsim::topology::nccl_codes {

std::span<const ErrorCode> all() {
  static constexpr std::array kAll = {
      kBadXml,        kEndsEarly,      kForbiddenXml,     kTooLarge,       kNotNccl,
      kAmdGpus,       kMisplaced,      kBadAttribute,     kAttributeRange, kSameGpu,
      kSeveralHosts,  kNoGpu,          kUnknownDevice,    kNvLinkMismatch, kBadCompletion,
      kCatalogueGap,  kUnknownElement, kUnknownAttribute, kStrayText,      kSameBusId,
      kNvLinkIgnored, kSameNumaNode,   kDeviceIgnored,    kOddSpeed};
  return kAll;
}

}  // namespace vgsim::topology::nccl_codes
