#include <fmt/core.h>

#include "models/questions/explain/changes/situation.hpp"

namespace vgsim::scenario {
namespace {

/// Half and twice as many ranks along an axis, the others left to data parallelism.
void add_axis(const char* axis, std::int64_t now, std::vector<Change>& changes) {
  const std::string pointer = fmt::format("/job/parallel/{}", axis);
  for (const std::int64_t other : {now / 2, now * 2}) {
    if (other < 1 || other == now) continue;
    changes.push_back({fmt::format("{}-parallelism", axis),
                       fmt::format("{} parallelism of {} instead of {}", axis, other, now),
                       {set_number(pointer, static_cast<double>(other))},
                       {"memory that is large enough: vgsim says so"},
                       {},
                       false});
  }
}

void add_word(bool is_so, const char* id, const char* pointer, const char* word,
              const std::string& title, std::vector<Change>& changes) {
  if (is_so) return;
  changes.push_back({id, title, {set_text(pointer, word)}, {}, {}, false});
}

}  // namespace

void add_parallelism_changes(const Situation& at, std::vector<Change>& changes) {
  // Jobs that split their data alone are simulated over the links, others are not: their times
  // would differ by that alone.
  if (!at.result.training || !at.result.links.empty()) return;
  const TrainingSpec& job = layout_of(at).job->training;
  const ParallelSpec& parallel = *job.parallel;
  add_axis("tensor", parallel.tensor, changes);
  add_axis("pipeline", parallel.pipeline, changes);
  add_axis("context", parallel.context, changes);
  const std::int64_t chunks = parallel.virtual_stages;
  if (parallel.pipeline > 1) {
    changes.push_back(
        {"interleaving",
         fmt::format("{} chunks of layers on each stage", 2 * chunks),
         {set_number("/job/parallel/virtual_stages", 2.0 * static_cast<double>(chunks))},
         {"layers that divide so, and more traffic between stages"},
         {},
         false});
  }
  if (!parallel.sequence && parallel.tensor > 1) {
    changes.push_back({"sequence-parallelism",
                       "norms and dropout split by tokens",
                       {set_flag("/job/parallel/sequence", true)},
                       {},
                       {},
                       false});
  }
  const training::Recompute recompute = *job.recompute;
  add_word(recompute == training::Recompute::kNone, "recomputation", "/job/recompute", "none",
           "nothing computed again", changes);
  add_word(recompute == training::Recompute::kSelective, "recomputation", "/job/recompute",
           "selective", "only attention scores computed again", changes);
  add_word(parallel.sharding == training::Sharding::kNone, "sharding", "/job/parallel/sharding",
           "none", "nothing sharded", changes);
  add_word(parallel.sharding == training::Sharding::kOptimizer, "sharding",
           "/job/parallel/sharding", "zero1", "optimizer states sharded (ZeRO-1)", changes);
  if (job.micro_batch) {
    const std::int64_t micro = *job.micro_batch;
    changes.push_back({"micro-batch",
                       fmt::format("micro-batches of {} instead of {}", 2 * micro, micro),
                       {set_number("/job/micro_batch", 2.0 * static_cast<double>(micro))},
                       {"memory for their activations"},
                       {},
                       false});
  }
}

}  // namespace vgsim::scenario
