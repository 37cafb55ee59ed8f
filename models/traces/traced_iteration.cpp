#include "models/traces/traced_iteration.hpp"

#include <optional>
#include <string_view>

namespace vgsim::traces {
namespace {

constexpr std::string_view kBackward = "autograd::engine::evaluate_function";
constexpr std::string_view kGradient = "torch::autograd::AccumulateGrad";

/// The weight that tells the first layer again.
std::int64_t weight_id(const Operation& operation) {
  for (std::size_t i = 1; i < operation.inputs.size(); ++i) {
    if (operation.inputs[i]) return operation.inputs[i]->id;
  }
  return 0;
}

class Walk {
 public:
  explicit Walk(const Trace& trace) : trace_(trace), inside_(trace.operations.size()) {}

  std::vector<TracedIteration> run() {
    auto mark = trace_.step_starts.begin();
    for (std::size_t i = 0; i < trace_.operations.size(); ++i) {
      for (; mark != trace_.step_starts.end() && *mark <= i; ++mark) marked_ = true;
      visit(i);
    }
    return std::move(found_);
  }

 private:
  struct Inside {
    bool backward = false;
    bool understood = false;  ///< a caller stands for it
  };

  void visit(std::size_t index) {
    const Operation& operation = trace_.operations[index];
    Inside& inside = inside_[index];
    if (operation.parent) inside = inside_[*operation.parent];
    inside.backward = inside.backward || operation.name.rfind(kBackward, 0) == 0;
    if (operation.name == kGradient) return take_gradient(operation);
    if (inside.backward || inside.understood) return;
    if (auto work = work_of(operation)) {
      inside.understood = true;
      take_forward(operation, std::move(*work));
    }
  }

  void take_gradient(const Operation& operation) {
    if (found_.empty() || operation.inputs.empty() || !operation.inputs[0]) return;
    found_.back().gradients.push_back(*operation.inputs[0]);
  }

  void take_forward(const Operation& operation, OperationWork work) {
    if (!thread_ && work.layer) thread_ = operation.thread;
    if (thread_ && operation.thread != *thread_) return;
    if (starts_iteration(operation, work)) found_.emplace_back();
    found_.back().forward.push_back({&operation, std::move(work)});
  }

  bool starts_iteration(const Operation& operation, const OperationWork& work) {
    const bool starts = found_.empty() || !found_.back().gradients.empty() || marked_;
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
  std::vector<TracedIteration> found_;
  std::optional<std::int64_t> thread_;  ///< of the forward pass
  std::int64_t first_weight_ = 0;
  bool marked_ = false;  ///< a step began since the last forward operation
};

}  // namespace

std::vector<TracedIteration> iterations(const Trace& trace) { return Walk(trace).run(); }

}  // namespace vgsim::traces
