#pragma once

#include <span>

#include "topology/input/error_codes.hpp"

/// Codes of all importers, and of building a host from what they read.
namespace vgsim::topology::import_codes {

using input::ErrorCode;

/// E501 to E519: an XML file, or one of NCCL's, that no tool writes.
inline constexpr ErrorCode kBadXml{"E501", "the text is not well-formed XML"};
inline constexpr ErrorCode kEndsEarly{"E502", "the XML file is empty or ends too early"};
inline constexpr ErrorCode kForbiddenXml{"E503", "a DOCTYPE, entity or processing instruction"};
inline constexpr ErrorCode kTooLarge{"E504", "larger or deeper than the topology of any host"};
inline constexpr ErrorCode kNotNccl{"E505", "not an NCCL topology, or one of another version"};
inline constexpr ErrorCode kAmdGpus{"E506", "a topology of AMD GPUs"};
inline constexpr ErrorCode kMisplaced{"E507", "an element where NCCL puts none"};
inline constexpr ErrorCode kBadAttribute{"E508", "an attribute that is missing or cannot be read"};
inline constexpr ErrorCode kAttributeRange{"E509", "a number beyond anything real"};
inline constexpr ErrorCode kSameGpu{"E510", "two GPUs that cannot be told apart"};

/// E520 to E529: the file is good, but no host can be built from it.
inline constexpr ErrorCode kSeveralHosts{"E520", "a topology of several hosts in one file"};
inline constexpr ErrorCode kNoGpu{"E521", "a topology without any GPU"};
inline constexpr ErrorCode kUnknownDevice{"E522",
                                          "devices of which the file does not say the kind"};
inline constexpr ErrorCode kNvLinkMismatch{"E523", "NVLinks that two GPUs count differently"};
inline constexpr ErrorCode kBadCompletion{"E524", "a completion that does not fit the file"};
inline constexpr ErrorCode kCatalogueGap{"E525", "a part that the import needs is not catalogued"};

/// E531 and up: a dump of another format.
inline constexpr ErrorCode kNotThisFormat{"E531",
                                          "the text is not of the format that it is read as"};
inline constexpr ErrorCode kNothingInIt{"E532", "the file ends early, or tells nothing"};
inline constexpr ErrorCode kTooMuch{"E533", "larger or deeper than any real dump"};
inline constexpr ErrorCode kBadValue{"E534", "a value that is missing or cannot be read"};
inline constexpr ErrorCode kUnreadVersion{"E535", "a version of the format that cannot be read"};
inline constexpr ErrorCode kUnknownFormat{"E536", "no importer knows the format"};
inline constexpr ErrorCode kDoNotFit{"E537", "files that cannot be of one host"};

/// W501 and up: odd, but imported.
inline constexpr ErrorCode kUnknownElement{"W501", "an element that is not read"};
inline constexpr ErrorCode kUnknownAttribute{"W502", "an attribute that is not read"};
inline constexpr ErrorCode kStrayText{"W503", "text between elements"};
inline constexpr ErrorCode kSameBusId{"W504", "devices that share a bus id"};
inline constexpr ErrorCode kNvLinkIgnored{"W505", "an NVLink that leads nowhere"};
inline constexpr ErrorCode kSameNumaNode{"W506", "a NUMA node that is listed twice"};
inline constexpr ErrorCode kDeviceIgnored{"W507", "a device that is not modelled"};
inline constexpr ErrorCode kOddSpeed{"W508", "a port that is faster than any"};
inline constexpr ErrorCode kOddValue{"W531", "a value that cannot be, and is passed over"};
inline constexpr ErrorCode kContradiction{"W532", "two files, or two places of one, that disagree"};

/// All of the above, sorted by code.
[[nodiscard]] std::span<const ErrorCode> all();

}  // namespace vgsim::topology::import_codes
