#include "tools/sweep/in_order.hpp"

#include <sched.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

namespace vgsim::sweep {
namespace {

constexpr std::chrono::milliseconds kBetweenLooks{100};

struct Slot {
  bool done = false;
  WorkResult result;
  std::exception_ptr thrown;
};

class Run {
 public:
  Run(std::uint64_t first, std::uint64_t count, std::size_t jobs,
      const std::function<WorkResult(std::uint64_t)>& work, const std::function<bool()>& stop)
      : work_(work),
        stop_(stop),
        next_(first),
        taken_(first),
        count_(count),
        slots_(jobs * kAheadPerJob) {}

  void work_off() {
    std::unique_lock lock(mutex_);
    while (true) {
      space_.wait(lock,
                  [this] { return ended_ || next_ >= count_ || next_ < taken_ + slots_.size(); });
      if (ended_ || next_ >= count_) return;
      const std::uint64_t index = next_++;
      lock.unlock();
      Slot result = run(index);
      lock.lock();
      if (stop_()) {
        end();
        return;
      }
      slots_[index % slots_.size()] = std::move(result);
      if (index == taken_) ready_.notify_one();
    }
  }

  void take_all(const std::function<void(const WorkResult&)>& take) {
    std::vector<Slot> batch;
    while (!stop_() && wait_for(batch)) {
      for (Slot& slot : batch) {
        if (slot.thrown) std::rethrow_exception(slot.thrown);
        take(slot.result);
      }
      batch.clear();
    }
  }

  void end() {
    ended_ = true;
    space_.notify_all();
    ready_.notify_all();
  }

  void end_all() {
    const std::lock_guard lock(mutex_);
    end();
  }

  [[nodiscard]] std::uint64_t taken() const { return taken_; }

 private:
  Slot run(std::uint64_t index) const {
    Slot slot;
    slot.done = true;
    try {
      slot.result = work_(index);
    } catch (...) {
      slot.thrown = std::current_exception();
    }
    return slot;
  }

  /// Waits briefly and moves the finished slots into `batch`; false when there are no more.
  bool wait_for(std::vector<Slot>& batch) {
    std::unique_lock lock(mutex_);
    if (taken_ >= count_) return false;
    ready_.wait_for(lock, kBetweenLooks, [this] { return ended_ || front().done; });
    if (ended_) return false;
    while (taken_ < count_ && front().done) {
      batch.push_back(std::move(front()));
      front() = Slot();
      ++taken_;
    }
    if (!batch.empty()) space_.notify_all();
    return true;
  }

  Slot& front() { return slots_[taken_ % slots_.size()]; }

  const std::function<WorkResult(std::uint64_t)>& work_;
  const std::function<bool()>& stop_;
  std::mutex mutex_;
  std::condition_variable space_;
  std::condition_variable ready_;
  std::uint64_t next_;
  std::uint64_t taken_;
  std::uint64_t count_;
  std::vector<Slot> slots_;  ///< ring buffer: item i is at i modulo its size
  bool ended_ = false;
};

}  // namespace

std::uint64_t run_in_order(std::uint64_t first, std::uint64_t count, std::size_t jobs,
                           const std::function<WorkResult(std::uint64_t)>& work,
                           const std::function<void(const WorkResult&)>& take,
                           const std::function<bool()>& stop) {
  if (first >= count) return 0;
  Run run(first, count, jobs, work, stop);
  std::vector<std::jthread> threads;
  const auto join = [&] {
    run.end_all();
    threads.clear();
  };
  try {
    for (std::size_t t = 0; t < std::min<std::uint64_t>(jobs, count - first); ++t) {
      threads.emplace_back([&run] { run.work_off(); });
    }
    run.take_all(take);
  } catch (...) {
    join();
    throw;
  }
  join();
  return run.taken() - first;
}

std::size_t usable_cpus() {
  cpu_set_t set;
  CPU_ZERO(&set);
  if (sched_getaffinity(0, sizeof set, &set) == 0) {
    return static_cast<std::size_t>(std::max(1, CPU_COUNT(&set)));
  }
  return std::max(1U, std::thread::hardware_concurrency());
}

}  // namespace vgsim::sweep
