#include "models/scenario/build/job_parallelism.hpp"

#include <fmt/core.h>

#include "models/kernels/kernel_gpu.hpp"
#include "models/training/lora.hpp"
#include "topology/look_up.hpp"

namespace vgsim::scenario {
namespace {

using input::At;
using input::Diagnostics;
using topology::report;
using training::Parallelism;
using training::Recompute;
using training::Schedule;
using training::Sharding;
using training::TensorOverlap;

class Splitter {
 public:
  Splitter(const At<JobSpec>& job, std::size_t ranks, Diagnostics& diagnostics)
      : job_(job),
        spec_(job->training),
        axes_(*spec_.parallel),
        ranks_(ranks),
        diagnostics_(diagnostics) {}

  /// Whether the job uses more than plain data parallelism.
  [[nodiscard]] bool is_more_than_data() const {
    return spec_.offload || *spec_.recompute != Recompute::kNone ||
           axes_.sharding != Sharding::kNone || axes_.tensor > 1 || axes_.pipeline > 1 ||
           axes_.context > 1 || axes_.expert > 1;
  }

  /// Whether parameters are sharded with a pipeline, without a setting for how often they are
  /// gathered.
  [[nodiscard]] bool gathers_once() const {
    return axes_.sharding == Sharding::kParameters && axes_.pipeline > 1 &&
           !axes_.reshard_after_forward.given;
  }

  Parallelism split(const training::TrainingJob& training) {
    Parallelism p;
    p.tensor = static_cast<std::size_t>(axes_.tensor);
    p.pipeline = static_cast<std::size_t>(axes_.pipeline);
    p.context = static_cast<std::size_t>(axes_.context);
    p.expert = static_cast<std::size_t>(axes_.expert);
    p.virtual_stages = static_cast<std::size_t>(axes_.virtual_stages);
    p.schedule = axes_.schedule;
    p.sequence = axes_.sequence;
    p.sharding = gathers_once() ? Sharding::kOptimizer : axes_.sharding;
    const bool gathers = axes_.sharding == Sharding::kParameters;
    p.tensor_overlap =
        axes_.tensor_overlap.value_or(gathers ? TensorOverlap::kNone : TensorOverlap::kGradients);
    p.context_exchange = axes_.context_exchange;
    p.overlap_gather = *axes_.overlap_gather;
    if (p.overlap_gather &&
        (p.sharding == Sharding::kNone || axes_.sharding == Sharding::kParameters)) {
      report(diagnostics_, axes_.overlap_gather,
             "only sharded optimizer states (zero1, zero2) gather parameters after their step",
             "\"sharding\": \"zero1\" or \"zero2\", or no \"overlap_gather\"");
    }
    if (spec_.weight_bits == 8 && kernels::operand_bytes(training.precision) > 1.1) {
      complain("weights are kept in fp8, but products do not have fp8 operands",
               "\"precision\": \"fp8\", or \"weights\": \"16bit\"");
    }
    p.expert_imbalance = axes_.expert_imbalance;
    p.recompute = *spec_.recompute;
    const std::size_t model = p.tensor * p.pipeline * p.context;
    if (model > ranks_ || ranks_ % model != 0) {
      complain(fmt::format("{} x {} x {} ranks of tensor, pipeline and context parallelism do not "
                           "divide {} GPUs",
                           p.tensor, p.pipeline, p.context, ranks_),
               "a product that divides the number of GPUs");
      return p;
    }
    p.data = ranks_ / model;
    p.flash_attention = training.flash_attention;
    p.fused_loss = spec_.fused_loss != FusedLoss::kNo;
    check_axes(p, training);
    split_shards(p);
    if (!diagnostics_.has_errors()) split_batch(p, training);
    return p;
  }

  /// Reports keys that apply only to gradient reduction in plain data parallelism, and buckets of
  /// jobs without any.
  void check_keys_of_plain_data() const {
    const auto report_given = [&](const auto& value, const char* key) {
      report(diagnostics_, value, fmt::format("\"{}\" applies only to plain data parallelism", key),
             "a job without \"parallel\" and micro-batches");
    };
    if (job_->pattern.given) report_given(job_->pattern, "pattern");
    if (!spec_.buckets) return;
    if ((*spec_.buckets)->cycle) report_given(*spec_.buckets, "cycle");
    if (axes_.sharding == Sharding::kParameters && !gathers_once()) {
      report(diagnostics_, *spec_.buckets,
             "sharded parameters have no buckets: each block reduces its own gradients",
             "another \"sharding\", or no \"buckets\"");
    }
  }

  /// Reports a number of replicas that differs from the possible one.
  void check_data(std::size_t data) {
    const auto& wanted = axes_.data;
    if (!*wanted || static_cast<std::size_t>(**wanted) == data) return;
    report(diagnostics_, wanted,
           fmt::format("{} replicas, but {} GPUs hold {}", **wanted, ranks_, data),
           "\"all\", or the second number");
  }

 private:
  void complain(std::string message, std::string expected) {
    report(diagnostics_, spec_.parallel, std::move(message), std::move(expected));
  }

  /// Sets the size of sharded copies and of resharding groups.
  void split_shards(Parallelism& p) {
    const auto& shard = axes_.shard_size;
    const auto& reshard = axes_.reshard_after_forward;
    const std::size_t replicas = p.data * p.context;
    const auto divides = [&](const auto& key, std::size_t ranks, std::size_t all) {
      if (all % ranks == 0) return true;
      report(diagnostics_, key, fmt::format("{} ranks do not divide {}", ranks, all),
             "a divisor of the number of ranks that share a copy");
      return false;
    };
    if (*shard) {
      const auto size = static_cast<std::size_t>(**shard);
      if (p.sharding == Sharding::kNone) {
        report(diagnostics_, shard, "nothing is sharded", "\"sharding\" next to \"shard_size\"");
      } else if (p.expert > 1) {
        report(diagnostics_, shard,
               "several sharded copies with expert parallelism are not modelled",
               "\"expert\" of 1, or no \"shard_size\"");
      } else if (divides(shard, size, replicas) && size < replicas) {
        p.shard_size = size;
      }
    }
    const auto& sync = axes_.gradient_sync;
    p.gradient_sync = *sync;
    if (*sync != training::GradientSync::kEach && p.sharding < Sharding::kGradients) {
      report(diagnostics_, sync, "gradients are not sharded, so they are reduced once",
             "\"sharding\" of zero2 or fsdp");
    }
    if (!*reshard) return;
    const auto size = static_cast<std::size_t>(**reshard);
    if (p.sharding != Sharding::kParameters) {
      report(diagnostics_, reshard, "no parameters are sharded", "\"sharding\": \"fsdp\"");
    } else if (p.expert > 1 && size > 1) {
      report(diagnostics_, reshard,
             "resharding to smaller groups with expert parallelism is not modelled",
             "true or false");
    } else if (divides(reshard, size, p.sharding_ranks()) && size < p.sharding_ranks()) {
      p.reshard_size = size;
    }
  }

  void check_axes(const Parallelism& p, const training::TrainingJob& training) {
    check_data(p.data);
    const auto& transformer = training.network->transformer;
    const std::size_t chunks = p.pipeline * p.virtual_stages;
    const std::size_t cuts = transformer ? static_cast<std::size_t>(transformer->layers)
                             : training.network->measured ? 1
                                                          : training.network->layers.size();
    const bool ends_apart = transformer && chunks == cuts + 2;  // embedding and output
    if (chunks > cuts && !ends_apart) {
      complain(fmt::format("{} has {} layers, too few for {} stages", training.network->name, cuts,
                           chunks),
               "fewer stages");
    }
    const bool splits = p.tensor > 1 || p.context > 1 || p.expert > 1;
    if (splits && !transformer) {
      complain(fmt::format("{} is not a transformer: its layers cannot be split",
                           training.network->name),
               "only data and pipeline parallelism");
    } else if (transformer && static_cast<std::size_t>(transformer->heads) % p.tensor != 0) {
      complain(fmt::format("{} attention heads cannot be split over {} ranks", transformer->heads,
                           p.tensor),
               "a divisor of the number of heads");
    }
    if (p.data % p.expert != 0) {
      complain(fmt::format("{} data-parallel ranks cannot be split into groups of {} for experts",
                           p.data, p.expert),
               "a divisor of the number of data-parallel ranks");
    } else if (p.expert > 1 && transformer &&
               transformer->experts % static_cast<std::int64_t>(p.expert) != 0) {
      complain(
          fmt::format("{} experts cannot be split over {} ranks", transformer->experts, p.expert),
          "a divisor of the number of experts");
    }
    if (p.expert > 1 && transformer && transformer->experts == 0) {
      complain(fmt::format("{} has no experts", training.network->name), "no \"expert\"");
    }
    if (p.schedule == Schedule::kGpipe && p.virtual_stages > 1) {
      complain("GPipe supports only one model chunk per stage", "\"schedule\": \"1f1b\"");
    }
    if (p.tensor_overlap == TensorOverlap::kProducts && !p.sequence) {
      complain("tensor-parallel reductions are split into chunks only with sequence parallelism",
               "\"sequence\": true, or \"tensor_overlap\": \"gradients\"");
    }
    if (p.schedule == Schedule::kZeroBubble) check_zero_bubble(p);
    if (p.context_exchange == training::ContextExchange::kHeads && transformer &&
        static_cast<std::size_t>(transformer->heads) % (p.tensor * p.context) != 0) {
      complain(fmt::format("{} attention heads cannot be split over {} ranks of tensor and context "
                           "parallelism",
                           transformer->heads, p.tensor * p.context),
               "\"context_exchange\": \"ring\"");
    }
    if (p.expert_imbalance > 1 && p.expert == 1) {
      complain("\"expert_imbalance\" needs expert parallelism",
               "\"expert\" above 1, or no \"expert_imbalance\"");
    }
    if (p.recompute != Recompute::kNone && !transformer) {
      report(diagnostics_, spec_.recompute,
             fmt::format("{} is not a transformer: recomputation is not modelled",
                         training.network->name),
             "\"none\"");
    }
  }

  void check_zero_bubble(const Parallelism& p) {
    if (p.virtual_stages > 1) {
      complain("the zero-bubble schedule supports only one model chunk per stage",
               "no \"virtual_stages\", or \"schedule\": \"1f1b\"");
    }
    if (p.sharding == Sharding::kParameters) {
      complain(
          "the zero-bubble schedule with parameters gathered for each micro-batch "
          "is not modelled",
          "no \"reshard_after_forward\", or another \"sharding\"");
    }
  }

  void split_batch(Parallelism& p, const training::TrainingJob& training) {
    p.micro_batch = spec_.micro_batch.value_or(training.parallelism.micro_batch);
    p.micro_batches = spec_.accumulation;
    if (spec_.global_batch && !split_global_batch(p)) return;
    if (p.virtual_stages > 1 && p.micro_batches % static_cast<std::int64_t>(p.pipeline) != 0) {
      complain(fmt::format("{} micro-batches are not a multiple of {} stages", p.micro_batches,
                           p.pipeline),
               "a multiple of the stages, for the interleaved schedule");
    }
  }

  bool split_global_batch(Parallelism& p) {
    const std::int64_t global = **spec_.global_batch;
    const std::int64_t step = p.micro_batch * static_cast<std::int64_t>(p.data);
    if (global % step != 0) {
      report(diagnostics_, *spec_.global_batch,
             fmt::format("a global batch of {} is not a multiple of {} replicas x micro-batches "
                         "of {}",
                         global, p.data, p.micro_batch),
             fmt::format("a multiple of {}", step));
      return false;
    }
    p.micro_batches = global / step;
    return true;
  }

  const At<JobSpec>& job_;
  const TrainingSpec& spec_;
  const ParallelSpec& axes_;
  std::size_t ranks_;
  Diagnostics& diagnostics_;
};

/// Bytes of a moment of the optimizer, with the scales of blocks of 256 (8 bits) or 128 elements.
double bytes_of(Moments moments) {
  switch (moments) {
    case Moments::kFp32:
      break;
    case Moments::k16Bit:
      return 2;
    case Moments::k8Bit:
      return 1 + 4.0 / 256;
    case Moments::k4Bit:
      return 0.5 + 4.0 / 128;
  }
  return 4;
}

/// Bytes of a logit, with intermediate results of the loss, where most of them exist.
double bytes_of_logit(const TrainingSpec& spec, const Parallelism& p, bool computes_32,
                      double activation) {
  // PyTorch stores 32-bit logits, their logarithms and gradients, and 16-bit ones before and after
  // them; Megatron's loss over a split vocabulary works in place, and a fused loss needs no
  // additional memory, but where eager PyTorch casts the logits before (Hugging Face).
  const bool alone = p.tensor == 1;
  const bool casts = spec.tuned == false && alone;
  const bool of_megatron = p.tensor > 1 || p.pipeline > 1 || p.sharding == Sharding::kOptimizer;
  const bool in_place = p.sharding != Sharding::kParameters && of_megatron;
  switch (spec.fused_loss) {
    case FusedLoss::kLinear:
      return 0;
    case FusedLoss::kInPlace:
      return casts && !computes_32 ? 4 + 2 * activation : activation;
    case FusedLoss::kNo:
      break;
  }
  return in_place ? 4 + 2 * activation : computes_32 ? 12 : 14;
}

/// What frameworks keep beside the states of parameters, and what lies in the host's memory.
void set_what_is_kept(const TrainingSpec& spec, const training::TrainingJob& training,
                      training::StateBytes& state) {
  const Parallelism& p = training.parallelism;
  const bool is_tuned = spec.tuned.value_or(false);
  // Software for FlashAttention has fused kernels, unless the scenario says that it has not.
  const bool is_fused = spec.tuned.value_or(p.flash_attention && spec.fused_norms);
  const bool is_narrow =
      training.precision == "fp8" || training.precision == "mxfp8" || training.precision == "nvfp4";
  const bool by_default_fp8 = is_narrow && p.sharding != Sharding::kParameters;
  if (spec.fp8_inputs.value_or(by_default_fp8)) state.product_input = 1;
  if (spec.lora) state.frozen = training::bytes_of_frozen((*spec.lora)->base);
  state.fused_activation = is_fused;
  state.separate_casts = state.by_autocast && !is_tuned;
  if (spec.foreach_step) state.step_copy = state.weight;
  state.steps_in_backward = spec.optimizer_in_backward;
  // PyTorch has freed gradients by the next backward pass since its version 2, which is taken as
  // that of jobs with FlashAttention; buckets and accumulated gradients stay.
  const bool come_one_by_one = p.ranks() == 1 || p.sharding == Sharding::kParameters;
  state.late_gradients = p.micro_batches == 1 && p.flash_attention && come_one_by_one;
  if (!spec.offload) return;
  state.offloads_optimizer = spec.offload->optimizer;
  state.offloads_parameters = spec.offload->parameters;
  state.offloaded_activations = spec.offload->activations;
}

/// Bytes stored per parameter: weights and gradients in the type of the passes, or in 32 bits; Adam
/// has two moments, SGD one, and 16-bit weights have a 32-bit master copy.
training::StateBytes state_of(const TrainingSpec& spec, bool by_default_16_bit,
                              const training::TrainingJob& training) {
  training::StateBytes state;
  const std::int64_t bits = spec.weight_bits.value_or(by_default_16_bit ? 16 : 32);
  const double moments = *spec.optimizer == "none" ? 0 : *spec.optimizer == "sgd" ? 1 : 2;
  const bool computes_32 = training.precision == "fp32" || training.precision == "tf32";
  state.weight = computes_32 ? 4 : static_cast<double>(bits) / 8;
  state.gradient = static_cast<double>(training.gradient_bytes.count());
  const bool short_weights = state.weight < 4;
  const Moments type = spec.moments.value_or(
      short_weights && !spec.master_weights ? Moments::k16Bit : Moments::kFp32);
  state.optimizer = moments * bytes_of(type) + (short_weights && spec.master_weights ? 4 : 0);
  state.activation = computes_32 ? 4 : 2;
  const auto& transformer = training.network->transformer;
  if (!spec.fused_norms && !computes_32 && transformer && transformer->rms_norm) {
    state.norm_input = 4;
  }
  const Parallelism& p = training.parallelism;
  state.logit = bytes_of_logit(spec, p, computes_32, state.activation);
  if (!computes_32 && state.weight == 4 && p.sharding != Sharding::kParameters) {
    state.compute_by_autocast(spec.tuned.value_or(false));
  }
  // Gradient buckets of PyTorch's DistributedDataParallel; frameworks with 16-bit weights reduce
  // gradients in place.
  const bool data_alone = p.ranks() == p.data && p.sharding == Sharding::kNone;
  if (data_alone && p.data > 1 && state.weight == 4) state.bucket = state.gradient;
  set_what_is_kept(spec, training, state);
  return state;
}

}  // namespace

void split_work(const At<JobSpec>& job, std::size_t ranks, training::TrainingJob& training,
                std::vector<std::string>& assumptions, Diagnostics& diagnostics) {
  if (ranks == 0) return;  // reported
  Splitter splitter(job, ranks, diagnostics);
  const bool more = splitter.is_more_than_data();
  const TrainingSpec& spec = job->training;
  training.parallelism = splitter.split(training);
  training.state = state_of(spec, spec.parallel.given || more, training);
  training.data_parallel_only = !more;
  if (training.data_parallel_only) {
    training.parallelism.virtual_stages = 1;
    training.parallelism.sequence = false;
    return;
  }
  if (training.network->measured) {
    topology::report(
        diagnostics, job->training.parallel,
        fmt::format("{} is a measured step and cannot be split", training.network->name),
        "no \"parallel\"");
  }
  splitter.check_keys_of_plain_data();
  if (splitter.gathers_once()) {
    assumptions.emplace_back(
        "job: with a pipeline, sharded parameters are gathered once per iteration and kept, as "
        "in FSDP2; traffic and memory are those of ZeRO-1");
  }
}

}  // namespace vgsim::scenario
