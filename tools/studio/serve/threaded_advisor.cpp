#include "tools/studio/serve/threaded_advisor.hpp"

#include <fmt/core.h>

#include <exception>
#include <utility>

namespace vgsim::studio {

ThreadedAdvisor::ThreadedAdvisor(std::function<void()> notify) : notify_(std::move(notify)) {
  thread_ = std::thread([this] { work(); });
}

ThreadedAdvisor::~ThreadedAdvisor() {
  ThreadedAdvisor::cut();
  {
    const std::lock_guard lock(mutex_);
    stops_ = true;
  }
  wake_.notify_all();
  thread_.join();
}

void ThreadedAdvisor::start(AdviceSearch search) {
  const std::lock_guard lock(mutex_);
  most_ = search.most();
  done_ = 0;
  next_ = std::move(search);
  answer_.reset();
  cut_ = true;
  runs_ = true;
  wake_.notify_all();
}

void ThreadedAdvisor::cut() {
  const std::lock_guard lock(mutex_);
  next_.reset();
  answer_.reset();
  cut_ = true;
  runs_ = false;
}

std::optional<Advised> ThreadedAdvisor::take() {
  const std::lock_guard lock(mutex_);
  return std::exchange(answer_, std::nullopt);
}

void ThreadedAdvisor::work() {
  for (;;) {
    std::optional<AdviceSearch> search;
    {
      std::unique_lock lock(mutex_);
      wake_.wait(lock, [this] { return stops_ || next_; });
      if (stops_) return;
      search = std::exchange(next_, std::nullopt);
      cut_ = false;
    }
    std::optional<Advised> found;
    try {
      const auto count = [this](std::uint64_t done) {
        if (!cut_) done_ = done;
      };
      found = search->run([this] { return cut_.load(); }, count);
    } catch (const std::exception& error) {
      fmt::print(stderr, "vgsim: {}\n", error.what());
      found.emplace();
    }
    {
      const std::lock_guard lock(mutex_);
      if (cut_) continue;
      answer_ = std::move(found);
      runs_ = false;
    }
    notify_();
  }
}

}  // namespace vgsim::studio
