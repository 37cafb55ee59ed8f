#include <fmt/core.h>

#include <algorithm>
#include <tuple>
#include <utility>

#include "models/questions/explain/changes/change_context.hpp"

namespace vgsim::scenario {
namespace {

using training::GradientSync;
using training::Recompute;
using training::Schedule;
using training::Sharding;
using training::TensorOverlap;

/// Numbers of ranks, by key.
using Axes = std::vector<std::pair<const char*, std::int64_t>>;

class ParallelismChanges {
 public:
  ParallelismChanges(const ChangeContext& at, std::vector<Change>& changes)
      : job_(layout_of(at).job->training), now_(*job_.parallel), changes_(changes) {
    const scenario::Job& job = at.prepared.layouts.front().placement.job;
    overlap_ = job.training->parallelism.tensor_overlap;
    const auto& machines = job.machines;
    machines_ = static_cast<std::int64_t>(machines.size());
    gpus_ = static_cast<std::int64_t>(machines.front().gpus.size());
    micro_batches_ = job_.accumulation;
    if (at.result.training && job_.micro_batch) {
      const std::int64_t replicas =
          machines_ * gpus_ / (now_.tensor * now_.pipeline * now_.context);
      micro_batches_ = at.result.training->global_batch /
                       std::max(replicas * *job_.micro_batch, std::int64_t{1});
    }
  }

  void add_all() {
    add_axes();
    add_splits();
    add_schedules();
    add_sharding();
    add_recomputation();
    add_micro_batches();
  }

 private:
  void add(std::string id, std::string title, std::vector<Override> overrides,
           std::vector<std::string> needs = {}) {
    changes_.push_back(
        {std::move(id), std::move(title), std::move(overrides), std::move(needs), {}, false});
  }

  /// Half and twice as many ranks along an axis; data parallelism uses the others.
  void add_axes() {
    for (const auto& [axis, now] :
         Axes{{"tensor", now_.tensor}, {"pipeline", now_.pipeline}, {"context", now_.context}}) {
      for (const std::int64_t other : {now / 2, now * 2}) {
        if (other < 1 || other == now) continue;
        add(fmt::format("{}-parallelism", axis),
            fmt::format("{} parallelism of {} instead of {}", axis, other, now),
            {set_number(fmt::format("/job/parallel/{}", axis), static_cast<double>(other))});
      }
    }
  }

  /// Tensor parallelism within a machine, pipeline stages across the network.
  void add_splits() {
    if (gpus_ < 2) return;
    for (const std::int64_t stages : {std::int64_t{1}, machines_}) {
      if (now_.tensor == gpus_ && now_.pipeline == stages) continue;
      if (stages > 1 && machines_ == 1) continue;
      const std::string beside = stages > 1 ? fmt::format(" and a pipeline of {}", stages) : "";
      add("another-split",
          fmt::format("tensor parallelism of {} inside each VM or host{}", gpus_, beside),
          {set_number("/job/parallel/tensor", static_cast<double>(gpus_)),
           set_number("/job/parallel/pipeline", static_cast<double>(stages))});
    }
  }

  void add_schedules() {
    if (now_.pipeline == 1) return;
    const std::int64_t chunks = now_.virtual_stages;
    add("interleaving", fmt::format("{} model chunks per pipeline stage", 2 * chunks),
        {set_number("/job/parallel/virtual_stages", 2.0 * static_cast<double>(chunks))});
    if (chunks == 1 && now_.schedule != Schedule::kZeroBubble) {
      add("schedule", "the zero-bubble schedule",
          {set_text("/job/parallel/schedule", "zero-bubble")});
    }
    if (now_.schedule == Schedule::kGpipe) {
      add("schedule", "the 1F1B schedule instead of GPipe",
          {set_text("/job/parallel/schedule", "1f1b")});
    }
  }

  void add_sharding() {
    if (!now_.sequence && now_.tensor > 1) {
      add("sequence-parallelism", "sequence parallelism for norms and dropout",
          {set_flag("/job/parallel/sequence", true)});
    }
    if (now_.tensor > 1 && overlap_ == TensorOverlap::kNone) {
      add("tensor-overlap",
          "tensor-parallel reductions overlapped with weight gradients (Megatron-LM)",
          {set_text("/job/parallel/tensor_overlap", "gradients")});
    }
    if (now_.sequence && now_.tensor > 1 && overlap_ != TensorOverlap::kProducts) {
      add("tensor-overlap",
          "tensor-parallel reductions overlapped with matrix products (asynchronous)",
          {set_text("/job/parallel/tensor_overlap", "products")},
          {"a framework that splits matrix products into chunks"});
    }
    for (const auto& [sharding, word, title] :
         {std::tuple{Sharding::kNone, "none", "nothing sharded"},
          std::tuple{Sharding::kOptimizer, "zero1", "optimizer states sharded (ZeRO-1)"},
          std::tuple{Sharding::kParameters, "zero3", "parameters sharded too (FSDP)"}}) {
      if (now_.sharding == sharding) continue;
      add("sharding", title, {set_text("/job/parallel/sharding", word)});
    }
    const bool gathers_after =
        now_.sharding == Sharding::kOptimizer || now_.sharding == Sharding::kGradients;
    if (gathers_after && !*now_.overlap_gather) {
      add("overlap-gather", "parameters gathered during the next forward pass (Megatron-LM)",
          {set_flag("/job/parallel/overlap_gather", true)},
          {"a framework that gathers bucket by bucket: overlap_param_gather"});
    }
    if (now_.sharding >= Sharding::kGradients) add_copies();
    if (now_.sharding >= Sharding::kGradients && micro_batches_ > 1 &&
        *now_.gradient_sync != GradientSync::kLast) {
      add("gradient-sync", "gradients reduced once per iteration, kept unsharded until then",
          {set_text("/job/parallel/gradient_sync", "last")});
    }
    if (now_.sharding != Sharding::kParameters || now_.pipeline > 1) return;
    if (!*now_.reshard_after_forward) {
      add("resharding", "parameters kept gathered between forward and backward pass",
          {set_flag("/job/parallel/reshard_after_forward", false)});
      if (in_machine() > 1 && machines_ > 1 && !*now_.shard_size) {
        add("resharding",
            fmt::format("parameters resharded over {} ranks of a VM or host between the passes",
                        in_machine()),
            {set_number("/job/parallel/reshard_after_forward", static_cast<double>(in_machine()))});
      }
    }
  }

  /// Hybrid sharding: one copy per machine.
  void add_copies() {
    if (machines_ == 1 || in_machine() < 2 || now_.expert > 1 || *now_.shard_size) return;
    std::vector<Override> one = {
        set_number("/job/parallel/shard_size", static_cast<double>(in_machine()))};
    const std::string title = "one sharded copy per VM or host (HSDP)";
    add("hybrid-sharding", title, one);
    if (micro_batches_ == 1) return;
    one.push_back(set_text("/job/parallel/gradient_sync", "last-between-copies"));
    add("hybrid-sharding", title + ", gradients summed between the copies once per iteration", one);
  }

  void add_recomputation() {
    for (const auto& [recompute, word, title] :
         {std::tuple{Recompute::kNone, "none", "no recomputation"},
          std::tuple{Recompute::kSelective, "selective",
                     "recomputation of attention scores only"}}) {
      if (*job_.recompute != recompute)
        add("recomputation", title, {set_text("/job/recompute", word)});
    }
  }

  void add_micro_batches() {
    if (!job_.micro_batch) return;
    const std::int64_t now = *job_.micro_batch;
    for (const std::int64_t other : {now / 2, now * 2}) {
      if (other < 1) continue;
      add("micro-batch", fmt::format("micro-batches of {} instead of {}", other, now),
          {set_number("/job/micro_batch", static_cast<double>(other))});
    }
  }

  /// Number of data- and context-parallel ranks per machine.
  [[nodiscard]] std::int64_t in_machine() const {
    return gpus_ % now_.tensor == 0 ? gpus_ / now_.tensor : 1;
  }

  const TrainingSpec& job_;
  const ParallelSpec& now_;
  TensorOverlap overlap_{};
  std::vector<Change>& changes_;
  std::int64_t machines_ = 1;
  std::int64_t gpus_ = 1;
  std::int64_t micro_batches_ = 1;
};

}  // namespace

void add_parallelism_changes(const ChangeContext& at, std::vector<Change>& changes) {
  if (!at.result.training || at.prepared.layouts.front().placement.job.training->data_parallel_only)
    return;
  ParallelismChanges(at, changes).add_all();
}

}  // namespace vgsim::scenario
