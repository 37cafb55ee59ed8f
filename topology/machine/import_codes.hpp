#pragma once

#include <span>

#include "topology/input/error_codes.hpp"

/// Error codes of all importers, and of building a host from an import.
namespace vgsim::topology::import_codes {

using input::ErrorCode;

/// E501 to E519: an invalid XML file or NCCL file.
inline constexpr ErrorCode kBadXml{"E501", "the text is not well-formed XML"};
inline constexpr ErrorCode kEndsEarly{"E502", "the XML file is empty or ends too early"};
inline constexpr ErrorCode kForbiddenXml{"E503", "a DOCTYPE, entity or processing instruction"};
inline constexpr ErrorCode kTooLarge{"E504", "larger or deeper than any host topology"};
inline constexpr ErrorCode kNotNccl{"E505", "not an NCCL topology, or one of another version"};
inline constexpr ErrorCode kAmdGpus{"E506", "AMD GPUs"};
inline constexpr ErrorCode kMisplaced{"E507", "an element at a place where NCCL has none"};
inline constexpr ErrorCode kBadAttribute{"E508", "an attribute that is missing or cannot be read"};
inline constexpr ErrorCode kAttributeRange{"E509", "an implausible number"};
inline constexpr ErrorCode kSameGpu{"E510", "two GPUs that cannot be distinguished"};

/// E520 to E529: a valid file from which no host can be built.
inline constexpr ErrorCode kSeveralHosts{"E520", "a topology of several hosts in one file"};
inline constexpr ErrorCode kNoGpu{"E521", "a topology without any GPU"};
inline constexpr ErrorCode kUnknownDevice{"E522", "devices whose kind is not in the file"};
inline constexpr ErrorCode kNvLinkMismatch{"E523", "NVLinks that two GPUs count differently"};
inline constexpr ErrorCode kBadCompletion{"E524", "a completion that does not fit the file"};
inline constexpr ErrorCode kCatalogueGap{"E525",
                                         "a part needed by the import is not in the catalogue"};

/// E531 and up: a dump of another format.
inline constexpr ErrorCode kNotThisFormat{"E531", "the text does not have the selected format"};
inline constexpr ErrorCode kNothingInIt{"E532", "the file ends early, or contains no data"};
inline constexpr ErrorCode kTooMuch{"E533", "larger or deeper than any real dump"};
inline constexpr ErrorCode kBadValue{"E534", "a value that is missing or cannot be read"};
inline constexpr ErrorCode kUnreadVersion{"E535", "a version of the format that cannot be read"};
inline constexpr ErrorCode kUnknownFormat{"E536", "no importer for this format"};
inline constexpr ErrorCode kDoNotFit{"E537", "files that cannot describe one host"};

/// W501 and up: unusual input that is imported.
inline constexpr ErrorCode kUnknownElement{"W501", "an element that is not read"};
inline constexpr ErrorCode kUnknownAttribute{"W502", "an attribute that is not read"};
inline constexpr ErrorCode kStrayText{"W503", "text between elements"};
inline constexpr ErrorCode kSameBusId{"W504", "devices that share a bus id"};
inline constexpr ErrorCode kNvLinkIgnored{"W505", "an NVLink without a remote device"};
inline constexpr ErrorCode kSameNumaNode{"W506", "a NUMA node that is listed twice"};
inline constexpr ErrorCode kDeviceIgnored{"W507", "a device that is not modelled"};
inline constexpr ErrorCode kOddSpeed{"W508", "a port faster than any known one"};
inline constexpr ErrorCode kOddValue{"W531", "an impossible value, which is ignored"};
inline constexpr ErrorCode kContradiction{"W532", "two files, or two places of one, that disagree"};

/// All of the above, sorted by code.
[[nodiscard]] std::span<const ErrorCode> all();

}  // namespace vgsim::topology::import_codes
