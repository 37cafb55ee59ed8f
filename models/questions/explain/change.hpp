#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "models/scenario/read/overrides.hpp"
#include "models/scenario/run/result.hpp"

namespace vgsim::scenario {

struct Library;
struct PreparedScenario;

/// Something that the user could do about a layout.
struct Change {
  std::string id;                       ///< "faster-nic"
  std::string title;                    ///< "connectx-7-ndr-400g instead of connectx-6-dx-100g"
  std::vector<Override> overrides;      ///< what that is in the scenario
  std::vector<std::string> needs;       ///< what must be there first, in words
  std::map<std::string, double> parts;  ///< what is bought, by catalogue name, and how many
  /// What is trained or what comes out is not the same any more: a larger batch, gradients of
  /// another type.
  bool alters_training = false;
  /// The other value of something that no input tells; not a change that anyone can make.
  bool is_assumption = false;
};

/// A layout that changes are looked for.
struct Situation {
  const Document& document;          ///< its scenario with single names, and no other layout
  const PreparedScenario& prepared;  ///< the same
  const LayoutResult& result;        ///< what came out of it (with RunSettings::record)
  const Library& library;
};

/// What might help, whether it does or not; changes that cannot be made of this layout may be among
/// them. Each looks at one side of it.
void add_faster_nics(const Situation& at, std::vector<Change>& changes);
void add_nic_changes(const Situation& at, std::vector<Change>& changes);
void add_fabric_changes(const Situation& at, std::vector<Change>& changes);
void add_gpu_changes(const Situation& at, std::vector<Change>& changes);
void add_guest_changes(const Situation& at, std::vector<Change>& changes);
void add_input_changes(const Situation& at, std::vector<Change>& changes);
void add_gradient_changes(const Situation& at, std::vector<Change>& changes);
void add_parallelism_changes(const Situation& at, std::vector<Change>& changes);
void add_nccl_changes(const Situation& at, std::vector<Change>& changes);
void add_disturbance_changes(const Situation& at, std::vector<Change>& changes);

/// What was taken for things that no input tells, the other way round: first what decides by which
/// ways data goes, then how fast these are, then what NCCL makes of them.
[[nodiscard]] std::vector<Change> assumptions_of(const Situation& at);

}  // namespace vgsim::scenario
