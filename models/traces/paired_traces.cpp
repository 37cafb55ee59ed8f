#include "models/traces/paired_traces.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "models/traces/traced_iteration.hpp"

namespace vgsim::traces {
namespace {

using Indices = std::vector<std::size_t>;

/// Operations of each thread, in order.
std::map<std::int64_t, Indices> threads_of(const std::vector<Operation>& operations,
                                           std::size_t first, std::size_t last) {
  std::map<std::int64_t, Indices> threads;
  for (std::size_t i = first; i < last; ++i) threads[operations[i].thread].push_back(i);
  return threads;
}

/// Operations of a thread as numbers that identify their names.
struct Sequence {
  Indices operations;
  std::vector<std::size_t> names;
};

class Pairing {
 public:
  Pairing(Trace& profile, const Trace& execution) : profile_(profile), execution_(execution) {
    for (const Operation& operation : profile.operations) {
      numbers_.try_emplace(operation.name, numbers_.size());
    }
    for (auto& [thread, operations] :
         threads_of(profile.operations, 0, profile.operations.size())) {
      threads_.push_back(sequence(profile.operations, operations));
    }
  }

  /// The number of places at which the forward pass was found.
  std::size_t take(const TracedIteration& pass) {
    std::size_t found = 0;
    for (const auto& [thread, own] : threads_of(execution_.operations, pass.first, pass.last)) {
      const bool forward = execution_.operations[pass.forward.front().index].thread == thread;
      const Sequence wanted = sequence(execution_.operations, forward ? within(own, pass) : own);
      const std::size_t times = give(wanted);
      if (forward) found = times;
    }
    return found;
  }

 private:
  /// The operations between the first and the last one of the network.
  static Indices within(const Indices& operations, const TracedIteration& pass) {
    const auto begin =
        std::lower_bound(operations.begin(), operations.end(), pass.forward.front().index);
    return {begin, std::upper_bound(begin, operations.end(), pass.forward.back().index)};
  }

  /// Without operations that a profile does not contain, such as user annotations.
  [[nodiscard]] Sequence sequence(const std::vector<Operation>& all,
                                  const Indices& operations) const {
    Sequence result;
    for (const std::size_t index : operations) {
      const auto number = numbers_.find(all[index].name);
      if (number == numbers_.end()) continue;
      result.operations.push_back(index);
      result.names.push_back(number->second);
    }
    return result;
  }

  std::size_t give(const Sequence& wanted) {
    if (wanted.names.empty()) return 0;
    std::size_t times = 0;
    for (const Sequence& thread : threads_) {
      const auto next = [&](auto from) {
        return std::search(from, thread.names.end(), wanted.names.begin(), wanted.names.end());
      };
      auto at = next(thread.names.begin());
      while (at != thread.names.end()) {
        const auto begin = static_cast<std::size_t>(at - thread.names.begin());
        for (std::size_t i = 0; i < wanted.operations.size(); ++i) {
          fill(profile_.operations[thread.operations[begin + i]],
               execution_.operations[wanted.operations[i]]);
        }
        ++times;
        at = next(at + static_cast<std::ptrdiff_t>(wanted.names.size()));
      }
    }
    return times;
  }

  static void fill(Operation& operation, const Operation& stated) {
    operation.inputs = stated.inputs;
    operation.literals = stated.literals;
    operation.outputs = stated.outputs;
  }

  Trace& profile_;
  const Trace& execution_;
  std::unordered_map<std::string_view, std::size_t> numbers_;
  std::vector<Sequence> threads_;
};

}  // namespace

/// A thread makes the same calls in each iteration. The calls of a recorded pass, forward and
/// backward, are searched in each thread of the profile by their names. At each occurrence of the
/// complete sequence its operations get the recorded tensors.
tl::expected<PairedTraces, input::Diagnostics> with_shapes(Trace profile, const Trace& execution,
                                                           const std::string& file) {
  PairedTraces result{std::move(profile), 0};
  const TracedPasses passes = passes_of(execution);
  const TracedIteration* pass = fullest_of(passes.passes);
  if (pass != nullptr && !pass->forward.empty()) {
    result.passes = Pairing(result.trace, execution).take(*pass);
  }
  if (result.passes > 0) {
    result.trace.format += " with the tensors of a " + execution.format;
    return result;
  }
  input::Diagnostics diagnostics;
  diagnostics.error("E605", {}, "",
                    fmt::format("the profile \"{}\" contains no pass of the execution trace", file),
                    "an execution trace and a profile of the same run");
  return tl::unexpected(std::move(diagnostics));
}

}  // namespace vgsim::traces
