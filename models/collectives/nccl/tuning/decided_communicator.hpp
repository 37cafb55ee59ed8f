#pragma once

#include "models/collectives/nccl/decision.hpp"
#include "models/collectives/nccl/tuning/communicator.hpp"

namespace vgsim::collectives::nccl {

/// The communicator that results from NCCL's detection and search, for its cost model.
[[nodiscard]] Communicator communicator_of(const Decision& decision, const Settings& settings,
                                           const Constants& constants);

/// The constants with the settings that replace some of them: buffer sizes and numbers of threads.
[[nodiscard]] Constants with_settings(Constants constants, const Settings& settings);

}  // namespace vgsim::collectives::nccl
