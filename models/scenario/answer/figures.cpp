// Each row reads its value from the result of a run. Everything that shows, checks or compares
// figures goes through this table: what is added here appears everywhere.

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
/// Jain's index above which nobody sees a difference.
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

/// Of something that a training may have: its part `kPart`, and of that `kNumber`.
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
  return Interval{spread.low_s, spread.high_s, spread.seeds};
}

/// Nothing where it is 0, which says that it was not counted.
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

constexpr Figure kFigures[] = {
    {.key = "time_s",
     .title = "time",
     .pointer = "/points",
     .meaning = "of a collective",
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
     .meaning = "algorithm bandwidth: size over time",
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
     .meaning = "all epochs with interruptions, without failures",
     .read = &number<&TrainingResult::training_s>,
     .interval = &interval<&TrainingResult::training_interval>,
     .interval_pointer = "/interval/training_time_s",
     .screen = 0,
     .interval_screen = 1},
    {.key = "training_time_with_failures_s",
     .title = "training with failures",
     .head = "with failures",
     .pointer = "/goodput/training_time_with_failures_s",
     .meaning = "expected, with restarts from checkpoints; null where it never ends",
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
     .meaning = "expected in the time of training without them",
     .read = &number_of<&TrainingResult::goodput, &Goodput::failures>},
    {.key = "goodput",
     .title = "goodput",
     .unit = U::kShare,
     .better = Better::kHigher,
     .pointer = "/goodput/share",
     .meaning = "share of the time with failures that is not lost",
     .read = &number_of<&TrainingResult::goodput, &Goodput::share>},
    {.key = "best_checkpoint_interval_s",
     .title = "best checkpoint interval",
     .better = Better::kNeither,
     .pointer = "/goodput/best_checkpoint_interval_s",
     .meaning = "between checkpoints, where saving one takes time",
     .read = [](const LayoutResult& layout) -> Value {
       if (!layout.training || !layout.training->goodput) return std::nullopt;
       return layout.training->goodput->best_interval_s;
     }},
    {.key = "interruption_time_s",
     .title = "interruptions",
     .head = "stopped",
     .pointer = "/interruption_time_s",
     .meaning = "of the training time: events that stop all of it",
     .read = [](const LayoutResult& l) { return interrupted(l, &Interruption::seconds); },
     .screen = 1,
     .matters = &is_interrupted},
    {.key = "interruption_steps",
     .title = "interruptions in steps",
     .head = "steps",
     .unit = U::kCount,
     .pointer = "/interruption_steps",
     .meaning = "that the job would train in the time of interruptions",
     .read = [](const LayoutResult& l) { return interrupted(l, &Interruption::steps); },
     .screen = 1,
     .matters = &is_interrupted},
    {.key = "host_stops_per_month",
     .title = "host outages a month",
     .unit = U::kCount,
     .pointer = "/maintenance/stops_per_month",
     .meaning = "of the job's hosts, for maintenance",
     .read = &number_of<&TrainingResult::maintenance, &Maintenance::stops>},
    {.key = "vmotion_s_per_month",
     .title = "a month by vMotion",
     .head = "a month",
     .pointer = "/maintenance/vmotion_s_per_month",
     .meaning = "that maintenance costs by vMotion; null where a VM of the job cannot be moved so",
     .read = [](const LayoutResult& layout) -> Value {
       if (!layout.training || !layout.training->maintenance) return std::nullopt;
       return layout.training->maintenance->vmotion_s.value_or(kNever);
     },
     .screen = 1,
     .infinite = "not possible"},
    {.key = "restart_s_per_month",
     .title = "a month by restart",
     .head = "by restart",
     .pointer = "/maintenance/restart_s_per_month",
     .meaning = "that maintenance costs by restarts from checkpoints saved before",
     .read = &number_of<&TrainingResult::maintenance, &Maintenance::restart_s>,
     .screen = 2},
    {.key = "epoch_time_s",
     .title = "epoch",
     .pointer = "/epoch_time_s",
     .meaning = "all its iterations",
     .read = &number<&TrainingResult::epoch_s>,
     .minor = true},
    {.key = "epoch_time_median_s",
     .title = "epoch over seeds, median",
     .head = "median epoch",
     .pointer = "/spread/epoch_time_s/median",
     .meaning = "over seeds of jitter, stragglers and faults",
     .read = &number_of<&TrainingResult::epoch_spread, &Spread::median_s>,
     .interval = &range_of_seeds<&TrainingResult::epoch_spread>,
     .interval_pointer = "/spread/epoch_time_s",
     .interval_title = "nine in ten seeds",
     .screen = 1,
     .interval_screen = 1},
    {.key = "iteration_time_s",
     .title = "iteration",
     .pointer = "/iteration_time_s",
     .meaning = "the steady one",
     .read = &time_of_training<&TrainingResult::iteration>,
     .interval = &interval<&TrainingResult::iteration_interval>,
     .interval_pointer = "/interval/iteration_time_s",
     .screen = 3},
    {.key = "iteration_time_median_s",
     .title = "iteration over seeds, median",
     .pointer = "/spread/iteration_time_s/median",
     .meaning = "over seeds of jitter, stragglers and faults",
     .read = &number_of<&TrainingResult::iteration_spread, &Spread::median_s>,
     .interval = &range_of_seeds<&TrainingResult::iteration_spread>,
     .interval_pointer = "/spread/iteration_time_s",
     .interval_title = "nine in ten seeds",
     .minor = true},
    {.key = "iterations",
     .title = "iterations",
     .unit = U::kCount,
     .better = Better::kNeither,
     .pointer = "/iterations",
     .meaning = "of all epochs",
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
     .meaning = "that all GPUs of the job train",
     .read = &number<&TrainingResult::samples_per_s>,
     .screen = 5},
    {.key = "host_samples_per_s",
     .title = "samples/s of a host",
     .head = "of a host/s",
     .unit = U::kPerSecond,
     .better = Better::kHigher,
     .pointer = "/host_samples_per_s",
     .meaning = "of all jobs that share the hosts, on each of them",
     .read = &number<&TrainingResult::host_samples_per_s>,
     .screen = 0,
     .matters = &is_shared_host},
    {.key = "tokens_per_s",
     .title = "tokens/s",
     .unit = U::kPerSecond,
     .better = Better::kHigher,
     .pointer = "/tokens_per_s",
     .meaning = "of networks that read text",
     .read = &tokens_per_s,
     .screen = 5},
    {.key = "tokens_per_s_and_gpu",
     .title = "tokens/s of a GPU",
     .unit = U::kPerSecond,
     .better = Better::kHigher,
     .pointer = "/tokens_per_s_and_gpu",
     .meaning = "tokens_per_s over the number of GPUs",
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
     .meaning = "samples/s of all GPUs together over those of each alone",
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
     .meaning = "part of compute: what virtualization and sharing add",
     .members = &losses,
     .in_list = {.name = "/mechanism", .value = "/time_s"},
     .member = "time slices",
     .screen = 4,
     .of_iteration = true},
    {.key = "exposed_communication_s",
     .title = "exposed communication",
     .head = "comm.",
     .pointer = "/breakdown_s/exposed_communication",
     .meaning = "part of the iteration: communication that no computing hides",
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
     .meaning = "part of exposed communication: what traffic beside kernels costs them",
     .read = &time_of_training<&TrainingResult::kernels_slowed>,
     .of_iteration = true},
    {.key = "pipeline_wait_s",
     .title = "waiting for stages",
     .head = "stages",
     .pointer = "/breakdown_s/pipeline_wait",
     .meaning = "part of the iteration: the pipeline's bubble",
     .read = &time_of_training<&TrainingResult::pipeline_wait>,
     .screen = 3,
     .of_iteration = true},
    {.key = "data_wait_s",
     .title = "waiting for data",
     .head = "data",
     .pointer = "/breakdown_s/data_wait",
     .meaning = "part of the iteration: until the next batch has been read and decoded",
     .read = &time_of_training<&TrainingResult::data_wait>,
     .screen = 3,
     .of_iteration = true},
    {.key = "optimizer_s",
     .title = "optimizer",
     .pointer = "/breakdown_s/optimizer",
     .meaning = "part of the iteration: its update of the weights",
     .read = &time_of_training<&TrainingResult::optimizer>,
     .of_iteration = true},
    {.key = "model_flops_utilization",
     .title = "MFU",
     .unit = U::kShare,
     .better = Better::kHigher,
     .pointer = "/model_flops_utilization",
     .meaning = "operations that the network needs, over the GPU's peak",
     .read = &known_number<&TrainingResult::model_flops_utilization>,
     .screen = 5,
     .begins_block = true},
    {.key = "hardware_flops_utilization",
     .title = "HFU",
     .unit = U::kShare,
     .better = Better::kNeither,
     .pointer = "/hardware_flops_utilization",
     .meaning = "the same with what is computed again",
     .read = &known_number<&TrainingResult::hardware_flops_utilization>,
     .matters =
         [](const LayoutResult& l) {
           return l.training &&
                  l.training->hardware_flops_utilization != l.training->model_flops_utilization;
         }},
    {.key = "model_flops_per_s_and_gpu",
     .title = "model FLOP/s of a GPU",
     .head = "of a GPU",
     .unit = U::kFlops,
     .better = Better::kHigher,
     .pointer = "/model_flops_per_s_and_gpu",
     .meaning = "operations that the network needs, 3 times those of the forward pass",
     .read = [](const LayoutResult& layout) -> Value {
       return layout.training ? counted(layout.training->model_flops_per_gpu) : std::nullopt;
     },
     .screen = 6},
    {.key = "hardware_flops_per_s_and_gpu",
     .title = "FLOP/s with recomputation",
     .unit = U::kFlops,
     .better = Better::kNeither,
     .pointer = "/hardware_flops_per_s_and_gpu",
     .meaning = "the same with what is computed again",
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
     .meaning = "where other vGPUs have their time slices: half of the steps take no longer",
     .read = &number_of<&TrainingResult::turns, &TurnsResult::p50_s>},
    {.key = "step_p90_s",
     .title = "90 of 100 steps within",
     .head = "p90 step",
     .pointer = "/turns/step_p90_s",
     .meaning = "absent where too few steps were run for it",
     .read = [](const LayoutResult& layout) -> Value {
       return layout.training && layout.training->turns ? layout.training->turns->p90_s
                                                        : std::nullopt;
     },
     .screen = 2},
    {.key = "step_p99_s",
     .title = "99 of 100 steps within",
     .head = "p99 step",
     .pointer = "/turns/step_p99_s",
     .meaning = "absent where too few steps were run for it",
     .read = [](const LayoutResult& layout) -> Value {
       return layout.training && layout.training->turns ? layout.training->turns->p99_s
                                                        : std::nullopt;
     },
     .screen = 1},
    {.key = "steps",
     .title = "steps simulated",
     .head = "of steps",
     .unit = U::kCount,
     .better = Better::kNeither,
     .pointer = "/turns/steps",
     .meaning = "that the quantiles of steps rest on",
     .read = [](const LayoutResult& layout) -> Value {
       if (!layout.training || !layout.training->turns) return std::nullopt;
       return static_cast<double>(layout.training->turns->steps);
     },
     .screen = 1},
    {.key = "fairness",
     .title = "fairness of ranks",
     .head = "fairness",
     .unit = U::kShare,
     .better = Better::kHigher,
     .pointer = "/turns/fairness",
     .meaning = "Jain's index of the ranks' rates",
     .read = &number_of<&TrainingResult::turns, &TurnsResult::fairness>,
     .screen = 4,
     .matters =
         [](const LayoutResult& l) {
           return l.training && l.training->turns && l.training->turns->fairness < kEven;
         }},
    {.key = "cost_training",
     .title = "cost",
     .unit = U::kMoney,
     .pointer = "/cost/training",
     .meaning = "of all epochs, in the currency of the cost",
     .read = &cost<&Cost::training>,
     .screen = 1,
     .begins_block = true},
    {.key = "cost_epoch",
     .title = "cost of an epoch",
     .unit = U::kMoney,
     .pointer = "/cost/epoch",
     .meaning = "of a mean one",
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
     .meaning = "of all epochs",
     .read = [](const LayoutResult& layout) -> Value {
       return layout.training ? Value(layout.training->economy.gpu_hours) : std::nullopt;
     },
     .minor = true},
    {.key = "energy_kwh",
     .title = "energy",
     .unit = U::kKwh,
     .pointer = "/energy_kwh",
     .meaning = "of GPUs and hosts; absent where a GPU's power is not known",
     .read = [](const LayoutResult& layout) -> Value {
       return layout.training ? layout.training->economy.energy_kwh : std::nullopt;
     },
     .screen = 7},
    {.key = "memory_needed_bytes",
     .title = "memory of the fullest GPU",
     .head = "memory",
     .unit = U::kBytes,
     .pointer = "/memory/needed_bytes",
     .meaning = "that the job keeps in it",
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
     .meaning = "that the job runs on",
     .read = [](const LayoutResult& layout) -> Value { return static_cast<double>(layout.hosts); },
     .screen = 1,
     .screen_if_differs = true,
     .minor = true},
    {.key = "gpus",
     .title = "GPUs",
     .unit = U::kCount,
     .pointer = "/ranks",
     .meaning = "of the job: its ranks",
     .read = [](const LayoutResult& layout) -> Value { return static_cast<double>(layout.ranks); },
     .screen = 1,
     .screen_if_differs = true},
    {.key = "host_cores_busy",
     .title = "host cores busy",
     .unit = U::kCount,
     .pointer = "/host_cores_busy",
     .meaning = "with input and network, of the host that uses most",
     .read = &number<&TrainingResult::cores_busy>,
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
