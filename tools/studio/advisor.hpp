#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <thread>

#include "tools/studio/advice_search.hpp"

namespace vgsim::studio {

/// Runs searches on a separate thread, one at a time; a newer one cancels the older one.
class Advisor {
 public:
  /// `notify` is called on that thread once an answer can be taken.
  explicit Advisor(std::function<void()> notify);
  Advisor(const Advisor&) = delete;
  Advisor& operator=(const Advisor&) = delete;
  ~Advisor();

  void start(AdviceSearch search);
  /// Cancels the search without waiting for its end.
  void cut();

  /// The answer of the newest search, once.
  [[nodiscard]] std::optional<Advised> take();
  [[nodiscard]] bool runs() const { return runs_; }
  [[nodiscard]] std::uint64_t done() const { return done_; }
  [[nodiscard]] std::uint64_t most() const { return most_; }

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
