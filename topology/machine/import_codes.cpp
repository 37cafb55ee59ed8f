#include "topology/machine/import_codes.hpp"

#include <array>

namespace vgsim::topology::import_codes {

std::span<const ErrorCode> all() {
  static constexpr std::array kAll = {
      kBadXml,        kEndsEarly,     kForbiddenXml,  kTooLarge,       kNotNccl,
      kAmdGpus,       kMisplaced,     kBadAttribute,  kAttributeRange, kSameGpu,
      kSeveralHosts,  kNoGpu,         kUnknownDevice, kNvLinkMismatch, kBadCompletion,
      kCatalogueGap,  kNotThisFormat, kNothingInIt,   kTooMuch,        kBadValue,
      kUnreadVersion, kUnknownFormat, kDoNotFit,      kUnknownElement, kUnknownAttribute,
      kStrayText,     kSameBusId,     kNvLinkIgnored, kSameNumaNode,   kDeviceIgnored,
      kOddSpeed,      kOddValue,      kContradiction};
  return kAll;
}

}  // namespace vgsim::topology::import_codes
