#pragma once

#include <vector>

#include "models/collectives/ring.hpp"
#include "models/scenario/cluster.hpp"
#include "models/scenario/job.hpp"
#include "models/scenario/result.hpp"

namespace vgsim::scenario {

/// Runs a bare AllReduce of each size, alone on the cluster, and fills in the result.
/// `plan` joins the job's ranks; latencies are zero where the scenario idealises them away.
void run_collective(const Cluster& cluster, const CollectiveJob& job,
                    const collectives::RingPlan& plan, const collectives::StepLatencies& latencies,
                    LayoutResult& result);

}  // namespace vgsim::scenario
