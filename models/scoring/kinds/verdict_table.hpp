#pragma once

#include <optional>
#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "models/scenario/read/document.hpp"
#include "models/vsphere/facts/rules.hpp"
#include "topology/input/diagnostics.hpp"
#include "topology/input/origin.hpp"
#include "topology/input/shapes/shape.hpp"
#include "topology/input/source_file.hpp"

namespace vgsim::scoring {

inline constexpr const char* kVerdictTableFormat = "vgsim.verdicts/1";

/// A sourced verdict on a scenario: whether it is supported, or whether its VMs have an operation
/// or another feature.
struct ExpectedVerdict {
  std::string id;
  std::string claim;                ///< one sentence
  std::string sources;              ///< titles, addresses and dates
  scenario::Document scenario;      ///< complete, with one layout
  std::string feature;              ///< "vmotion"; empty: powering on
  std::vector<std::string> losses;  ///< rules that take the feature away
  bool is_supported = false;        ///< else it is refused, or the feature lost
  std::optional<std::string> rule;  ///< that must be among the reasons, or the code of an error
};

/// Verdicts on one area, such as "migration".
struct VerdictTable {
  input::At<std::string> area;
  std::string title;
  std::vector<ExpectedVerdict> verdicts;
};

/// A table of verdicts: "sources" and "bases" (scenarios) by name, and verdicts, each with a merge
/// patch (RFC 7396) over a base. "features" lists the rules that make a feature unavailable that is
/// not an operation.
[[nodiscard]] input::Shape verdict_table_shape();

/// Reads such a file, strictly: scenarios have the form of one, but are not built. Reports unknown
/// sources, bases, rules and features, verdicts against something that rest on recall alone, and
/// combined ones of a single source.
[[nodiscard]] tl::expected<VerdictTable, input::Diagnostics> read_verdict_table(
    const input::SourcePtr& file, const vsphere::Rules& rules);

}  // namespace vgsim::scoring
