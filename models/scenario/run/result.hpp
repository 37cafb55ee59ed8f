#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "models/scenario/run/iteration_record.hpp"
#include "models/scenario/run/topology_picture.hpp"
#include "models/scenario/run/used_input.hpp"
#include "models/training/roofline.hpp"
#include "models/training/virtualization.hpp"
#include "models/vsphere/facts/rules.hpp"
#include "models/vsphere/modes/gpu_modes.hpp"
#include "sim/units.hpp"
#include "topology/graph/open_point.hpp"

namespace vgsim::scenario {

/// A link or device that holds something back, and for what share of the time.
struct Bottleneck {
  std::string resource;  ///< "esx01/vmnic4 -> leaf1"
  std::string kind;      ///< "nic"
  double share = 0.0;    ///< of the iteration (or of the collective), 0 to 1
  std::string slot;      ///< of a device's own PCIe link: "the card's PCIe Gen3 x8"
};

/// What one link carried.
struct LinkUse {
  std::string resource;  ///< or the first of those that carry the same
  std::string kind;
  std::size_t links = 1;      ///< how many carry the same, on hosts of one kind
  double bytes = 0.0;         ///< in one iteration, or in the largest collective
  double core_seconds = 0.0;  ///< the same of CPUs, which carry no bytes
  double utilization = 0.0;   ///< of what payload could use in that time, 0 to 1

  bool operator==(const LinkUse&) const = default;
};

/// Something the user should know about a layout; the same for many VMs is said once.
struct Warning {
  std::string rule;
  vsphere::Verdict verdict = vsphere::Verdict::kNote;
  std::string text;
  std::string remedy;
  std::string source;
  vsphere::Standing standing;
  bool not_priced = false;  ///< what it speaks of adds nothing to a time or cost
};

/// What would hold the job back if every link of one kind were infinitely fast.
struct NextLimit {
  std::string without_kind;
  SimTime iteration{};
  std::optional<Bottleneck> then;  ///< nothing: no link holds it back any more
  double computing = 0.0;          ///< share of it that its GPUs compute
};

/// What a quantity was over several seeds: the median and the range that holds nine in ten.
struct Spread {
  std::uint64_t seeds = 0;
  double median_s = 0.0;
  double low_s = 0.0;   ///< 5 % quantile, nearest rank
  double high_s = 0.0;  ///< 95 % quantile, nearest rank
};

/// What nine in ten draws of the uncertain parameters give.
struct Interval {
  double low_s = 0.0;
  double high_s = 0.0;
  std::size_t draws = 0;
};

/// What no draw of a model's uncertainty undercuts in an iteration.
struct Floors {
  SimTime links{};  ///< of all of it: the busiest wire or storage, at its line rate
  /// Of the exposed communication: what the busiest wire carries for it and no pass hides.
  SimTime communication{};
  SimTime compute{};  ///< of the passes: their operations at the GPUs' peak
};

/// Something that stops a whole training for a while.
struct Interruption {
  std::string what;  ///< "vMotion of train01"
  double seconds = 0.0;
  std::string why;
  double steps = 0.0;  ///< that the job would train in that time
  /// The rule by which it costs nothing, as `why` says; empty where it costs its seconds.
  std::string rule;
};

/// What taking down hosts one after the other costs a training job in a month.
struct Maintenance {
  double stops = 0.0;               ///< of the job's hosts
  std::optional<double> vmotion_s;  ///< nothing where a VM of the job cannot be moved so
  double restart_s = 0.0;           ///< from checkpoints that are saved before
  std::vector<std::string> full;    ///< hosts of the job whose VMs fit on no other
  std::string why_full;             ///< of the first of these
};

/// What the fullest GPU of a job keeps in memory, in bytes.
struct MemoryUse {
  double capacity = 0;
  double needed = 0;
  std::map<std::string, double> parts;
  std::int64_t largest_micro_batch = 0;  ///< that would fit; 0 where even one sample does not

  [[nodiscard]] bool fits() const { return needed <= capacity; }
};

/// What a training job is charged for, in `currency`.
struct Cost {
  std::string currency;
  double training = 0;
  double epoch = 0;                     ///< a mean one
  std::map<std::string, double> parts;  ///< of `training`
};

/// What failures make of a training job's time.
struct Goodput {
  double failures = 0;                    ///< expected, in the time without them
  std::optional<double> expected_s;       ///< time with them; nothing where it never ends
  double share = 1;                       ///< of that time, that is not lost
  std::optional<double> best_interval_s;  ///< between checkpoints, where saving takes time
};

/// What a training job takes beside time.
struct Economy {
  double gpu_hours = 0;
  std::optional<double> energy_kwh;  ///< GPUs and hosts; nothing where a GPU's power is not known
  std::optional<Cost> cost;
};

/// Steps of ranks whose GPUs others use in turns. A quantile is given where so many steps, over so
/// many bursts of the others, were run that one beyond it is among them with 95 % confidence: of
/// the 99 % quantile 299, of the 90 % quantile 29 (1 - q^n).
struct TurnsResult {
  std::size_t steps = 0;  ///< that were run, one for all ranks that wait for each other in it
  double p50_s = 0;       ///< half of them take no longer
  std::optional<double> p90_s;
  std::optional<double> p99_s;
  double fairness = 1;  ///< of the ranks' rates: Jain's index, 1 where all are the same
};

struct TrainingResult {
  std::string network;                     ///< that is trained
  std::int64_t tokens = 0;                 ///< of a sample, of networks that read text
  double samples = 0.0;                    ///< that all epochs train
  std::optional<std::int64_t> all_tokens;  ///< where the job is as long as so many take
  std::int64_t global_batch = 0;
  SimTime first_iteration{};
  SimTime iteration{};  ///< the steady one
  /// All iterations were run, or found to repeat, or took turns, and many were met.
  bool settled = true;
  std::uint64_t iterations_run = 0;      ///< of an epoch; the others repeat them
  std::uint64_t repeats_after = 0;       ///< iterations in one repetition; 0 if none was used
  std::optional<std::int64_t> epoch_ps;  ///< exactly, where every iteration of it is known
  std::int64_t iterations_per_epoch = 0;
  std::int64_t epochs = 0;
  double epoch_s = 0.0;
  double training_s = 0.0;  ///< all epochs, and interruptions
  std::vector<Interruption> interruptions;
  std::optional<Maintenance> maintenance;
  Economy economy;
  std::optional<Goodput> goodput;
  std::optional<training::Roofline> roofline;  ///< nothing where operations are not counted
  double samples_per_s = 0.0;
  std::int64_t copies = 1;          ///< jobs like it that run at once, with it
  double host_samples_per_s = 0.0;  ///< of all of them, on each of the job's hosts
  /// Samples/s of all GPUs together over those of each alone, at most 1; nothing if they take no
  /// time.
  std::optional<double> scaling_efficiency;
  SimTime compute{};  ///< these five add up to `iteration`
  SimTime exposed_communication{};
  SimTime data_wait{};
  SimTime optimizer{};
  SimTime kernels_slowed{};  ///< by traffic beside them; part of the exposed communication
  SimTime pipeline_wait{};   ///< for other pipeline stages (the bubble)
  Floors floors;
  std::map<std::string, SimTime> communication;  ///< parts of `exposed_communication`, by axis
  std::map<std::string, double> sent_bytes;      ///< by one rank in an iteration, by axis
  double model_flops_per_gpu = 0;     ///< operations/s: 3 x forward, or 0 where it is not counted
  double hardware_flops_per_gpu = 0;  ///< with what is computed again
  /// Of the GPU's peak in the type of its matrix products: MFU and HFU, which count all scores of
  /// attention, masked or not (A. Chowdhery et al., PaLM, 2022, appendix B; V. Korthikanti et al.,
  /// 2022). Nothing where operations are not counted.
  std::optional<double> model_flops_utilization;
  std::optional<double> hardware_flops_utilization;
  std::vector<training::ComputeLoss> losses;  ///< of `compute`
  std::string breakdown_rank;                 ///< whose breakdown it is: the rank that ends last
  double gradient_bytes = 0.0;
  std::size_t buckets = 0;
  std::map<std::string, std::size_t> algorithms;  ///< "Ring Simple": buckets that NCCL reduces so
  double cores_busy = 0.0;  ///< with input and network, of the host that uses most
  std::map<std::string, double> gradient_bytes_by_kind;  ///< over all links of a kind
  std::optional<NextLimit> next;
  bool takes_turns = false;  ///< collectives move data while its vGPUs have their turn alone
  std::optional<TurnsResult> turns;  ///< where others use its GPUs in turns
  std::optional<Interval> iteration_interval;
  std::optional<Interval> training_interval;  ///< of `training_s`
  std::optional<Spread> iteration_spread;     ///< of `iteration` over the seeds
  std::optional<Spread> epoch_spread;         ///< of `epoch_s`

  /// Of all epochs: more than fit into an integer where both are large.
  [[nodiscard]] double iterations() const {
    return static_cast<double>(epochs) * static_cast<double>(iterations_per_epoch);
  }
  /// 0 of networks that read no text.
  [[nodiscard]] double tokens_per_s() const { return samples_per_s * static_cast<double>(tokens); }
};

/// An algorithm of NCCL with a protocol, and the time that NCCL's own cost model gives it.
struct NcclChoice {
  std::string algorithm;
  std::string protocol;
  double predicted_us = 0.0;
};

/// Chunks of 1/N of the buffer that each of N GPUs of a node sends and receives.
struct Operations {
  std::size_t gpus = 0;
  std::size_t done = 0;     ///< 2 N + 2 with reductions in the NVSwitch
  std::size_t by_ring = 0;  ///< 4 (N - 1)
};

struct CollectivePoint {
  Bytes size{};
  SimTime time{};
  SimTime low{};  ///< nine measurements in ten lie between these
  SimTime high{};
  SimTime fixed{};                   ///< of `time`, what is latency
  double algbw_GBps = 0.0;           ///< size over time
  double busbw_GBps = 0.0;           ///< times bus_factor()
  std::optional<NcclChoice> choice;  ///< nothing where NCCL does not choose
  std::optional<NcclChoice> runner_up;
  std::size_t channels = 0;
  std::vector<SimTime> beside;           ///< when the collectives beside it ended
  std::optional<Operations> operations;  ///< of AllReduce, where an NVSwitch reduces
  std::string bottleneck;  ///< the link that held it back for longest; empty if none did
};

struct CollectiveResult {
  std::string collective;
  std::vector<CollectivePoint> points;
};

/// Something that no input states, at another value than was taken: what the time would be.
struct PricedAssumption {
  std::string text;  ///< "NIC rate, taken as 100 Gbit/s; if it is 400 Gbit/s"
  double time_s = 0.0;
  double otherwise_s = 0.0;
};

/// What no input states, and whose price was left out: for a job of its size that is much work.
struct UnpricedAssumptions {
  std::vector<std::string> texts;  ///< "NCCL version (2 of 4 values)"
  std::string command;             ///< that prices them
};

struct LayoutResult {
  /// On hosts without a hypervisor.
  [[nodiscard]] bool is_bare_metal() const { return mode == vsphere::bare_metal_gpus().title; }

  std::string name;
  std::size_t ranks = 0;
  std::size_t machines = 0;
  std::size_t hosts = 0;  ///< that the job runs on
  std::string mode;       ///< "passthrough", "vgpu", "bare metal" or "mixed"
  std::string vsphere;    ///< version
  bool refused = false;   ///< by that version: nothing was simulated
  std::size_t channels = 0;
  std::map<std::string, std::size_t> hops_by_transport;  ///< of the first ring
  std::optional<TrainingResult> training;
  std::optional<MemoryUse> memory;  ///< of a training job
  std::optional<CollectiveResult> collective;
  /// The link on the critical path for the longest time; if none is, the busiest, with share 0.
  std::optional<Bottleneck> bottleneck;
  std::vector<LinkUse> links;  ///< busiest first
  std::vector<Warning> warnings;
  std::vector<std::string> assumptions;
  std::vector<topology::OpenPoint> open;  ///< of the hosts: what it rests on and nobody told
  std::vector<PricedAssumption> assumed;  ///< that matter, where they were looked for
  std::optional<UnpricedAssumptions> unpriced;
  std::vector<UsedInput> inputs;  ///< that it rests on, by name; none of a layout that was refused
  /// Its time in each draw of the uncertain parameters, as compared_time() has it; nothing where
  /// the draw could not run. A draw of one layout is the draw of that place of every other one.
  std::vector<std::optional<double>> drawn_s;
  std::string calibration;                 ///< that was used, in words; empty without one
  std::optional<IterationRecord> record;   ///< where it was asked for, of training jobs
  std::optional<TopologyPicture> picture;  ///< where it was asked for
  /// On its way beside the passes of an iteration, where it does not slow them down yet: of the
  /// job, or by unit of one that shards more than its data. Empty where nothing asked for it.
  std::vector<SimTime> hidden_traffic;
  std::uint64_t events = 0;
  std::uint64_t tasks = 0;  ///< that were built for a run, whatever is simulated of them
  std::string event_fingerprint;
  std::string fingerprint;  ///< of the result alone
};

/// Whether the order of the layouts survives the uncertainty of the model: two layouts against each
/// other over the same draws of all parameters.
struct RankingPair {
  std::string faster;  ///< with the parameters as they are
  std::string slower;
  std::size_t draws = 0;
  std::size_t agree = 0;  ///< draws in which it is the faster one too, or both are the same
};

/// How many draws of the uncertain parameters were asked for. Intervals and the ranking rest on
/// those that no limit on time, events or memory cut off: with a limit on time, on how fast the
/// machine is.
struct DrawCount {
  std::size_t asked = 0;
  std::size_t cut_off = 0;
};

struct ScenarioResult {
  std::string name;
  std::vector<LayoutResult> layouts;
  std::vector<RankingPair> ranking;  ///< neighbours in the order of speed; none without draws
  DrawCount draws{};
};

}  // namespace vgsim::scenario
