#pragma once

#include "models/collectives/ring.hpp"
#include "models/scenario/cluster.hpp"
#include "models/scenario/job.hpp"
#include "models/scenario/library.hpp"
#include "models/scenario/result.hpp"
#include "topology/input/diagnostics.hpp"

namespace vgsim::scenario {

/// Reports what keeps a training job from running: GPUs whose model is unknown, precisions that a
/// GPU or the network lacks.
void check_training(const Cluster& cluster, const Job& job, const Library& library,
                    const std::vector<vsphere::GuestView>& views, const collectives::RingPlan& plan,
                    input::Diagnostics& diagnostics);

/// Simulates iterations of a training job until they stop changing, then the same with one GPU
/// (for the scaling efficiency) and with the bottleneck's kind of link taken away (for what would
/// limit next), and fills in the result. The job must have passed check_training().
void run_training(const Cluster& cluster, const Job& job, const Library& library,
                  const std::vector<vsphere::GuestView>& views, const collectives::RingPlan& plan,
                  const collectives::StepLatencies& latencies, LayoutResult& result);

}  // namespace vgsim::scenario
