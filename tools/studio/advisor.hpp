#pragma once

#include <cstdint>
#include <optional>

#include "tools/studio/advice_search.hpp"

namespace vgsim::studio {

/// Runs searches besides the answers to other requests, one at a time; a newer one cancels the
/// older one.
class Advisor {
 public:
  Advisor() = default;
  Advisor(const Advisor&) = delete;
  Advisor& operator=(const Advisor&) = delete;
  virtual ~Advisor() = default;

  virtual void start(AdviceSearch search) = 0;
  /// Cancels the search without waiting for its end.
  virtual void cut() = 0;

  /// The answer of the newest search, once.
  [[nodiscard]] virtual std::optional<Advised> take() = 0;
  [[nodiscard]] virtual bool runs() const = 0;
  /// Simulated combinations of the search, and how many it simulates at most.
  [[nodiscard]] virtual std::uint64_t done() const = 0;
  [[nodiscard]] virtual std::uint64_t most() const = 0;
};

}  // namespace vgsim::studio
