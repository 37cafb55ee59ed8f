// Each row reads its value from the result of a run. All outputs, checks and comparisons use this
// table: a row added here appears in each of them.

#include "models/scenario/answer/figures.hpp"

#include <fmt/format.h>

#include <limits>
#include <numeric>

namespace vgsim::scenario {
namespace {

using Value = std::optional<double>;
using Range = std::optional<Interval>;
using Members = std::vector<FigureMember>;
using U = MetricUnit;

constexpr double kNever = std::numeric_limits<double>::infinity();
/// Jain's fairness index above which ranks count as equally fast.
constexpr double kEven = 0.995;

template <SimTime TrainingResult::*kTime>
Value time_of_training(const LayoutResult& layout) {
  return layout.training ? Value(to_seconds((*layout.training).*kTime)) : std::nullopt;
}

template <double TrainingResult::*kNumber>
Value number(const LayoutResult& layout) {
  return layout.training ? Value((*layout.training).*kNumber) : std::nullopt;
}

template <Value TrainingResult::*kNumber>
Value known_number(const LayoutResult& layout) {
  return layout.training ? (*layout.training).*kNumber : std::nullopt;
}

/// Member `kNumber` of the optional part `kPart` of a training result.
template <auto kPart, auto kNumber>
Value number_of(const LayoutResult& layout) {
  if (!layout.training || !((*layout.training).*kPart)) return std::nullopt;
  return Value((*((*layout.training).*kPart)).*kNumber);
}

template <Range TrainingResult::*kRange>
Range interval(const LayoutResult& layout) {
  return layout.training ? (*layout.training).*kRange : std::nullopt;
}

template <std::optional<Spread> TrainingResult::*kSpread>
Range range_of_seeds(const LayoutResult& layout) {
  if (!layout.training || !((*layout.training).*kSpread)) return std::nullopt;
  const Spread& spread = *((*layout.training).*kSpread);
  return Interval{spread.low_s, spread.high_s, static_cast<std::size_t>(spread.seeds)};
}

/// Nothing for 0: the value was not counted.
Value counted(double value) { return value > 0 ? Value(value) : std::nullopt; }

Value tokens_per_s(const LayoutResult& layout) {
  return layout.training ? counted(layout.training->tokens_per_s()) : std::nullopt;
}

Value interrupted(const LayoutResult& layout, double Interruption::*what) {
  if (!layout.training || layout.training->interruptions.empty()) return std::nullopt;
  const auto& all = layout.training->interruptions;
  return std::accumulate(all.begin(), all.end(), 0.0,
                         [&](double sum, const Interruption& each) { return sum + each.*what; });
}

Members losses(const LayoutResult& layout) {
  Members members;
  if (!layout.training) return members;
  for (const training::ComputeLoss& loss : layout.training->losses) {
    members.push_back({loss.mechanism, to_seconds(loss.time), {}});
  }
  return members;
}

Members communication(const LayoutResult& layout) {
  Members members;
  if (!layout.training) return members;
  for (const auto& [axis, time] : layout.training->communication) {
    members.push_back({axis, to_seconds(time), {}});
  }
  return members;
}

Members cost_parts(const LayoutResult& layout) {
  Members members;
  if (!layout.training || !layout.training->economy.cost) return members;
  for (const auto& [part, amount] : layout.training->economy.cost->parts) {
    members.push_back({part, amount, {}});
  }
  return members;
}

template <double Cost::*kAmount>
Value cost(const LayoutResult& layout) {
  if (!layout.training || !layout.training->economy.cost) return std::nullopt;
  return (*layout.training->economy.cost).*kAmount;
}

template <class Read>
Members of_sizes(const LayoutResult& layout, const Read& read) {
  Members members;
  if (!layout.collective) return members;
  for (const CollectivePoint& point : layout.collective->points) {
    members.push_back(read(point));
    members.back().name = message_size_words(point.size.count());
  }
  return members;
}

bool is_shared_host(const LayoutResult& layout) {
  return layout.training && layout.training->copies > 1;
}

bool is_interrupted(const LayoutResult& layout) {
  return interrupted(layout, &Interruption::seconds).value_or(0.0) > 0;
}

bool fills_memory(const LayoutResult& layout) {
  return layout.memory && layout.memory->needed > layout.memory->capacity / 2;
}

/// GPUs that VMs share count as one for each job.
Value pool_utilization(const LayoutResult& layout) {
  if (!layout.training || layout.pool_gpus == 0) return std::nullopt;
  double busy = layout.training->gpu_utilization() * static_cast<double>(layout.ranks);
  for (std::size_t j = 1; j < layout.jobs.size(); ++j) {
    busy += layout.jobs[j].gpu_utilization * static_cast<double>(layout.jobs[j].ranks);
  }
  return std::min(1.0, busy / static_cast<double>(layout.pool_gpus));
}

constexpr Figure kFigures[] = {
    {.key = "time_s",
     .title = "time",
     .pointer = "/points",
     .meaning = "time of a collective",
     .members =
         [](const LayoutResult& layout) {
           return of_sizes(layout, [](const CollectivePoint& point) {
             return FigureMember{"", to_seconds(point.time),
                                 Interval{to_seconds(point.low), to_seconds(point.high), 0}};
           });
         },
     .in_list = {"/bytes", "/time_s", "/time_low_s", "/time_high_s"},
     .member = "1 GiB"},
    {.key = "algbw_GBps",
     .title = "algbw",
     .unit = U::kGBps,
     .better = Better::kHigher,
     .pointer = "/points",
     .meaning = "algorithm bandwidth: message size divided by time",
     .members =
         [](const LayoutResult& layout) {
           return of_sizes(layout, [](const CollectivePoint& point) {
             return FigureMember{"", point.algbw_GBps, {}};
           });
         },
     .in_list = {"/bytes", "/algbw_GBps"},
     .member = "1 GiB",
     .minor = true},
    {.key = "busbw_GBps",
     .title = "busbw",
     .unit = U::kGBps,
     .better = Better::kHigher,
     .pointer = "/points",
     .meaning = "bus bandwidth, as nccl-tests reports it",
     .members =
         [](const LayoutResult& layout) {
           return of_sizes(layout, [](const CollectivePoint& point) {
             return FigureMember{"", point.busbw_GBps, {}};
           });
         },
     .in_list = {"/bytes", "/busbw_GBps"},
     .member = "1 GiB"},
    {.key = "training_time_s",
     .title = "training",
     .pointer = "/training_time_s",
     .meaning = "all epochs, with interruptions but without failures",
     .read = &number<&TrainingResult::training_s>,
     .interval = &interval<&TrainingResult::training_interval>,
     .interval_pointer = "/interval/training_time_s",
     .screen = 0,
     .interval_screen = 1},
    {.key = "training_time_with_failures_s",
     .title = "training with failures",
     .head = "with failures",
     .pointer = "/goodput/training_time_with_failures_s",
     .meaning = "expected training time with restarts from checkpoints; null if it never ends",
     .read = [](const LayoutResult& layout) -> Value {
       if (!layout.training || !layout.training->goodput) return std::nullopt;
       return layout.training->goodput->expected_s.value_or(kNever);
     },
     .screen = 2,
     .infinite = "never ends"},
    {.key = "failures",
     .title = "failures",
     .unit = U::kCount,
     .pointer = "/goodput/failures",
     .meaning = "expected number during the training time without failures",
     .read = &number_of<&TrainingResult::goodput, &Goodput::failures>},
    {.key = "goodput",
     .title = "goodput",
     .unit = U::kShare,
     .better = Better::kHigher,
     .pointer = "/goodput/share",
     .meaning = "training time without failures divided by that with failures",
     .read = &number_of<&TrainingResult::goodput, &Goodput::share>},
    {.key = "best_checkpoint_interval_s",
     .title = "best checkpoint interval",
     .better = Better::kNeither,
     .pointer = "/goodput/best_checkpoint_interval_s",
     .meaning = "best time between checkpoints, if saving one takes time",
     .read = [](const LayoutResult& layout) -> Value {
       if (!layout.training || !layout.training->goodput) return std::nullopt;
       return layout.training->goodput->best_interval_s;
     }},
    {.key = "interruption_time_s",
     .title = "interruptions",
     .head = "stopped",
     .pointer = "/interruption_time_s",
     .meaning = "part of the training time: events that stop the job",
     .read = [](const LayoutResult& l) { return interrupted(l, &Interruption::seconds); },
     .screen = 1,
     .matters = &is_interrupted},
    {.key = "interruption_steps",
     .title = "steps lost to interruptions",
     .head = "steps",
     .unit = U::kCount,
     .pointer = "/interruption_steps",
     .meaning = "steps that fit into the time of the interruptions",
     .read = [](const LayoutResult& l) { return interrupted(l, &Interruption::steps); },
     .screen = 1,
     .matters = &is_interrupted},
    {.key = "host_stops_per_month",
     .title = "host outages per month",
     .unit = U::kCount,
     .pointer = "/maintenance/stops_per_month",
     .meaning = "planned maintenance of the job's hosts",
     .read = &number_of<&TrainingResult::maintenance, &Maintenance::stops>},
    {.key = "vmotion_s_per_month",
     .title = "vMotion per month",
     .head = "vMotion",
     .pointer = "/maintenance/vmotion_s_per_month",
     .meaning = "monthly cost of maintenance with vMotion; null if a VM of the job cannot be moved",
     .read = [](const LayoutResult& layout) -> Value {
       if (!layout.training || !layout.training->maintenance) return std::nullopt;
       return layout.training->maintenance->vmotion_s.value_or(kNever);
     },
     .screen = 1,
     .infinite = "not possible"},
    {.key = "restart_s_per_month",
     .title = "restarts per month",
     .head = "restarts",
     .pointer = "/maintenance/restart_s_per_month",
     .meaning = "monthly cost of maintenance with planned restarts from a checkpoint",
     .read = &number_of<&TrainingResult::maintenance, &Maintenance::restart_s>,
     .screen = 2},
    {.key = "epoch_time_s",
     .title = "epoch",
     .pointer = "/epoch_time_s",
     .meaning = "all iterations of an epoch",
     .read = &number<&TrainingResult::epoch_s>,
     .minor = true},
    {.key = "epoch_time_median_s",
     .title = "median epoch over seeds",
     .head = "median epoch",
     .pointer = "/spread/epoch_time_s/median",
     .meaning = "median over seeds of jitter, stragglers and faults",
     .read = &number_of<&TrainingResult::epoch_spread, &Spread::median_s>,
     .interval = &range_of_seeds<&TrainingResult::epoch_spread>,
     .interval_pointer = "/spread/epoch_time_s",
     .interval_title = "90 % of seeds",
     .screen = 1,
     .interval_screen = 1},
    {.key = "iteration_time_s",
     .title = "iteration",
     .pointer = "/iteration_time_s",
     .meaning = "an iteration in the steady state",
     .read = &time_of_training<&TrainingResult::iteration>,
     .interval = &interval<&TrainingResult::iteration_interval>,
     .interval_pointer = "/interval/iteration_time_s",
     .screen = 3},
    {.key = "iteration_time_median_s",
     .title = "median iteration over seeds",
     .pointer = "/spread/iteration_time_s/median",
     .meaning = "median over seeds of jitter, stragglers and faults",
     .read = &number_of<&TrainingResult::iteration_spread, &Spread::median_s>,
     .interval = &range_of_seeds<&TrainingResult::iteration_spread>,
     .interval_pointer = "/spread/iteration_time_s",
     .interval_title = "90 % of seeds",
     .minor = true},
    {.key = "iterations",
     .title = "iterations",
     .unit = U::kCount,
     .better = Better::kNeither,
     .pointer = "/iterations",
     .meaning = "number of iterations of all epochs",
     .read = [](const LayoutResult& layout) -> Value {
       return layout.training ? Value(layout.training->iterations()) : std::nullopt;
     },
     .screen = 6,
     .matters = [](const LayoutResult& l) { return l.training && l.training->iterations() > 1; },
     .minor = true},
    {.key = "samples_per_s",
     .title = "samples/s",
     .unit = U::kPerSecond,
     .better = Better::kHigher,
     .pointer = "/samples_per_s",
     .meaning = "training throughput of the job",
     .read = &number<&TrainingResult::samples_per_s>,
     .screen = 5},
    {.key = "host_samples_per_s",
     .title = "samples/s per host",
     .head = "per host/s",
     .unit = U::kPerSecond,
     .better = Better::kHigher,
     .pointer = "/host_samples_per_s",
     .meaning = "training throughput per host of all jobs that share the hosts",
     .read = &number<&TrainingResult::host_samples_per_s>,
     .screen = 0,
     .matters = &is_shared_host},
    {.key = "tokens_per_s",
     .title = "tokens/s",
     .unit = U::kPerSecond,
     .better = Better::kHigher,
     .pointer = "/tokens_per_s",
     .meaning = "training throughput in tokens, for networks with sequences",
     .read = &tokens_per_s,
     .screen = 5},
    {.key = "tokens_per_s_and_gpu",
     .title = "tokens/s per GPU",
     .unit = U::kPerSecond,
     .better = Better::kHigher,
     .pointer = "/tokens_per_s_and_gpu",
     .meaning = "tokens_per_s divided by the number of GPUs",
     .read = [](const LayoutResult& layout) -> Value {
       const Value all = tokens_per_s(layout);
       return all ? Value(*all / static_cast<double>(layout.ranks)) : std::nullopt;
     }},
    {.key = "scaling_efficiency",
     .title = "scaling efficiency",
     .head = "scaling",
     .unit = U::kShare,
     .better = Better::kHigher,
     .pointer = "/scaling_efficiency",
     .meaning = "samples/s of the job divided by that of its GPUs running independently",
     .read = &known_number<&TrainingResult::scaling_efficiency>,
     .screen = 5},
    {.key = "compute_s",
     .title = "compute",
     .pointer = "/breakdown_s/compute",
     .meaning = "part of the iteration: forward and backward passes",
     .read = &time_of_training<&TrainingResult::compute>,
     .screen = 2,
     .of_iteration = true,
     .begins_block = true},
    {.key = "compute_loss_s",
     .title = "compute",
     .pointer = "/compute_losses",
     .meaning = "part of compute: loss to virtualization and GPU sharing",
     .members = &losses,
     .in_list = {.name = "/mechanism", .value = "/time_s"},
     .member = "time slices",
     .screen = 4,
     .of_iteration = true},
    {.key = "exposed_communication_s",
     .title = "exposed communication",
     .head = "comm.",
     .pointer = "/breakdown_s/exposed_communication",
     .meaning = "part of the iteration: communication not overlapped with computing",
     .read = &time_of_training<&TrainingResult::exposed_communication>,
     .screen = 2,
     .of_iteration = true},
    {.key = "communication_s",
     .title = "communication",
     .pointer = "/communication_s",
     .meaning = "part of exposed communication, by axis of parallelism",
     .members = &communication,
     .member = "data",
     .screen = 3,
     .of_iteration = true},
    {.key = "kernels_slowed_by_traffic_s",
     .title = "kernels slowed by traffic",
     .head = "slowed",
     .pointer = "/kernels_slowed_by_traffic_s",
     .meaning = "part of exposed communication: slowdown of kernels by concurrent traffic",
     .read = &time_of_training<&TrainingResult::kernels_slowed>,
     .of_iteration = true},
    {.key = "pipeline_wait_s",
     .title = "pipeline bubble",
     .head = "stages",
     .pointer = "/breakdown_s/pipeline_wait",
     .meaning = "part of the iteration: idle time of a pipeline stage",
     .read = &time_of_training<&TrainingResult::pipeline_wait>,
     .screen = 3,
     .of_iteration = true},
    {.key = "wait_for_jobs_s",
     .title = "waiting for other jobs",
     .head = "jobs",
     .pointer = "/breakdown_s/wait_for_jobs",
     .meaning = "part of the iteration: additional time while all jobs run",
     .read = &time_of_training<&TrainingResult::wait_for_jobs>,
     .screen = 3,
     .of_iteration = true},
    {.key = "data_wait_s",
     .title = "waiting for data",
     .head = "data",
     .pointer = "/breakdown_s/data_wait",
     .meaning = "part of the iteration: waiting until the next batch has been read and decoded",
     .read = &time_of_training<&TrainingResult::data_wait>,
     .screen = 3,
     .of_iteration = true},
    {.key = "optimizer_s",
     .title = "optimizer",
     .pointer = "/breakdown_s/optimizer",
     .meaning = "part of the iteration: update of the weights",
     .read = &time_of_training<&TrainingResult::optimizer>,
     .of_iteration = true},
    {.key = "model_flops_utilization",
     .title = "MFU",
     .unit = U::kShare,
     .better = Better::kHigher,
     .pointer = "/model_flops_utilization",
     .meaning = "model FLOP/s divided by the GPU's peak (model FLOPs utilization)",
     .read = &known_number<&TrainingResult::model_flops_utilization>,
     .screen = 5,
     .begins_block = true},
    {.key = "hardware_flops_utilization",
     .title = "HFU",
     .unit = U::kShare,
     .better = Better::kNeither,
     .pointer = "/hardware_flops_utilization",
     .meaning = "the same, including recomputed operations (hardware FLOPs utilization)",
     .read = &known_number<&TrainingResult::hardware_flops_utilization>,
     .matters =
         [](const LayoutResult& l) {
           return l.training &&
                  l.training->hardware_flops_utilization != l.training->model_flops_utilization;
         }},
    {.key = "model_flops_per_s_and_gpu",
     .title = "model FLOP/s per GPU",
     .head = "per GPU",
     .unit = U::kFlops,
     .better = Better::kHigher,
     .pointer = "/model_flops_per_s_and_gpu",
     .meaning = "operations of the model per second, 3 times those of the forward pass",
     .read = [](const LayoutResult& layout) -> Value {
       return layout.training ? counted(layout.training->model_flops_per_gpu) : std::nullopt;
     },
     .screen = 6},
    {.key = "hardware_flops_per_s_and_gpu",
     .title = "FLOP/s with recomputation",
     .unit = U::kFlops,
     .better = Better::kNeither,
     .pointer = "/hardware_flops_per_s_and_gpu",
     .meaning = "operations per second, including recomputed ones",
     .read = [](const LayoutResult& layout) -> Value {
       return layout.training ? counted(layout.training->hardware_flops_per_gpu) : std::nullopt;
     },
     .matters =
         [](const LayoutResult& l) {
           return l.training &&
                  l.training->hardware_flops_per_gpu != l.training->model_flops_per_gpu;
         }},
    {.key = "step_p50_s",
     .title = "median step",
     .pointer = "/turns/step_p50_s",
     .meaning = "median step time on GPUs shared by time slices",
     .read = &number_of<&TrainingResult::time_sliced_steps, &TimeSlicedSteps::p50_s>},
    {.key = "step_p90_s",
     .title = "90th percentile of steps",
     .head = "p90 step",
     .pointer = "/turns/step_p90_s",
     .meaning = "90th percentile of the step time; absent if too few steps were simulated",
     .read = [](const LayoutResult& layout) -> Value {
       return layout.training && layout.training->time_sliced_steps
                  ? layout.training->time_sliced_steps->p90_s
                  : std::nullopt;
     },
     .screen = 2},
    {.key = "step_p99_s",
     .title = "99th percentile of steps",
     .head = "p99 step",
     .pointer = "/turns/step_p99_s",
     .meaning = "99th percentile of the step time; absent if too few steps were simulated",
     .read = [](const LayoutResult& layout) -> Value {
       return layout.training && layout.training->time_sliced_steps
                  ? layout.training->time_sliced_steps->p99_s
                  : std::nullopt;
     },
     .screen = 1},
    {.key = "steps",
     .title = "steps simulated",
     .head = "of steps",
     .unit = U::kCount,
     .better = Better::kNeither,
     .pointer = "/turns/steps",
     .meaning = "number of steps behind the percentiles",
     .read = [](const LayoutResult& layout) -> Value {
       if (!layout.training || !layout.training->time_sliced_steps) return std::nullopt;
       return static_cast<double>(layout.training->time_sliced_steps->steps);
     },
     .screen = 1},
    {.key = "fairness",
     .title = "fairness of ranks",
     .head = "fairness",
     .unit = U::kShare,
     .better = Better::kHigher,
     .pointer = "/turns/fairness",
     .meaning = "Jain's fairness index of the ranks' rates",
     .read = &number_of<&TrainingResult::time_sliced_steps, &TimeSlicedSteps::fairness>,
     .screen = 4,
     .matters =
         [](const LayoutResult& l) {
           return l.training && l.training->time_sliced_steps &&
                  l.training->time_sliced_steps->fairness < kEven;
         }},
    {.key = "cost_training",
     .title = "cost",
     .unit = U::kMoney,
     .pointer = "/cost/training",
     .meaning = "cost of all epochs, in the given currency",
     .read = &cost<&Cost::training>,
     .screen = 1,
     .begins_block = true},
    {.key = "cost_epoch",
     .title = "cost per epoch",
     .unit = U::kMoney,
     .pointer = "/cost/epoch",
     .meaning = "mean cost of an epoch",
     .read = &cost<&Cost::epoch>,
     .minor = true},
    {.key = "cost_part",
     .title = "cost",
     .unit = U::kMoney,
     .pointer = "/cost/parts",
     .meaning = "part of the cost of training",
     .members = &cost_parts,
     .member = "GPUs",
     .minor = true},
    {.key = "gpu_hours",
     .title = "GPU-hours",
     .unit = U::kHours,
     .pointer = "/gpu_hours",
     .meaning = "GPU-hours of all epochs",
     .read = [](const LayoutResult& layout) -> Value {
       return layout.training ? Value(layout.training->economy.gpu_hours) : std::nullopt;
     },
     .minor = true},
    {.key = "energy_kwh",
     .title = "energy",
     .unit = U::kKwh,
     .pointer = "/energy_kwh",
     .meaning = "energy of GPUs and hosts; absent if a GPU's power is unknown",
     .read = [](const LayoutResult& layout) -> Value {
       return layout.training ? layout.training->economy.energy_kwh : std::nullopt;
     },
     .screen = 7},
    {.key = "memory_needed_bytes",
     .title = "memory of the fullest GPU",
     .head = "memory",
     .unit = U::kBytes,
     .pointer = "/memory/needed_bytes",
     .meaning = "device memory used by the job",
     .read = [](const LayoutResult& layout) -> Value {
       return layout.memory ? Value(layout.memory->needed) : std::nullopt;
     },
     .screen = 4,
     .screen_if = &fills_memory,
     .whole = [](const LayoutResult& layout) -> Value {
       return layout.memory ? Value(layout.memory->capacity) : std::nullopt;
     }},
    {.key = "hosts",
     .title = "hosts",
     .unit = U::kCount,
     .pointer = "/hosts",
     .meaning = "number of hosts of the job",
     .read = [](const LayoutResult& layout) -> Value { return static_cast<double>(layout.hosts); },
     .screen = 1,
     .screen_if_differs = true,
     .minor = true},
    {.key = "gpus",
     .title = "GPUs",
     .unit = U::kCount,
     .pointer = "/ranks",
     .meaning = "number of GPUs (ranks) of the job",
     .read = [](const LayoutResult& layout) -> Value { return static_cast<double>(layout.ranks); },
     .screen = 1,
     .screen_if_differs = true},
    {.key = "gpu_utilization",
     .title = "GPU utilization",
     .unit = U::kShare,
     .better = Better::kHigher,
     .pointer = "/gpu_utilization",
     .meaning = "share of the time in which the GPUs of the job compute",
     .read = [](const LayoutResult& layout) -> Value {
       return layout.training ? Value(layout.training->gpu_utilization()) : std::nullopt;
     },
     .minor = true},
    {.key = "pool_utilization",
     .title = "utilization of all GPUs",
     .unit = U::kShare,
     .better = Better::kHigher,
     .pointer = "/pool_utilization",
     .meaning = "the same of all GPUs of all hosts; GPUs without a job are idle",
     .read = &pool_utilization,
     .minor = true},
    {.key = "host_cores_busy",
     .title = "host cores busy",
     .unit = U::kCount,
     .pointer = "/host_cores_busy",
     .meaning = "CPU cores used by input and networking, on the busiest host",
     .read = &number<&TrainingResult::cores_busy>,
     .minor = true},
    {.key = "host_cores_missing",
     .title = "host cores missing",
     .unit = U::kCount,
     .pointer = "/host_cores_missing",
     .meaning = "further CPU cores that input and networking could use there",
     .read = &number<&TrainingResult::cores_missing>,
     .minor = true},
};

}  // namespace

std::span<const Figure> figures() { return kFigures; }

std::string message_size_words(std::int64_t bytes) {
  constexpr const char* kUnits[] = {"B", "KiB", "MiB", "GiB", "TiB"};
  std::size_t unit = 0;
  while (unit + 1 < std::size(kUnits) && bytes >= 1024 && bytes % 1024 == 0) {
    bytes /= 1024;
    ++unit;
  }
  return fmt::format("{} {}", bytes, kUnits[unit]);
}

}  // namespace vgsim::scenario
