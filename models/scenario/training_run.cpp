#include "models/scenario/training_run.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "models/scenario/run.hpp"
#include "models/training/step_times.hpp"
#include "sim/fingerprint.hpp"
#include "topology/host_input.hpp"

namespace vgsim::scenario {
namespace {

using collectives::HopPlanner;
using collectives::Rank;
using collectives::RingAllReduce;
using collectives::RingPlan;
using training::Activity;
using vsphere::GuestView;

constexpr std::size_t kFirstIterations = 3;
constexpr std::size_t kMostIterations = 64;

/// A training job lowered to what the engine runs.
struct Prepared {
  Network network;
  training::StepPlan step;
};

struct Run {
  training::TrainingGraph training;
  Timeline timeline;
  training::StepTimes times;
};

class Preparation {
 public:
  Preparation(const Cluster& cluster, const Job& job, const Library& library,
              const std::vector<GuestView>& views, input::Diagnostics& diagnostics)
      : cluster_(cluster),
        job_(job),
        training_(*job.training),
        library_(library),
        views_(views),
        diagnostics_(diagnostics) {}

  [[nodiscard]] Prepared prepare(const std::vector<Rank>& ranks) {
    Prepared prepared;
    prepared.network.resources = ResourceTable(cluster_.capacity);
    const auto& network = *training_.network;
    prepared.step.buckets =
        training_.buckets.single
            ? training::single_bucket(network, training_.gradient_bytes)
            : training::ddp_buckets(network, training_.gradient_bytes, training_.buckets.first,
                                    training_.buckets.cap);
    prepared.step.overlap = training_.overlap;
    prepared.step.prefetched_batches = training_.prefetched_batches;
    for (const Rank& rank : ranks) {
      prepared.step.compute.push_back(compute(rank, prepared.step.buckets));
      prepared.step.feeds.push_back(feed(rank, prepared.network.routes));
      if (diagnostics_.has_errors()) break;
    }
    return prepared;
  }

 private:
  training::ComputeTimes compute(const Rank& rank,
                                 const std::vector<training::GradientBucket>& buckets) {
    const auto& network = *training_.network;
    training::ComputeRates rates{1, 1};
    const bool computes = network.forward(training_.tokens) > Flops{0};
    if (computes || training_.optimizer_bytes > Bytes{0}) rates = gpu_rates(rank, computes);
    if (diagnostics_.has_errors()) return {};
    return training::compute_times(network, buckets, training_.batch_per_gpu, training_.tokens,
                                   library_.parameters.count("backward_to_forward_flops"),
                                   training_.optimizer_bytes, rates);
  }

  training::ComputeRates gpu_rates(const Rank& rank, bool computes) {
    const topology::Node& node = cluster_.topology.node(views_[rank.vm].gpu(rank.gpu));
    const auto gpu = library_.catalog.gpus.find(node.model);
    if (gpu == library_.catalog.gpus.end()) {
      topology::report(diagnostics_, job_.value,
                       fmt::format("the model of {} is not known", node.name),
                       "\"gpus\": \"8 x a100-sxm4-40gb\" in the host");
      return {};
    }
    const Exact memory = Exact(gpu->second.memory_bandwidth.value.count()) *
                         exact_share(library_.parameters.number("device_memory_share"));
    if (!computes) return {1, memory};
    const auto peak = gpu->second.peak.find(training_.precision);
    if (peak == gpu->second.peak.end()) {
      topology::report(
          diagnostics_, job_.value,
          fmt::format("{} has no {} peak in the catalogue", gpu->second.name, training_.precision));
      return {};
    }
    return {Exact(peak->second.value.count()) * exact_share(achieved_share()), memory};
  }

  double achieved_share() {
    if (training_.achieved_share) return *training_.achieved_share;
    const auto& shares = training_.network->achieved_share;
    const auto found = shares.find(training_.precision);
    if (found != shares.end()) return found->second.value;
    topology::report(diagnostics_, job_.value,
                     fmt::format("{} has no achieved share for {}", training_.network->name,
                                 training_.precision),
                     "\"achieved_share\" in the job");
    return 1.0;
  }

  training::InputFeed feed(const Rank& rank, RouteTable& routes) {
    const HopPlanner planner(cluster_.topology, views_[rank.vm]);
    const auto bytes = [&](Bytes per_sample) {
      return Exact(per_sample.count()) * training_.batch_per_gpu;
    };
    training::InputFeed feed;
    if (training_.stored_bytes > Bytes{0}) {
      if (auto route = planner.storage_to_host(rank.gpu)) {
        feed.storage_read =
            FlowWork{routes.add(std::move(*route)), bytes(training_.stored_bytes), std::nullopt, 1};
      }
    }
    if (training_.network->device_bytes > Bytes{0}) {
      feed.host_to_device = FlowWork{routes.add(planner.host_to_device(rank.gpu)),
                                     bytes(training_.network->device_bytes), std::nullopt, 1};
      if (!cluster_.zero_latency) feed.copy_latency = planner.host_to_device_latency(rank.gpu);
    }
    return feed;
  }

  const Cluster& cluster_;
  const Job& job_;
  const TrainingJob& training_;
  const Library& library_;
  const std::vector<GuestView>& views_;
  input::Diagnostics& diagnostics_;
};

/// Simulates more and more iterations until two in a row take equally long.
Run run_until_settled(const Prepared& prepared, const RingAllReduce& all_reduce) {
  for (std::size_t iterations = kFirstIterations;; iterations *= 2) {
    Run run{training::build_training_graph(prepared.step, all_reduce, iterations), {}, {}};
    run.timeline = simulate_checked(run.training.graph, prepared.network);
    run.times = training::read_step_times(run.training, run.timeline);
    if (run.times.settled || iterations >= kMostIterations) return run;
  }
}

/// Makes every link of one kind infinitely fast: no route crosses any of them.
Network without_kind(const Cluster& cluster, const Network& network, const std::string& kind) {
  Network relaxed;
  relaxed.resources = network.resources;
  for (std::size_t r = 0; r < network.routes.size(); ++r) {
    std::vector<Crossing> crossings;
    for (const Crossing& c : network.routes.crossings(RouteId(static_cast<std::uint32_t>(r)))) {
      const auto& resource = cluster.topology.resources[static_cast<std::size_t>(c.resource)];
      if (topology::to_string(resource.kind) != kind) crossings.push_back(c);
    }
    static_cast<void>(relaxed.routes.add(std::move(crossings)));
  }
  return relaxed;
}

std::optional<Bottleneck> bottleneck_in(const Cluster& cluster, const Run& run) {
  return bottleneck_of(cluster, run.times.critical_path, run.training.graph, run.times.steady_begin,
                       run.times.steady_end);
}

void fill_times(const Run& run, const TrainingJob& job, std::size_t ranks,
                const std::string& rank_name, TrainingResult& result) {
  const training::Breakdown& parts = run.times.breakdown;
  result.global_batch = job.batch_per_gpu * static_cast<std::int64_t>(ranks);
  result.first_iteration = run.times.first;
  result.iteration = run.times.steady;
  result.settled = run.times.settled;
  result.compute = parts.compute;
  result.exposed_communication = parts.exposed_communication;
  result.data_wait = parts.data_wait;
  result.optimizer = parts.optimizer;
  result.breakdown_rank = rank_name;
  const auto rounded_up = [](std::int64_t n, std::int64_t by) { return (n + by - 1) / by; };
  result.iterations_per_epoch = job.iterations_per_epoch.value_or(
      rounded_up(job.samples_per_epoch.value_or(1), result.global_batch));
  result.epochs = job.epochs;
  const double steady = to_seconds(run.times.steady);
  result.epoch_s =
      to_seconds(run.times.first) + static_cast<double>(result.iterations_per_epoch - 1) * steady;
  result.training_s =
      result.epoch_s +
      static_cast<double>((result.epochs - 1) * result.iterations_per_epoch) * steady;
  result.samples_per_s = steady > 0.0 ? static_cast<double>(result.global_batch) / steady : 0.0;
}

void fill_traffic(const Cluster& cluster, const Prepared& prepared, const Run& run,
                  LayoutResult& result) {
  const auto last = static_cast<std::uint32_t>(run.training.steps.size() - 1);
  const auto in_last = [&](const Task& task) { return task.group == last; };
  result.links = link_uses(cluster, carried_by(run.training.graph, prepared.network, in_last),
                           run.times.steady);
  const auto gradients = carried_by(run.training.graph, prepared.network, [&](const Task& task) {
    return in_last(task) && task.category == static_cast<std::uint32_t>(Activity::kGradients);
  });
  for (std::size_t i = 0; i < gradients.size(); ++i) {
    if (gradients[i] == 0) continue;
    const char* kind = topology::to_string(cluster.topology.resources[i].kind);
    result.training->gradient_bytes_by_kind[kind] += to_double(gradients[i]);
  }
  for (const auto& bucket : prepared.step.buckets) {
    result.training->gradient_bytes += static_cast<double>(bucket.size.count());
  }
  result.training->buckets = prepared.step.buckets.size();
}

}  // namespace

void check_training(const Cluster& cluster, const Job& job, const Library& library,
                    const std::vector<GuestView>& views, const RingPlan& plan,
                    input::Diagnostics& diagnostics) {
  static_cast<void>(Preparation(cluster, job, library, views, diagnostics).prepare(plan.ranks));
}

void run_training(const Cluster& cluster, const Job& job, const Library& library,
                  const std::vector<GuestView>& views, const RingPlan& plan,
                  const collectives::StepLatencies& latencies, LayoutResult& result) {
  input::Diagnostics none;
  Preparation preparation(cluster, job, library, views, none);
  Prepared prepared = preparation.prepare(plan.ranks);
  const RingAllReduce all_reduce(plan, latencies, prepared.network.routes);
  const Run run = run_until_settled(prepared, all_reduce);

  const Rank critical = plan.ranks[run.times.rank];
  result.training.emplace();
  fill_times(run, *job.training, plan.ranks.size(),
             cluster.topology.node(views[critical.vm].gpu(critical.gpu)).name, *result.training);
  fill_traffic(cluster, prepared, run, result);
  result.bottleneck = bottleneck_in(cluster, run);
  result.events = run.timeline.events;
  result.event_fingerprint = fingerprint_text(event_fingerprint(run.timeline));
  result.fingerprint = fingerprint_text(result_fingerprint(run.timeline));

  if (result.bottleneck) {
    Prepared relaxed{without_kind(cluster, prepared.network, result.bottleneck->kind),
                     prepared.step};
    const Run next = run_until_settled(relaxed, all_reduce);
    result.training->next =
        NextLimit{result.bottleneck->kind, next.times.steady, bottleneck_in(cluster, next)};
  } else if (!result.links.empty()) {
    result.bottleneck = Bottleneck{result.links.front().resource, result.links.front().kind, 0.0};
  }

  const RingPlan alone{{plan.ranks.front()}, {}};
  Prepared single = preparation.prepare(alone.ranks);
  const RingAllReduce nothing(alone, latencies, single.network.routes);
  const Run one_gpu = run_until_settled(single, nothing);
  const SimTime alone_time = one_gpu.times.steady;
  if (alone_time > SimTime{0}) {
    result.training->scaling_efficiency = to_seconds(alone_time) / to_seconds(run.times.steady);
  }
}

}  // namespace vgsim::scenario
