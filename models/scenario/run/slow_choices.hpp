#pragma once

#include <map>

#include "models/collectives/lowering.hpp"
#include "models/scenario/build/placement.hpp"
#include "models/scenario/read/library.hpp"
#include "models/scenario/run/result.hpp"

namespace vgsim::scenario {

/// Says where NCCL's cost model takes an algorithm that the model of this program finds clearly
/// slower than another one that NCCL holds for nearly as fast, with both estimates of both: a job
/// may get slower by a faster part because NCCL changes its mind. `calls` are sizes of the
/// collective, and how often each is called; the size that loses most is reported.
void warn_of_slow_choices(const Placement& placement, const Library& library,
                          collectives::Collective collective,
                          const std::map<Bytes, std::size_t>& calls,
                          collectives::Lowering& lowering, LayoutResult& result);

}  // namespace vgsim::scenario
