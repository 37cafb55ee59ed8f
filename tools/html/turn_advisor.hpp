#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>

#include "tools/studio/advisor.hpp"

namespace vgsim::html {

/// An advisor without a thread: searches for a moment at a time; requests are answered in between.
class TurnAdvisor : public studio::Advisor {
 public:
  void start(studio::AdviceSearch search) override {
    cut();
    search_ = std::move(search);
  }
  void cut() override {
    search_.reset();
    answer_.reset();
    parts_ = {};
  }
  [[nodiscard]] std::optional<studio::Advised> take() override {
    return std::exchange(answer_, std::nullopt);
  }
  [[nodiscard]] bool runs() const override { return search_.has_value(); }
  [[nodiscard]] std::uint64_t done() const override {
    return std::min<std::uint64_t>(parts_.size(), most());
  }
  [[nodiscard]] std::uint64_t most() const override { return search_ ? search_->most() : 0; }

  /// Searches until `is_over` between two simulations, of which it makes one at least.
  void turn(const studio::Overtaken& is_over) {
    parts_.repeat(is_over);
    auto found = search_->run(
        {}, [](std::uint64_t) {}, &parts_);
    if (!found) return;
    cut();
    answer_ = std::move(found);
  }

 private:
  std::optional<studio::AdviceSearch> search_;
  scenario::ComputedParts parts_;
  std::optional<studio::Advised> answer_;
};

}  // namespace vgsim::html
