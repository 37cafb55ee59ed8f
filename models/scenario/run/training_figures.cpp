#include "models/scenario/run/training_figures.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <limits>
#include <map>
#include <set>

#include "models/collectives/choice.hpp"
#include "models/collectives/collective.hpp"
#include "models/scenario/read/library.hpp"
#include "models/scenario/run/run.hpp"
#include "models/scenario/run/slow_choices.hpp"
#include "models/vsphere/cpu_budget.hpp"
#include "sim/fingerprint.hpp"

namespace vgsim::scenario {
namespace {

using training::Exchange;
using training::StageWork;
using training::StepPlan;
using training::StepSegment;

/// Time of all iterations of the epoch, if each was simulated or repeats another.
std::optional<std::int64_t> epoch_exactly(const StepAnswer& answer, std::uint64_t epoch) {
  if (answer.short_epoch) return answer.short_epoch->count();
  const Repeat& repeat = answer.repeat;
  if (answer.iterations + repeat.count * repeat.iterations != epoch) return std::nullopt;
  std::int64_t repeated = 0;
  std::int64_t all = 0;
  if (repeat.count > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()) ||
      __builtin_mul_overflow(static_cast<std::int64_t>(repeat.count), repeat.time.count(),
                             &repeated) ||
      __builtin_add_overflow(repeated, answer.times.steady_end.count(), &all)) {
    return std::nullopt;
  }
  return all;
}

void fill_rates(const Placement& placement, TrainingResult& t) {
  const training::TrainingJob& job = *placement.job.training;
  const double seconds = to_seconds(t.iteration);
  const double more = t.iterations() - static_cast<double>(t.iterations_per_epoch);
  t.training_s = t.epoch_s + more * seconds;
  t.samples_per_s = seconds > 0 ? static_cast<double>(t.global_batch) / seconds : 0.0;
  const auto operations = static_cast<double>(job.network->operations_of_step() *
                                              job.network->forward(job.tokens).count());
  t.model_flops_per_gpu =
      t.samples_per_s * operations / static_cast<double>(placement.ranks().ranks());
  const auto passes = static_cast<double>(job.network->operations_of_step());
  const bool again = job.parallelism.recompute == training::Recompute::kFull;
  t.hardware_flops_per_gpu = t.model_flops_per_gpu * (again ? (passes + 1) / passes : 1.0);
}

/// The axis on which a rank sends most; without any traffic that of data parallelism.
std::string busiest_axis(const std::map<std::string, double>& sent_bytes) {
  const auto most =
      std::max_element(sent_bytes.begin(), sent_bytes.end(),
                       [](const auto& a, const auto& b) { return a.second < b.second; });
  return most == sent_bytes.end() ? to_string(training::Axis::kData) : most->first;
}

/// Exposed communication by axis. Without stages, waits are for the traffic of slower ranks.
/// Kernels that traffic slows down count as communication of the axis with most of it.
void fill_communication(const training::Breakdown& parts, bool staged, TrainingResult& t) {
  for (const auto& [axis, time] : parts.exposed) t.communication[to_string(axis)] += time;
  t.communication[to_string(training::Axis::kData)] += staged ? SimTime{0} : parts.waiting;
  t.communication[busiest_axis(t.sent_bytes)] += t.kernels_slowed;
  for (const auto& [axis, time] : t.communication) t.exposed_communication += time;
  std::erase_if(t.communication, [](const auto& part) { return part.second == SimTime{0}; });
}

/// Time of varying passes over their mean; time slices do not change it.
double drawn_factor(const Placement& placement, const PreparedTraining& prepared,
                    const StepAnswer& answer) {
  const SimTime mean = training::passes_of(prepared.plan, answer.times.unit).all();
  if (placement.job.variability.compute_sigma == 0.0 || mean == SimTime{0}) return 1.0;
  const double factor = to_seconds(answer.times.breakdown.compute) / to_seconds(mean);
  return prepared.shared.any() ? std::min(factor, 1.0) : factor;
}

/// In an uneven sharded job: factor of the passes of a unit relative to those of its stage, whose
/// losses are known, without concurrent traffic. 1 for other jobs.
double slower_factor(const Placement& placement, const PreparedTraining& prepared,
                     std::size_t unit) {
  if (placement.job.training->data_parallel_only || !placement.job.is_uneven()) return 1.0;
  const SimTime stage =
      training::passes_of(prepared.plan.work_of(unit), prepared.plan.parallelism.micro_batches)
          .all();
  const SimTime own =
      training::passes_of(prepared.plan, unit).all() - prepared.slowed_by_traffic[unit];
  return stage == SimTime{0} ? 1.0 : to_seconds(own) / to_seconds(stage);
}

/// Adds the wait of the shown unit for other vGPUs, and the step times.
void fill_time_slices(const StepRunner& runner, const StepAnswer& answer, TrainingResult& result) {
  const SimTime alone = training::passes_of(runner.prepared().plan, answer.times.unit).all();
  const SimTime waited = answer.times.breakdown.compute - alone;
  if (waited > SimTime{0}) {
    result.losses.push_back({training::kTimeSlices, waited,
                             "simulated slice by slice (NVIDIA virtual GPU software user guide, "
                             "scheduling)"});
  }
  result.time_sliced_steps = answer.time_sliced_steps;
  result.time_sliced = result.time_sliced_steps.has_value();
}

/// Loads of links on the hosts of simulated units; the other hosts are equivalent.
std::vector<LinkUse> links_of(const Placement& placement, const PreparedTraining& prepared,
                              std::vector<Ratio> carried, SimTime span) {
  if (placement.job.training->data_parallel_only) {
    return link_uses(placement, prepared.placed, carried, span);
  }
  const std::vector<bool> known = hosts_of_units(placement, *prepared.units);
  for (std::uint32_t i = 0; i < carried.size(); ++i) {
    const collectives::PlacedLink& link = prepared.placed.link(ResourceId{i});
    if (link.built && !known[link.host]) carried[i] = 0;
  }
  std::vector<LinkUse> uses = link_uses(placement, prepared.placed, carried, span);
  const auto all = static_cast<std::size_t>(std::count(known.begin(), known.end(), true));
  std::set<std::size_t> hosts;
  for (const collectives::PlacedVm& vm : placement.vms()) hosts.insert(vm.host);
  const std::size_t copies = hosts.size() / std::max<std::size_t>(all, 1);
  for (LinkUse& use : uses) {
    if (use.kind != topology::to_string(topology::LinkKind::kFabric)) use.links *= copies;
  }
  return uses;
}

/// Bytes sent by a rank of a stage per iteration.
void add_sent(const StageWork& work, const training::Parallelism& p, TrainingResult& t) {
  const auto add = [&](const std::vector<Exchange>& exchanges, std::int64_t times) {
    for (const Exchange& exchange : exchanges) {
      const double sent = training::sent_by_rank(exchange, p) * static_cast<double>(times);
      if (sent > 0) t.sent_bytes[to_string(exchange.axis)] += sent;
    }
  };
  const auto pass = [&](const std::vector<StepSegment>& segments, std::int64_t times) {
    for (const StepSegment& segment : segments) {
      for (const auto* exchanges : {&segment.gathered, &segment.exchanges, &segment.reduced}) {
        add(*exchanges, times);
      }
      for (const training::OverlappedWork& beside : segment.beside) add(beside.exchanges, times);
    }
  };
  for (const training::ChunkPlan& chunk : work.chunks) {
    const bool gathers = !chunk.first_forward.empty();
    pass(gathers ? chunk.first_forward : chunk.forward, 1);
    pass(chunk.forward, p.micro_batches - 1);
    pass(chunk.backward, p.micro_batches - 1);
    pass(chunk.last_backward, 1);
    pass(chunk.weights, p.micro_batches - 1);
    pass(chunk.last_weights, 1);
  }
  add(work.gathered_after, 1);
}

/// For a purely data-parallel job.
std::vector<Bytes> buckets_of(const StageWork& work) {
  std::vector<Bytes> sizes;
  for (const StepSegment& segment : work.chunks.front().last_backward) {
    for (const Exchange& exchange : segment.reduced) {
      if (exchange.collective == collectives::Collective::kAllReduce) {
        sizes.push_back(exchange.size);
      }
    }
  }
  return sizes;
}

void fill_buckets(const Placement& placement, const Library& library, StepRunner& runner,
                  const std::vector<Bytes>& buckets, LayoutResult& result) {
  TrainingResult& t = *result.training;
  for (const Bytes size : buckets) t.gradient_bytes += static_cast<double>(size.count());
  t.buckets = buckets.size();
  if (runner.prepared().plan.groups.empty()) return;
  t.sent_bytes[to_string(training::Axis::kData)] =
      t.gradient_bytes *
      collectives::bus_factor(collectives::Collective::kAllReduce, placement.ranks().ranks());
  if (placement.job.pattern != collectives::Pattern::kNccl) return;
  const collectives::Chooser chooser(placement.ranks());
  std::map<Bytes, std::size_t> calls;
  for (const Bytes size : buckets) {
    const auto choice = chooser.choose(collectives::Collective::kAllReduce, size);
    if (!choice) continue;
    ++t.algorithms[fmt::format("{} {}", collectives::nccl::to_string(choice->chosen.algorithm),
                               collectives::nccl::to_string(choice->chosen.protocol))];
    ++calls[size];
  }
  warn_of_slow_choices(placement, library, collectives::Collective::kAllReduce, calls,
                       runner.exchanger().of_all(), result);
}

}  // namespace

double epoch_seconds(const StepRunner& runner, const StepAnswer& answer, std::uint64_t epoch) {
  const double steady = to_seconds(answer.times.steady);
  if (runner.prepared().plan.barrier) {
    return to_seconds(answer.times.first) + steady * static_cast<double>(epoch - 1);
  }
  if (answer.short_epoch) return to_seconds(*answer.short_epoch);
  const Repeat& repeat = answer.repeat;
  const double known = to_seconds(answer.times.steady_end) +
                       static_cast<double>(repeat.count) * to_seconds(repeat.time);
  const double missing = static_cast<double>(epoch) - static_cast<double>(answer.iterations) -
                         static_cast<double>(repeat.count) * static_cast<double>(repeat.iterations);
  return known + missing * steady;
}

void fill_times(const Placement& placement, const StepRunner& runner, const StepAnswer& answer,
                std::uint64_t epoch, TrainingResult& t) {
  const training::TrainingJob& job = *placement.job.training;
  const PreparedTraining& prepared = runner.prepared();
  const std::size_t unit = answer.times.unit;
  training::Breakdown parts = answer.times.breakdown;
  if (runner.needs_floor_of_resources(answer)) {
    const SimTime least = longest_carried(prepared.placed, answer.carried);
    const SimTime more = std::max(least - parts.total, SimTime{0});
    parts.data_wait += more;
    parts.total += more;
  }
  t.network = job.network->name;
  t.tokens = job.tokens;
  t.global_batch = job.parallelism.global_batch();
  t.first_iteration = answer.times.first;
  t.iteration = parts.total;
  t.iterations_run = answer.iterations;
  const double drawn = drawn_factor(placement, prepared, answer);
  t.kernels_slowed =
      std::min(training::stretched(prepared.slowed_by_traffic[unit], drawn), parts.compute);
  t.compute = parts.compute - t.kernels_slowed;
  t.data_wait = parts.data_wait;
  t.optimizer = parts.optimizer;
  const bool staged = job.parallelism.pipeline > 1;
  t.pipeline_wait = staged ? parts.waiting : SimTime{0};
  if (!job.data_parallel_only) add_sent(prepared.plan.work_of(unit), job.parallelism, t);
  fill_communication(parts, staged, t);
  t.floors = answer.floors;
  t.floors.communication =
      std::max(t.floors.communication - answer.times.hidden[unit] - t.pipeline_wait, SimTime{0});
  t.losses = prepared.losses_of(unit);
  const double times = drawn * slower_factor(placement, prepared, unit);
  for (auto& loss : t.losses) loss.time = training::stretched(loss.time, times);
  t.breakdown_rank = rank_name(placement, rank_class(placement, answer.rank));
  t.iterations_per_epoch = static_cast<std::int64_t>(epoch);
  t.epochs = job.epochs;
  t.samples = job.samples(t.iterations_per_epoch);
  t.epoch_s = epoch_seconds(runner, answer, epoch);
  if (!prepared.plan.barrier) {
    t.communication.clear();
    t.settled = answer.repeat.count > 0 || answer.iterations >= epoch || prepared.shared.any();
    t.repeats_after = answer.repeat.count > 0 ? answer.repeat.iterations : 0;
    t.epoch_ps = epoch_exactly(answer, epoch);
    if (t.epoch_ps) t.epoch_s = to_seconds(SimTime{*t.epoch_ps});
  }
  if (prepared.shared.any()) fill_time_slices(runner, answer, t);
  fill_rates(placement, t);
}

namespace {

/// Core time of a byte over a NIC that the hypervisor's virtual switch takes, 0 to 1.
double share_of_switch(const vsphere::VirtualMachine& vm) {
  double guest = 0;
  double host = 0;
  for (const vsphere::VmNic& nic : vm.nics) {
    guest += static_cast<double>(nic.costs.guest_ps_per_byte);
    host += static_cast<double>(nic.costs.host_ps_per_byte);
  }
  return guest + host > 0 ? host / (guest + host) : 0.0;
}

/// Cores of the busiest host by cause.
void fill_cores(const Placement& placement, const Library& library,
                const PreparedTraining& prepared, const StepAnswer& answer, TrainingResult& t) {
  const auto busiest = busiest_cores(placement, prepared.placed, answer.carried);
  const Cluster& cluster = *placement.cluster;
  const std::size_t host =
      busiest ? prepared.placed.link(ResourceId{static_cast<std::uint32_t>(*busiest)}).host
              : placement.vms().front().host;
  const std::size_t kind = cluster.hosts[host].kind;
  const auto& cores = cluster.topology.hosts[kind].cores;
  if (!cores) return;
  const auto add = [&](const char* cause, double used) {
    if (used > 0.005) t.cores_by_cause[cause] += used;
  };
  std::size_t gpus = 0;
  for (const JobMachine& machine : placement.job.machines) {
    if (cluster.machines[machine.machine].host == host) gpus += machine.gpus.size();
  }
  add("launches and framework",
      library.parameters.number("busy_cores_per_gpu") * static_cast<double>(gpus));
  add("input decoding", t.cores_busy * answer.decoding_cores);
  add("storage over the network", t.cores_busy * answer.storage_cores);
  const double network = t.cores_busy * (1 - answer.decoding_cores - answer.storage_cores);
  const double of_switch = network * share_of_switch(placement.views().front().vm());
  add("virtual switch", of_switch);
  add("TCP of the guest", network - of_switch);
  const auto all = static_cast<double>(cluster.topology.resources[*cores].line_rate.count());
  add("neighbours", (all - to_double(placement.capacities.of_link[*cores])) /
                        static_cast<double>(vsphere::kCorePicosecondsPerSecond));
}

}  // namespace

void fill_traffic(const Placement& placement, const Library& library, StepRunner& runner,
                  const StepAnswer& answer, LayoutResult& result) {
  TrainingResult& t = *result.training;
  const PreparedTraining& prepared = runner.prepared();
  const training::TrainingJob& job = *placement.job.training;
  result.links = links_of(placement, prepared, answer.carried, t.iteration);
  if (t.iteration > SimTime{0}) {
    t.cores_busy = cores_busy(placement, prepared.placed, answer.carried, t.iteration);
    fill_cores(placement, library, prepared, answer, t);
  }
  std::map<std::string, Ratio> by_kind;
  for (std::uint32_t i = 0; i < answer.gradients.size(); ++i) {
    const topology::LinkKind kind = prepared.placed.kind(ResourceId{i});
    if (answer.gradients[i] == 0 || kind == topology::LinkKind::kCpu) continue;
    const auto copies = static_cast<std::int64_t>(prepared.placed.link(ResourceId{i}).copies);
    by_kind[topology::to_string(kind)] += answer.gradients[i] * copies;
  }
  for (const auto& [kind, bytes] : by_kind) t.gradient_bytes_by_kind[kind] = to_double(bytes);
  const StageWork& work = prepared.plan.work_of(answer.times.unit);
  if (job.data_parallel_only) {
    fill_buckets(placement, library, runner, buckets_of(work), result);
    return;
  }
  for (const training::LayerGroup& layer : job.network->layers) {
    t.gradient_bytes += training::held_by_rank(layer, job.parallelism).all() * job.state.gradient /
                        static_cast<double>(job.parallelism.pipeline);
  }
}

std::optional<double> sharded_efficiency(const StepPlan& plan, const std::vector<SimTime>& alone,
                                         SimTime iteration) {
  if (iteration == SimTime{0}) return std::nullopt;
  SimTime all{};
  for (std::size_t s = 0; s < plan.stages(); ++s) {
    all += alone[s] + plan.work_of(s * plan.replicas).optimizer;
  }
  const auto stages = static_cast<double>(plan.stages());
  // Ranks with jitter may have drawn shorter passes than the mean.
  return std::min(1.0, to_seconds(all) / stages / to_seconds(iteration));
}

std::string times_fingerprint(const TrainingResult& t) {
  Fingerprint print;
  for (const SimTime time : {t.first_iteration, t.iteration, t.compute, t.exposed_communication,
                             t.data_wait, t.optimizer}) {
    print.add(static_cast<std::uint64_t>(time.count()));
  }
  if (t.epoch_ps) print.add(static_cast<std::uint64_t>(*t.epoch_ps));
  return fingerprint_text(print.value());
}

}  // namespace vgsim::scenario
