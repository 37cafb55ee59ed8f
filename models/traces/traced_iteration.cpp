#include "models/traces/traced_iteration.hpp"

#include <algorithm>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "models/traces/traced_sums.hpp"

namespace vgsim::traces {
namespace {

constexpr std::string_view kBackward = "autograd::engine::evaluate_function";
constexpr std::string_view kOptimizer = "Optimizer.step#";
constexpr std::string_view kGradient = "torch::autograd::AccumulateGrad";

/// The weight by which the first layer is recognised again.
std::int64_t weight_id(const Operation& operation) {
  for (std::size_t i = 1; i < operation.inputs.size(); ++i) {
    if (operation.inputs[i]) return operation.inputs[i]->id;
  }
  return 0;
}

class Walk {
 public:
  explicit Walk(const Trace& trace)
      : trace_(trace), inside_(trace.operations.size()), phases_(trace.operations.size()) {}

  TracedPasses run() {
    auto mark = trace_.step_starts.begin();
    for (std::size_t i = 0; i < trace_.operations.size(); ++i) {
      for (; mark != trace_.step_starts.end() && *mark <= i; ++mark) {
        marked_ = true;
        begin_.reset();
      }
      visit(i);
    }
    for (std::size_t i = 0; i < found_.size(); ++i) {
      found_[i].last = i + 1 < found_.size() ? found_[i + 1].first : trace_.operations.size();
    }
    TracedPasses result{std::move(found_), std::move(phases_)};
    add_sums(trace_, result);
    return result;
  }

 private:
  struct Inside {
    bool backward = false;
    bool optimizer = false;
    bool understood = false;  ///< covered by a caller
  };

  void visit(std::size_t index) {
    const Operation& operation = trace_.operations[index];
    Inside& inside = inside_[index];
    if (operation.parent) inside = inside_[*operation.parent];
    const bool starts_backward = operation.name.rfind(kBackward, 0) == 0;
    inside.optimizer =
        inside.optimizer || operation.optimizer || operation.name.rfind(kOptimizer, 0) == 0;
    inside.backward = inside.backward || starts_backward;
    if (operation.name == kGradient) return take_gradient(operation);
    if (inside.optimizer) {
      phases_[index] = Phase::kOptimizer;
      begin_.reset();
      return;
    }
    if (starts_backward && !found_.empty()) found_.back().backward = true;
    const bool elsewhere = thread_ && operation.thread != *thread_;
    if (inside.backward || elsewhere) phases_[index] = Phase::kBackward;
    if (inside.backward) begin_.reset();
    if (!inside.backward && !elsewhere && !begin_) begin_ = index;
    if (inside.understood) return;
    if (inside.backward || elsewhere) {
      const double flops = backward_flops_of(operation);
      inside.understood = flops > 0;
      if (!found_.empty() && flops > 0) {
        found_.back().backward_flops += flops;
        ++found_.back().backward_products;
      }
    } else if (auto work = work_of(operation)) {
      inside.understood = true;
      take_forward(index, std::move(*work));
    }
  }

  void take_gradient(const Operation& operation) {
    if (found_.empty() || operation.inputs.empty() || !operation.inputs[0]) return;
    if (!can_be(operation.inputs[0]->shape)) return;
    found_.back().gradients.push_back(*operation.inputs[0]);
  }

  void take_forward(std::size_t index, OperationWork work) {
    const Operation& operation = trace_.operations[index];
    if (!thread_ && work.layer) thread_ = operation.thread;
    if (starts_iteration(operation, work)) start_pass(index);
    found_.back().forward.push_back({&operation, std::move(work), index});
  }

  /// Operations before the first known one, after the previous pass, belong to this pass.
  void start_pass(std::size_t index) {
    const bool after_last = begin_ && (found_.empty() || *begin_ > found_.back().first);
    found_.emplace_back().first = after_last ? *begin_ : index;
  }

  bool starts_iteration(const Operation& operation, const OperationWork& work) {
    const bool starts = found_.empty() || !found_.back().gradients.empty() ||
                        (found_.back().backward && work.layer) || marked_;
    marked_ = false;
    if (starts) {
      first_weight_ = 0;
    } else if (work.layer && first_weight_ != 0 && weight_id(operation) == first_weight_) {
      return true;
    }
    if (work.layer && first_weight_ == 0) first_weight_ = weight_id(operation);
    return starts;
  }

  const Trace& trace_;
  std::vector<Inside> inside_;
  std::vector<Phase> phases_;
  std::vector<TracedIteration> found_;
  std::optional<std::int64_t> thread_;  ///< of the forward pass
  std::optional<std::size_t> begin_;  ///< first operation of the host since the last backward pass
  std::int64_t first_weight_ = 0;
  bool marked_ = false;  ///< a step began since the last forward operation
};

}  // namespace

TracedPasses passes_of(const Trace& trace) { return Walk(trace).run(); }

const TracedIteration* fullest_of(const std::vector<TracedIteration>& all) {
  const TracedIteration* best = nullptr;
  for (const TracedIteration& iteration : all) {
    if (best == nullptr || iteration.gradients.size() > best->gradients.size() ||
        (iteration.gradients.size() == best->gradients.size() &&
         iteration.forward.size() > best->forward.size())) {
      best = &iteration;
    }
  }
  return best;
}

}  // namespace vgsim::traces
