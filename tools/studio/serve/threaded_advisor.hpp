#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <thread>

#include "tools/studio/advisor.hpp"

namespace vgsim::studio {

/// An advisor with a separate thread.
class ThreadedAdvisor : public Advisor {
 public:
  /// `notify` is called on that thread once an answer can be taken.
  explicit ThreadedAdvisor(std::function<void()> notify);
  ThreadedAdvisor(const ThreadedAdvisor&) = delete;
  ThreadedAdvisor& operator=(const ThreadedAdvisor&) = delete;
  ~ThreadedAdvisor() override;

  void start(AdviceSearch search) override;
  void cut() override;
  [[nodiscard]] std::optional<Advised> take() override;
  [[nodiscard]] bool runs() const override { return runs_; }
  [[nodiscard]] std::uint64_t done() const override { return done_; }
  [[nodiscard]] std::uint64_t most() const override { return most_; }

 private:
  void work();

  std::function<void()> notify_;
  std::mutex mutex_;
  std::condition_variable wake_;
  std::optional<AdviceSearch> next_;
  std::optional<Advised> answer_;
  bool stops_ = false;
  std::atomic<bool> cut_ = false;
  std::atomic<bool> runs_ = false;
  std::atomic<std::uint64_t> done_ = 0;
  std::atomic<std::uint64_t> most_ = 0;
  std::thread thread_;
};

}  // namespace vgsim::studio
