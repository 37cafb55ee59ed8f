#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "models/scenario/build/job_pace.hpp"
#include "models/scenario/run/iteration_record.hpp"
#include "models/scenario/run/topology_picture.hpp"
#include "models/scenario/run/traffic_path.hpp"
#include "models/scenario/run/used_input.hpp"
#include "models/training/roofline.hpp"
#include "models/training/virtualization.hpp"
#include "models/vsphere/legality/findings.hpp"
#include "models/vsphere/modes/gpu_modes.hpp"
#include "sim/units.hpp"
#include "topology/graph/open_point.hpp"

namespace vgsim::scenario {

/// A limiting link or device, and its share of the time.
struct Bottleneck {
  std::string resource;  ///< "esx01/vmnic4 -> leaf1"
  std::string kind;      ///< "nic"
  double share = 0.0;    ///< of the iteration (or of the collective), 0 to 1
  std::string slot;      ///< for a device's PCIe link: "the card's PCIe Gen3 x8"
};

/// The load of one link.
struct LinkUse {
  std::string resource;  ///< or the first of several with the same load
  std::string kind;
  std::size_t links = 1;      ///< number of links with the same load, on hosts of one kind
  double bytes = 0.0;         ///< per iteration, or in the largest collective
  double core_seconds = 0.0;  ///< load of CPUs, which carry no bytes
  double utilization = 0.0;   ///< share of the payload capacity, 0 to 1

  bool operator==(const LinkUse&) const = default;
};

/// A warning about a layout; equal warnings about several VMs are merged.
struct Warning {
  std::string rule;
  vsphere::Verdict verdict = vsphere::Verdict::kNote;
  std::string text;
  std::string remedy;
  std::string source;
  vsphere::Evidence evidence;
  bool not_priced = false;  ///< its effect is not part of times or costs
  std::optional<vsphere::OperationAnswer> operation{};  ///< that the rule is about
};

/// The next bottleneck if every link of one kind were infinitely fast.
struct NextLimit {
  std::string without_kind;
  SimTime iteration{};
  std::optional<Bottleneck> then;  ///< nothing: no link limits it
  double computing = 0.0;          ///< share of the iteration with computing GPUs
};

/// A quantity over several seeds: the median and the 90 % interval.
struct Spread {
  std::uint64_t seeds = 0;
  double median_s = 0.0;
  double low_s = 0.0;   ///< 5 % quantile, nearest rank
  double high_s = 0.0;  ///< 95 % quantile, nearest rank
};

/// The 90 % interval over draws of the uncertain parameters.
struct Interval {
  double low_s = 0.0;
  double high_s = 0.0;
  std::size_t draws = 0;
};

/// Lower bounds of the parts of an iteration in draws.
struct Floors {
  SimTime links{};  ///< whole iteration: the busiest wire or storage at its line rate
  /// Exposed communication: the traffic of the busiest wire that no pass overlaps.
  SimTime communication{};
  SimTime compute{};  ///< passes: their operations at the GPUs' peak
};

/// An event that stops the whole training for some time.
struct Interruption {
  std::string what;  ///< "vMotion of train01"
  double seconds = 0.0;
  std::string why;
  double steps = 0.0;  ///< number of steps in that time
  /// The rule of its warning if it has no effect (see `why`); empty otherwise.
  std::string rule;
};

/// Monthly cost of rolling maintenance for a training job.
struct Maintenance {
  double stops = 0.0;               ///< outages of the job's hosts per month
  std::optional<double> vmotion_s;  ///< seconds; nothing if a VM of the job cannot be moved
  double restart_s = 0.0;           ///< seconds, with checkpoints saved just before
  std::vector<std::string> full;    ///< hosts of the job whose VMs do not fit on the others
  std::string why_full;             ///< reason for the first of these
};

/// Memory of the fullest GPU of a job, in bytes.
struct MemoryUse {
  double capacity = 0;
  double needed = 0;   ///< a job fits if the GPU has as much
  double usual = 0;    ///< as nvidia-smi shows: with what the allocator caches
  double reserve = 0;  ///< of the framework and of communicators, in both
  std::map<std::string, double> parts;
  std::int64_t largest_micro_batch = 0;  ///< that fits; 0 if no sample fits

  [[nodiscard]] bool fits() const { return needed <= capacity; }
};

/// Cost for a training job, in `currency`.
struct Cost {
  std::string currency;
  double training = 0;
  double epoch = 0;                     ///< mean cost of an epoch
  std::map<std::string, double> parts;  ///< parts of `training`
};

/// Effect of failures on the time for a training job.
struct Goodput {
  double failures = 0;  ///< expected number, in the training time without failures
  std::optional<double>
      expected_s;    ///< expected time with failures in seconds; nothing if it never ends
  double share = 1;  ///< useful share of that time
  std::optional<double>
      best_interval_s;  ///< best seconds between checkpoints, if saving takes time
};

/// Resources used by a training job.
struct Economy {
  double gpu_hours = 0;
  std::optional<double> energy_kwh;  ///< GPUs and hosts; nothing if a GPU's power is unknown
  std::optional<Cost> cost;
};

/// Step times of ranks on GPUs shared by time slices. A quantile is given if enough steps, over
/// enough bursts of the others, were simulated that one beyond it is included with 95 % confidence:
/// 299 for the 99 % quantile, 29 for the 90 % quantile (1 - q^n).
struct TimeSlicedSteps {
  std::size_t steps = 0;  ///< simulated steps; ranks that wait for each other count once
  double p50_s = 0;       ///< median
  std::optional<double> p90_s;
  std::optional<double> p99_s;
  double fairness = 1;  ///< Jain's index of the ranks' rates; 1: all equal
};

struct TrainingResult {
  std::string network;                     ///< name of the network
  std::int64_t tokens = 0;                 ///< per sample, for networks with sequences
  double samples = 0.0;                    ///< of all epochs
  std::optional<std::int64_t> all_tokens;  ///< length of the training, if set in tokens
  std::int64_t global_batch = 0;
  SimTime first_iteration{};
  SimTime iteration{};  ///< in the steady state
  /// All iterations were simulated, or repeat periodically, or (with time slices) enough were
  /// simulated.
  bool settled = true;
  std::uint64_t iterations_run = 0;  ///< simulated iterations of an epoch; the others repeat them
  std::uint64_t repeats_after = 0;   ///< iterations per period; 0 without a period
  std::optional<std::int64_t> epoch_ps;  ///< exact, if every iteration is known
  std::int64_t iterations_per_epoch = 0;
  std::int64_t epochs = 0;
  double epoch_s = 0.0;
  double training_s = 0.0;  ///< all epochs and interruptions
  std::vector<Interruption> interruptions;
  std::optional<Maintenance> maintenance;
  Economy economy;
  std::optional<Goodput> goodput;
  std::optional<training::Roofline> roofline;  ///< nothing if operations are not counted
  double samples_per_s = 0.0;
  std::int64_t copies = 1;  ///< number of equal concurrent jobs, including this one
  double host_samples_per_s =
      0.0;  ///< of all of them, on each outages of the job's hosts per month
  /// Samples/s of the job over the sum of its GPUs running independently, at most 1; nothing if
  /// they take no time.
  std::optional<double> scaling_efficiency;
  SimTime compute{};  ///< these five add up to `iteration`
  SimTime exposed_communication{};
  SimTime data_wait{};
  SimTime optimizer{};
  SimTime kernels_slowed{};  ///< by concurrent traffic; part of the exposed communication
  SimTime pipeline_wait{};   ///< waiting for other pipeline stages (the bubble)
  SimTime wait_for_jobs{};   ///< beside other jobs; a sixth part of `iteration`
  Floors floors;
  std::map<std::string, SimTime> communication;  ///< parts of `exposed_communication`, by axis
  std::map<std::string, double> sent_bytes;      ///< by one rank per iteration, by axis
  double model_flops_per_gpu = 0;                ///< operations/s: 3 x forward, or 0 if not counted
  double hardware_flops_per_gpu = 0;             ///< including recomputation
  /// MFU and HFU: shares of the GPU's peak in the type of its matrix products, counting all
  /// attention scores, masked or not (A. Chowdhery et al., PaLM, 2022, appendix B; V. Korthikanti
  /// et al., 2022). Nothing if operations are not counted.
  std::optional<double> model_flops_utilization;
  std::optional<double> hardware_flops_utilization;
  std::vector<training::ComputeLoss> losses;  ///< of `compute`
  std::string breakdown_rank;                 ///< rank of the breakdown: the one that ends last
  double gradient_bytes = 0.0;
  std::size_t buckets = 0;
  std::map<std::string, std::size_t>
      algorithms;           ///< "Ring Simple": number of buckets reduced with it
  double cores_busy = 0.0;  ///< by input and networking, on the busiest host
  /// Cores in use there, by cause; also by neighbours and by what drives the GPUs.
  std::map<std::string, double> cores_by_cause;
  double cores_missing = 0.0;  ///< more that input and networking could use there
  std::map<std::string, double> gradient_bytes_by_kind;  ///< total over all links of a kind
  std::optional<NextLimit> next;
  bool time_sliced = false;                          ///< its GPUs are shared by time slices
  std::optional<TimeSlicedSteps> time_sliced_steps;  ///< if its GPUs are shared by time slices
  std::optional<Interval> iteration_interval;
  std::optional<Interval> training_interval;  ///< of `training_s`
  std::optional<Spread> iteration_spread;     ///< of `iteration` over the seeds
  std::optional<Spread> epoch_spread;         ///< of `epoch_s`

  /// Of all epochs; may exceed the range of integers.
  [[nodiscard]] double iterations() const {
    return static_cast<double>(epochs) * static_cast<double>(iterations_per_epoch);
  }
  /// 0 for networks without sequences.
  /// Share of the time in which its GPUs compute.
  [[nodiscard]] double gpu_utilization() const {
    const SimTime busy = compute + optimizer;
    return iteration > SimTime{0} ? to_seconds(busy) / to_seconds(iteration) : 0.0;
  }
  [[nodiscard]] double tokens_per_s() const { return samples_per_s * static_cast<double>(tokens); }
};

/// An algorithm and protocol of NCCL, with the time of NCCL's cost model.
struct NcclChoice {
  std::string algorithm;
  std::string protocol;
  double predicted_us = 0.0;
};

/// Chunks of 1/N of the buffer sent and received by each of N GPUs of a node.
struct Operations {
  std::size_t gpus = 0;
  std::size_t done = 0;     ///< 2 N + 2 with reductions in the NVSwitch
  std::size_t by_ring = 0;  ///< 4 (N - 1)
};

struct CollectivePoint {
  Bytes size{};
  SimTime time{};
  SimTime low{};  ///< limits of the 90 % interval of measurements
  SimTime high{};
  SimTime fixed{};                   ///< latency part of `time`
  double algbw_GBps = 0.0;           ///< size over time
  double busbw_GBps = 0.0;           ///< times bus_factor()
  std::optional<NcclChoice> choice;  ///< nothing if NCCL does not choose
  std::optional<NcclChoice> runner_up;
  std::size_t channels = 0;
  std::vector<SimTime> beside;           ///< end times of concurrent collectives
  std::optional<Operations> operations;  ///< for AllReduce with reduction in NVSwitches
  std::string bottleneck;                ///< the main limiting link; empty if none
};

struct CollectiveResult {
  std::string collective;
  std::vector<CollectivePoint> points;
};

/// Measured machines behind a model whose error a prediction has.
struct MeasuredLike {
  std::string what;          ///< "collectives over TCP"
  std::size_t machines = 0;  ///< of all GPU architectures
  std::string architecture;  ///< of the layout's GPUs: "hopper"
  std::size_t like = 0;      ///< machines of this architecture
};

/// The effect of an alternative value of an assumption on the time.
struct PricedAssumption {
  std::string text;  ///< "NIC rate, taken as 100 Gbit/s; if it is 400 Gbit/s"
  double time_s = 0.0;
  double otherwise_s = 0.0;
};

/// Assumptions not evaluated because the job is too large.
struct UnpricedAssumptions {
  std::vector<std::string> texts;  ///< "NCCL version (2 of 4 values)"
  std::string command;             ///< command that evaluates them
};

/// What one of several jobs loses to something.
struct JobLoss {
  std::string cause;     ///< kind of resource, or a job
  std::string resource;  ///< of that kind, which it shares
  double share = 0;      ///< longer iteration, relative to that of the job alone
};

/// One of several jobs at once.
struct JobResult {
  std::string name;
  std::string network;
  std::size_t ranks = 0;
  double start_s = 0;
  SimTime iteration_alone{};
  SimTime iteration{};  ///< while all jobs run
  double epoch_alone_s = 0;
  double epoch_s = 0;     ///< the first one, beside the jobs that run during it
  double training_s = 0;  ///< from its start
  double samples_per_s = 0;
  double gpu_utilization = 0;        ///< share of the time in which its GPUs compute
  double slowdown = 1;               ///< `iteration` over `iteration_alone`
  std::vector<JobLoss> by_resource;  ///< largest first; they need not add up
  std::vector<JobLoss> by_job;
};

/// In how many draws something is as predicted.
struct Agreement {
  std::size_t draws = 0;
  std::size_t agree = 0;
};

struct LayoutResult {
  /// Whether the hosts have no hypervisor.
  [[nodiscard]] bool is_bare_metal() const { return mode == vsphere::bare_metal_gpus().title; }

  /// Whether its VMs have an operation, with the reason or condition. Nothing: without condition.
  [[nodiscard]] std::optional<vsphere::OperationAnswer> answer_about(
      vsphere::Operation operation) const {
    for (const Warning& warning : warnings) {
      if (warning.operation && warning.operation->operation == operation) return warning.operation;
    }
    return std::nullopt;
  }

  std::string name;
  std::size_t ranks = 0;
  std::size_t machines = 0;
  std::size_t hosts = 0;          ///< number of hosts of the job
  std::string mode;               ///< "passthrough", "vgpu", "bare metal" or "mixed"
  std::string vsphere;            ///< version
  bool refused = false;           ///< by vSphere or for lack of memory: nothing was simulated
  std::vector<std::string> numa;  ///< nodes of the job's VMs, as sentences
  std::size_t pool_gpus = 0;      ///< of all hosts, used or not
  std::size_t channels = 0;
  std::map<std::string, std::size_t> hops_by_transport;  ///< in the first ring
  TrafficPath path;
  std::optional<TrainingResult> training;
  std::optional<MemoryUse> memory;  ///< for a training job
  std::vector<JobResult> jobs;      ///< several at once: all of them; `training` is the first
  std::optional<CollectiveResult> collective;
  /// The link with the largest share of the critical path; if there is none, the busiest one, with
  /// share 0.
  std::optional<Bottleneck> bottleneck;
  Agreement same_limit;        ///< of limit_of(), for training jobs
  std::vector<LinkUse> links;  ///< busiest first
  std::vector<Warning> warnings;
  std::vector<std::string> assumptions;
  std::vector<topology::OpenPoint>
      open;  ///< unstated properties of the hosts that affect the result
  std::vector<PricedAssumption> assumed;  ///< relevant ones, if they were evaluated
  std::optional<UnpricedAssumptions> unpriced;
  std::vector<UsedInput> inputs;  ///< by name; empty for a refused layout
  std::vector<MeasuredLike> measured_like;  ///< if inputs are listed
  /// compared_time() in each draw of the uncertain parameters and of the errors of the model;
  /// nothing if the draw could not run.
  /// Entries of equal index belong to the same draw in all layouts.
  std::vector<std::optional<double>> drawn_s;
  std::string calibration;                 ///< name and origin; empty without one
  std::optional<IterationRecord> record;   ///< of training jobs, if requested
  std::optional<TopologyPicture> picture;  ///< if requested
  /// Time with traffic concurrent to the passes of an iteration, before its slowdown of them: of
  /// the job, or by unit of a job that shards more than its data. Empty if not needed.
  std::vector<SimTime> hidden_traffic;
  JobPace pace;  ///< of the first of several jobs
  std::uint64_t events = 0;
  std::uint64_t events_of_jobs = 0;  ///< of all jobs together, and their tasks
  std::uint64_t tasks = 0;           ///< tasks built for a run
  std::string event_fingerprint;
  std::string fingerprint;  ///< of the figures only
};

/// Numbers of draws. Intervals and differences use only draws not cut off by a limit on time,
/// events or memory; with a time limit they depend on the speed of the machine.
struct DrawCount {
  std::size_t asked = 0;
  std::size_t cut_off = 0;
};

struct ScenarioResult {
  std::string name;
  std::vector<LayoutResult> layouts;
  DrawCount draws{};
};

}  // namespace vgsim::scenario
