#pragma once

#include "models/collectives/fidelity.hpp"
#include "models/scenario/build/placement.hpp"
#include "models/scenario/build/run_settings.hpp"

namespace vgsim::scenario {

/// How a job's network is laid out: folded where the settings allow to use symmetry and neither
/// chunks, varying ranks nor a collective with a root forbid it.
[[nodiscard]] Form form_of(const Placement& placement, const RunSettings& settings);

/// The fidelity that the settings, else the job ask for.
[[nodiscard]] collectives::Fidelity fidelity_of(const Placement& placement,
                                                const RunSettings& settings);

/// Throws LimitExceeded, with the estimate, if running the job is estimated to need more memory
/// than the settings allow. The estimate is rough: it comes from the numbers of tasks and links.
void check_memory(const Placement& placement, const RunSettings& settings, Form form);

}  // namespace vgsim::scenario
