#pragma once

#include <any>
#include <cstddef>
#include <functional>
#include <utility>
#include <vector>

#include "models/scenario/answer/parallel_for.hpp"

namespace vgsim::scenario {

/// Thrown between two parts of a computation that goes on later.
struct Interrupted {};

/// Finished parts, such as simulations, of a computation that is interrupted between them: repeated
/// with the same input, it takes them from here in the same order and goes on behind them. For one
/// thread.
class ComputedParts {
 public:
  /// To be called before each repetition. After each new part `is_over` is asked whether the next
  /// new one has to wait.
  void repeat(std::function<bool()> is_over) {
    is_over_ = std::move(is_over);
    next_ = 0;
    has_new_ = false;
  }

  /// The next part, of the type that it had before. Throws Interrupted if it has to wait.
  template <class T>
  [[nodiscard]] T next(const std::function<T()>& compute) {
    if (next_ == parts_.size()) {
      if (has_new_ && is_over_ && is_over_()) throw Interrupted{};
      parts_.emplace_back(compute());
      has_new_ = true;
    }
    return std::any_cast<const T&>(parts_[next_++]);
  }

  [[nodiscard]] std::size_t size() const { return parts_.size(); }

 private:
  std::vector<std::any> parts_;
  std::function<bool()> is_over_;
  std::size_t next_ = 0;
  bool has_new_ = false;
};

/// One part; computed at once without `parts`.
template <class T>
[[nodiscard]] T computed_part(ComputedParts* parts, const std::function<T()>& compute) {
  return parts == nullptr ? compute() : parts->next<T>(compute);
}

/// compute(0) to compute(count - 1): each a part, or by parallel_for() without `parts`.
template <class T>
[[nodiscard]] std::vector<T> computed(ComputedParts* parts, std::size_t count,
                                      const std::function<T(std::size_t)>& compute) {
  std::vector<T> results(count);
  const auto one = [&](std::size_t i) {
    results[i] = computed_part<T>(parts, [&] { return compute(i); });
  };
  if (parts == nullptr) {
    parallel_for(count, one);
  } else {
    for (std::size_t i = 0; i < count; ++i) one(i);
  }
  return results;
}

}  // namespace vgsim::scenario
