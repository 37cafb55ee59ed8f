#pragma once

#include <map>

#include "models/collectives/lowering.hpp"
#include "models/scenario/build/placement.hpp"
#include "models/scenario/read/library.hpp"
#include "models/scenario/run/result.hpp"

namespace vgsim::scenario {

/// Warns if NCCL's cost model chooses an algorithm that is clearly slower in this model than
/// another one that NCCL rates nearly as fast, with both estimates of both: a faster part can then
/// slow a job down because NCCL changes its choice. `calls`: sizes of the collective, and the
/// number of calls of each; the size with the largest loss is reported.
void warn_of_slow_choices(const Placement& placement, const Library& library,
                          collectives::Collective collective,
                          const std::map<Bytes, std::size_t>& calls,
                          collectives::Lowering& lowering, LayoutResult& result);

}  // namespace vgsim::scenario
