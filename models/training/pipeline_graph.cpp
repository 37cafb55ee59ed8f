#include "models/training/pipeline_graph.hpp"

#include <map>
#include <optional>
#include <tuple>

namespace vgsim::training {
namespace {

class PipelineBuilder {
 public:
  PipelineBuilder(const Parallelism& p, const std::vector<StageTimes>& stages, bool overlap)
      : p_(p), stages_(stages), overlap_(overlap) {}

  PipelineGraph build() && {
    for (std::size_t s = 0; s < stages_.size(); ++s) add_stage(s);
    for (std::size_t s = 0; s < stages_.size(); ++s) join_stage(s);
    return std::move(result_);
  }

 private:
  using Key = std::tuple<std::size_t, bool, std::size_t, std::size_t>;

  TaskId add(PipelineGraph::Category category, std::size_t stage, SimTime delay) {
    return result_.graph.add(
        {delay, std::nullopt, category, static_cast<std::uint32_t>(stage), 1, SimTime{0}});
  }

  void add_stage(std::size_t s) {
    std::optional<TaskId> previous;
    std::optional<TaskId> before_last;
    for (const PipelineOp& op : pipeline_order(p_, s)) {
      const ChunkTimes& times = stages_[s].chunks[op.chunk];
      const TaskId task = add(op.forward ? PipelineGraph::kForward : PipelineGraph::kBackward, s,
                              op.forward ? times.forward : times.backward);
      if (previous) result_.graph.depend(*previous, task);
      ops_[{s, op.forward, op.chunk, op.micro_batch}] = task;
      before_last = previous;
      previous = task;
    }
    const TaskId reduce = add(PipelineGraph::kReduce, s, stages_[s].reduce);
    const TaskId optimizer = add(PipelineGraph::kOptimizer, s, stages_[s].optimizer);
    const TaskId gather = add(PipelineGraph::kGather, s, stages_[s].gather);
    const std::optional<TaskId> reduces_after = overlap_ ? before_last : previous;
    if (reduces_after) result_.graph.depend(*reduces_after, reduce);
    result_.graph.depend(*previous, optimizer);
    result_.graph.depend(reduce, optimizer);
    result_.graph.depend(optimizer, gather);
    result_.last_backward.push_back(*previous);
    result_.optimizer.push_back(optimizer);
    result_.end.push_back(gather);
  }

  /// What a stage's work waits for: the chunk before it of the same micro-batch.
  void join_stage(std::size_t s) {
    for (const auto& [key, task] : ops_) {
      const auto& [stage, forward, chunk, micro_batch] = key;
      if (stage != s) continue;
      const std::size_t place = chunk * stages_.size() + s;
      const std::size_t last = stages_.size() * p_.virtual_stages - 1;
      if (forward ? place == 0 : place == last) {
        if (!forward) {
          result_.graph.depend(ops_.at({s, true, chunk, micro_batch}), task);
        }
        continue;
      }
      const std::size_t from = forward ? place - 1 : place + 1;
      const std::size_t sender = from % stages_.size();
      const TaskId source = ops_.at({sender, forward, from / stages_.size(), micro_batch});
      if (sender == s) {
        result_.graph.depend(source, task);
        continue;
      }
      const TaskId send = add(PipelineGraph::kSend, sender, stages_[sender].send);
      result_.graph.depend(source, send);
      result_.graph.depend(send, task);
    }
  }

  const Parallelism& p_;
  const std::vector<StageTimes>& stages_;
  bool overlap_;
  std::map<Key, TaskId> ops_;
  PipelineGraph result_;
};

}  // namespace

PipelineGraph build_pipeline(const Parallelism& parallelism, const std::vector<StageTimes>& stages,
                             bool overlap) {
  return PipelineBuilder(parallelism, stages, overlap).build();
}

}  // namespace vgsim::training
