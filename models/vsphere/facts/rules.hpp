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

/// What a rule means for a layout that it bites.
enum class Verdict : std::uint8_t {
  kRefused,  ///< cannot be powered on, or must not be run
  kPrice,    ///< accepted, but costs something
  kNote,     ///< worth knowing
};

[[nodiscard]] const char* to_string(Verdict verdict);

/// How well a rule is known.
struct Standing {
  std::string evidence;    ///< "documented", "measured", "recalled", "inferred" or "assumed"
  std::string confidence;  ///< "high", "medium" or "low"
  std::string disputed;    ///< what another source says instead, and which; empty if none does

  bool operator==(const Standing&) const = default;
};

/// In words: "documented, confidence medium; disputed: ...".
[[nodiscard]] std::string to_string(const Standing& standing);

/// A rule of vSphere, of vGPU or of NCCL in a guest. Its id is short and stable: "mmio-too-small".
struct Rule {
  std::string id;
  Verdict verdict = Verdict::kNote;
  std::string from;               ///< the first version of vSphere in which it can bite
  std::optional<std::string> to;  ///< and the last, where it has ended
  Standing standing;
  std::string title;   ///< what the rule says
  std::string why;     ///< and why
  std::string remedy;  ///< what to do about it
  std::vector<Citation> sources;
  bool not_priced = false;  ///< what it speaks of adds nothing to a time or cost
};

using Rules = input::NameTable<Rule>;

/// The shape of `configs/vsphere/rules.json`.
[[nodiscard]] input::Shape rules_shape();

/// Reads that file; of a checked one (input::SourceFile) each rule when it is first asked for.
[[nodiscard]] tl::expected<Rules, input::Diagnostics> read_rules(const input::SourcePtr& file);

}  // namespace vgsim::vsphere
