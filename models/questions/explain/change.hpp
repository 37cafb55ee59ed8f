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

/// A candidate change of a layout, which a further simulation tests. Nothing is simulated here.
struct Change {
  std::string id;                       ///< unique within a layout: "faster-nic"
  std::string title;                    ///< "connectx-7-ndr-400g instead of connectx-6-dx-100g"
  std::vector<Override> overrides;      ///< settings of the scenario
  std::vector<std::string> needs;       ///< preconditions, as text
  std::map<std::string, double> parts;  ///< parts to buy: number of pieces by catalogue name
  /// The change also changes the training: a larger batch, gradients of another type.
  bool changes_training = false;
  /// An alternative value of an assumption, not a possible change.
  bool is_assumption = false;
  /// It changes how data moves, and not the passes: no iteration becomes shorter than its passes.
  bool is_of_traffic = false;
};

/// The layout to change.
struct ChangeContext {
  const Document& document;          ///< its scenario with expanded names, without other layouts
  const PreparedScenario& prepared;  ///< the prepared `document`
  const LayoutResult& result;        ///< its result (with RunSettings::record)
  const Library& library;
};

/// Each function adds candidate changes of one area, whether they help or not; some may be
/// impossible for this layout.
void add_faster_nics(const ChangeContext& at, std::vector<Change>& changes);
void add_nic_changes(const ChangeContext& at, std::vector<Change>& changes);
void add_fabric_changes(const ChangeContext& at, std::vector<Change>& changes);
void add_gpu_changes(const ChangeContext& at, std::vector<Change>& changes);
void add_guest_changes(const ChangeContext& at, std::vector<Change>& changes);
void add_peer_changes(const ChangeContext& at, std::vector<Change>& changes);
void add_input_changes(const ChangeContext& at, std::vector<Change>& changes);
void add_gradient_changes(const ChangeContext& at, std::vector<Change>& changes);
void add_parallelism_changes(const ChangeContext& at, std::vector<Change>& changes);
void add_nccl_changes(const ChangeContext& at, std::vector<Change>& changes);
void add_disturbance_changes(const ChangeContext& at, std::vector<Change>& changes);

/// Alternative values of the layout's assumptions: first those that determine paths, then rates,
/// then NCCL.
[[nodiscard]] std::vector<Change> assumptions_of(const ChangeContext& at);

}  // namespace vgsim::scenario
