#pragma once

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
    known_.clear();
    done_ = 0;
  }
  [[nodiscard]] std::optional<studio::Advised> take() override {
    return std::exchange(answer_, std::nullopt);
  }
  [[nodiscard]] bool runs() const override { return search_.has_value(); }
  [[nodiscard]] std::uint64_t done() const override { return done_; }
  [[nodiscard]] std::uint64_t most() const override { return search_ ? search_->most() : 0; }

  /// Searches until `is_over` between two simulations, of which it makes one at least.
  void turn(const studio::Overtaken& is_over) {
    const auto count = [this](std::uint64_t done) { done_ = done; };
    bool began = false;
    auto found =
        search_->run([&] { return std::exchange(began, true) && is_over(); }, count, &known_);
    if (!found) return;
    cut();
    answer_ = std::move(found);
  }

 private:
  std::optional<studio::AdviceSearch> search_;
  scenario::SimulatedPoints known_;
  std::optional<studio::Advised> answer_;
  std::uint64_t done_ = 0;
};

}  // namespace vgsim::html
