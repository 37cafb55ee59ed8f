#include "models/training/split_step.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

namespace vgsim::training {
namespace {

using collectives::CollectiveTasks;

/// A piece in a stage's iteration: when it begins and ends to compute, by replica.
struct PlacedPiece {
  const Piece* piece = nullptr;
  std::vector<TaskId> begin;
  std::vector<TaskId> computed;
};

class SplitBuilder {
 public:
  SplitBuilder(const SplitPlan& plan, Exchanger& exchanger)
      : plan_(plan), p_(plan.parallelism), exchanger_(exchanger) {}

  SplitGraph build() && {
    const std::size_t units = plan_.stages.size() * plan_.replicas;
    result_.units.resize(units);
    tail_.resize(units);
    for (std::size_t s = 0; s < plan_.stages.size(); ++s) add_stage(s);
    join_stages();
    add_optimizers();
    for (const UnitFeed& feed : plan_.feeds) {
      add_input(result_.graph, feed.feed,
                {static_cast<std::uint32_t>(feed.unit), result_.units[feed.unit].passes.front(),
                 result_.end, plan_.prefetched_batches});
    }
    return std::move(result_);
  }

 private:
  /// A pass of one micro-batch through one chunk, of one unit.
  struct Op {
    TaskId begin{};
    TaskId end{};
  };
  /// Unit, chunk and micro-batch.
  using Key = std::tuple<std::size_t, Pass, std::size_t, std::size_t>;

  [[nodiscard]] std::size_t unit(std::size_t stage, std::size_t replica) const {
    return stage * plan_.replicas + replica;
  }

  [[nodiscard]] const std::vector<Piece>& pieces_of(std::size_t stage, const PipelineOp& op) const {
    const ChunkPlan& chunk = plan_.stages[stage].chunks[op.chunk];
    if (op.pass == Pass::kForward) return chunk.forward;
    const bool last = op.micro_batch + 1 == static_cast<std::size_t>(p_.micro_batches);
    if (op.pass == Pass::kWeights) return last ? chunk.last_weights : chunk.weights;
    return last ? chunk.last_backward : chunk.backward;
  }

  TaskId add(Activity activity, std::size_t unit, SimTime delay) {
    return result_.graph.add({delay, std::nullopt, static_cast<std::uint32_t>(activity),
                              static_cast<std::uint32_t>(unit), 1, SimTime{0}});
  }

  TaskId add_pass(Pass pass, std::size_t unit, SimTime time) {
    const SimTime delay = plan_.slower.empty() ? time : stretched(time, plan_.slower[unit]);
    const TaskId task =
        add(pass == Pass::kForward ? Activity::kForward : Activity::kBackward, unit, delay);
    result_.units[unit].passes.push_back(task);
    if (tail_[unit]) result_.graph.depend(*tail_[unit], task);
    tail_[unit] = task;
    return task;
  }

  CollectiveTasks add_exchange(std::size_t team, const Exchange& exchange) {
    const std::vector<std::size_t>& units = plan_.teams[team].units;
    const CollectiveTasks tasks =
        exchanger_.exchange(result_.graph, team, exchange,
                            {static_cast<std::uint32_t>(activity_of(exchange)),
                             static_cast<std::uint32_t>(units.front())});
    result_.traffic.push_back({exchange.axis, units, tasks});
    return tasks;
  }

  /// Exchanges that all units of a stage wait for before and after.
  void wait_for(std::size_t stage, const Exchange& exchange) {
    for (std::size_t t = 0; t < plan_.teams.size(); ++t) {
      const Team& team = plan_.teams[t];
      if (team.axis != exchange.axis || team.units.front() / plan_.replicas != stage) continue;
      const CollectiveTasks tasks = add_exchange(t, exchange);
      for (const std::size_t u : team.units) {
        result_.graph.depend(*tail_[u], tasks.begin);
        tail_[u] = tasks.end;
      }
    }
  }

  /// Exchanges go on while all units of a stage compute.
  void add_beside(std::size_t stage, Pass pass, const Beside& beside) {
    const std::vector<std::optional<TaskId>> before = tail_;
    for (std::size_t r = 0; r < plan_.replicas; ++r) {
      add_pass(pass, unit(stage, r), beside.compute);
    }
    std::vector<std::optional<TaskId>> computed = std::exchange(tail_, before);
    for (const Exchange& exchange : beside.exchanges) wait_for(stage, exchange);
    for (std::size_t r = 0; r < plan_.replicas; ++r) {
      const std::size_t u = unit(stage, r);
      const TaskId both = add(activity_of(beside.exchanges.front()), u, SimTime{0});
      result_.graph.depend(*tail_[u], both);
      result_.graph.depend(*computed[u], both);
      tail_[u] = both;
    }
  }

  PlacedPiece add_piece(std::size_t stage, Pass pass, const Piece& piece) {
    PlacedPiece placed{&piece, {}, {}};
    SimTime alone = piece.compute;
    for (const Beside& beside : piece.beside) alone -= beside.compute;
    for (std::size_t r = 0; r < plan_.replicas; ++r) {
      placed.begin.push_back(add_pass(pass, unit(stage, r), alone));
    }
    for (const Beside& beside : piece.beside) add_beside(stage, pass, beside);
    for (std::size_t r = 0; r < plan_.replicas; ++r) {
      placed.computed.push_back(*tail_[unit(stage, r)]);
    }
    for (const Exchange& exchange : piece.exchanges) wait_for(stage, exchange);
    return placed;
  }

  void add_stage(std::size_t s) {
    std::vector<PlacedPiece> placed;
    std::vector<const Exchange*> left;
    for (const PipelineOp& op : pipeline_order(p_, s)) {
      const std::size_t first = placed.size();
      for (const Piece& piece : pieces_of(s, op)) placed.push_back(add_piece(s, op.pass, piece));
      for (std::size_t r = 0; r < plan_.replicas; ++r) {
        const std::size_t u = unit(s, r);
        ops_[{u, op.pass, op.chunk, op.micro_batch}] = {placed[first].begin[r], *tail_[u]};
      }
      if (plan_.overlap) continue;
      // What the last micro-batches leave is reduced when all of them are through.
      const bool last = op.micro_batch + 1 == static_cast<std::size_t>(p_.micro_batches);
      for (std::size_t n = first; n < placed.size(); ++n) {
        for (const Exchange& exchange : placed[n].piece->reduced) {
          if (last) {
            left.push_back(&exchange);
          } else {
            wait_for(s, exchange);
          }
        }
      }
    }
    for (const Exchange* exchange : left) wait_for(s, *exchange);
    add_stream(s, placed);
  }

  /// Parameters of a stage, and gradients that nothing waits for: of each unit one exchange after
  /// the other.
  void add_stream(std::size_t stage, const std::vector<PlacedPiece>& placed) {
    std::vector<std::optional<TaskId>> streams(plan_.replicas);
    std::vector<TaskId> waits_for;
    const auto follow = [&](const Exchange& exchange, const std::vector<TaskId>* after) {
      const auto before = streams;
      for (std::size_t t = 0; t < plan_.teams.size(); ++t) {
        const Team& team = plan_.teams[t];
        if (team.axis != exchange.axis || team.units.front() / plan_.replicas != stage) continue;
        const CollectiveTasks tasks = add_exchange(t, exchange);
        waits_for.clear();
        for (const std::size_t u : team.units) {
          const std::size_t r = u % plan_.replicas;
          if (before[r]) waits_for.push_back(*before[r]);
          if (after != nullptr) waits_for.push_back((*after)[r]);
          streams[r] = tasks.end;
        }
        std::sort(waits_for.begin(), waits_for.end());
        waits_for.erase(std::unique(waits_for.begin(), waits_for.end()), waits_for.end());
        for (const TaskId task : waits_for) result_.graph.depend(task, tasks.begin);
        if (after == nullptr) first_gathers_.push_back(tasks.begin);
      }
    };
    const auto gather = [&](std::size_t n) {
      if (n >= placed.size()) return;
      const std::size_t ahead = plan_.prefetched_pieces + 1;
      for (const Exchange& exchange : placed[n].piece->gathered) {
        follow(exchange, n < ahead ? nullptr : &placed[n - ahead].computed);
      }
      if (placed[n].piece->gathered.empty()) return;
      for (std::size_t r = 0; r < plan_.replicas; ++r) {
        if (streams[r]) result_.graph.depend(*streams[r], placed[n].begin[r]);
      }
    };
    for (std::size_t n = 0; n <= plan_.prefetched_pieces; ++n) gather(n);
    for (std::size_t n = 0; n < placed.size(); ++n) {
      if (plan_.overlap) {
        for (const Exchange& exchange : placed[n].piece->reduced) {
          follow(exchange, &placed[n].computed);
        }
      }
      gather(n + 1 + plan_.prefetched_pieces);
    }
    for (const auto& last : streams) {
      if (last) streamed_.insert(*last);
    }
  }

  /// What a unit's work waits for: the chunk before it of the same micro-batch.
  void join_stages() {
    const std::size_t stages = plan_.stages.size();
    const std::size_t last = stages * p_.virtual_stages - 1;
    for (const auto& [key, op] : ops_) {
      const auto& [u, pass, chunk, micro_batch] = key;
      if (pass == Pass::kWeights) continue;  // in the order of its own stage
      const bool forward = pass == Pass::kForward;
      const std::size_t replica = u % plan_.replicas;
      const std::size_t place = chunk * stages + u / plan_.replicas;
      if (forward ? place == 0 : place == last) {
        if (!forward) {
          result_.graph.depend(ops_.at({u, Pass::kForward, chunk, micro_batch}).end, op.begin);
        }
        continue;
      }
      const std::size_t from = forward ? place - 1 : place + 1;
      const std::size_t sender = unit(from % stages, replica);
      const TaskId sent = ops_.at({sender, pass, from / stages, micro_batch}).end;
      const Bytes size = plan_.stages[sender / plan_.replicas].sent;
      if (sender == u || size == Bytes{0}) {
        result_.graph.depend(sent, op.begin);
        continue;
      }
      const CollectiveTasks tasks = exchanger_.send(
          result_.graph, sender, u, size,
          {static_cast<std::uint32_t>(Activity::kActivations), static_cast<std::uint32_t>(sender)});
      result_.graph.depend(sent, tasks.begin);
      result_.graph.depend(tasks.end, op.begin);
      result_.traffic.push_back({Axis::kPipeline, {u}, tasks});
    }
  }

  void add_optimizers() {
    const TaskId reduced = add(Activity::kOptimizer, 0, SimTime{0});
    for (const TaskId last : streamed_) result_.graph.depend(last, reduced);
    for (const auto& tail : tail_) result_.graph.depend(*tail, reduced);
    for (std::size_t u = 0; u < result_.units.size(); ++u) {
      const SimTime time = plan_.stages[u / plan_.replicas].optimizer;
      UnitStep& unit = result_.units[u];
      unit.optimizer = add(Activity::kOptimizer, u,
                           plan_.slower.empty() ? time : stretched(time, plan_.slower[u]));
      result_.graph.depend(reduced, unit.optimizer);
      tail_[u] = unit.optimizer;
    }
    for (std::size_t s = 0; s < plan_.stages.size(); ++s) {
      for (const Exchange& exchange : plan_.stages[s].gathered_after) wait_for(s, exchange);
    }
    result_.end = add(Activity::kOptimizer, 0, SimTime{0});
    for (std::size_t u = 0; u < result_.units.size(); ++u) {
      UnitStep& unit = result_.units[u];
      unit.end = *tail_[u];
      result_.graph.depend(unit.end, result_.end);
      result_.graph.depend(result_.end, unit.passes.front(), 1);
    }
    for (const TaskId begin : first_gathers_) result_.graph.depend(result_.end, begin, 1);
  }

  const SplitPlan& plan_;
  const Parallelism& p_;
  Exchanger& exchanger_;
  std::vector<std::optional<TaskId>> tail_;  ///< by unit: what its next task waits for
  std::map<Key, Op> ops_;
  std::set<TaskId> streamed_;          ///< the last exchange of each unit that has any
  std::vector<TaskId> first_gathers_;  ///< that wait for no piece before them
  SplitGraph result_;
};

}  // namespace

Activity activity_of(const Exchange& exchange) {
  switch (exchange.axis) {
    case Axis::kTensor:
      return Activity::kTensor;
    case Axis::kContext:
      return Activity::kContext;
    case Axis::kExpert:
      return Activity::kExperts;
    case Axis::kPipeline:
      return Activity::kActivations;
    case Axis::kData:
    case Axis::kExpertData:
    case Axis::kShard:
    case Axis::kReplica:
    case Axis::kReshard:
      break;
  }
  return exchange.collective == collectives::Collective::kAllGather ? Activity::kParameters
                                                                    : Activity::kGradients;
}

SplitGraph build_split_graph(const SplitPlan& plan, Exchanger& exchanger) {
  return SplitBuilder(plan, exchanger).build();
}

}  // namespace vgsim::training
