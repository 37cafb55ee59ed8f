#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

#include "models/vsphere/facts/cited.hpp"
#include "topology/input/diagnostics.hpp"
#include "topology/input/name_table.hpp"
#include "topology/input/shapes/shape.hpp"
#include "topology/input/source_file.hpp"

namespace vgsim::vsphere {

/// The consequence of a rule for a layout that it applies to.
enum class Verdict : std::uint8_t {
  kRefused,  ///< cannot be powered on, or is not supported
  kWarning,  ///< allowed with caveats
  kNote,     ///< information
};

[[nodiscard]] const char* to_string(Verdict verdict);

/// The evidence for a rule and the confidence in it. Evidence is the best of its sources
/// (Citation::evidence), or "inferred" if it follows from several. Confidence is high for sources
/// that were read completely or measured and have an address; medium for the same without an
/// address, for excerpts, and for inferences from sources that were read or measured; low for the
/// rest; one step lower if a source disputes the rule.
struct Evidence {
  std::string kind;        ///< "read", "inferred" ...: as Citation::evidence
  std::string confidence;  ///< "high", "medium" or "low"
  std::string disputed;    ///< a disagreeing source and its statement; empty if there is none

  bool operator==(const Evidence&) const = default;
};

/// In words: "excerpt, confidence medium; disputed: ...".
[[nodiscard]] std::string to_string(const Evidence& evidence);

/// A rule of vSphere, of vGPU or of NCCL in a guest. Its id is short and stable: "mmio-too-small".
struct Rule {
  std::string id;
  Verdict verdict = Verdict::kNote;
  std::string from;               ///< first version of vSphere in which it can apply
  std::optional<std::string> to;  ///< last version, if it no longer applies
  Evidence evidence;
  std::string title;   ///< the rule in one sentence
  std::string why;     ///< its reason
  std::string remedy;  ///< possible changes
  std::vector<Citation> sources;
  bool is_support = false;  ///< states what a vendor supports; the system works all the same
  bool not_priced = false;  ///< its subject adds nothing to a time or cost
};

using Rules = input::NameTable<Rule>;

/// The shape of `configs/vsphere/rules.json`.
[[nodiscard]] input::Shape rules_shape();

/// Reads that file; of a checked one (input::SourceFile) each rule when it is first asked for.
[[nodiscard]] tl::expected<Rules, input::Diagnostics> read_rules(const input::SourcePtr& file);

}  // namespace vgsim::vsphere
