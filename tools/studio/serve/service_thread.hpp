#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

#include "tools/studio/serve/threaded_advisor.hpp"
#include "tools/studio/service.hpp"

namespace vgsim::studio {

/// Called once, from any thread.
using Reply = std::function<void(Response)>;

/// Answers requests in order, on a separate thread. A newer change cancels runs of older ones. When
/// idle it computes slower results. Advice is searched for concurrently until something is changed.
class ServiceThread {
 public:
  ServiceThread(Studio studio, Surroundings surroundings);
  ServiceThread(const ServiceThread&) = delete;
  ServiceThread& operator=(const ServiceThread&) = delete;
  ~ServiceThread();

  /// Cuts off runs, saves, and drops unanswered requests; no requests may follow.
  void stop();

  void ask(Request request, Reply reply);

 private:
  struct Job {
    Request request;
    Reply reply;
  };
  /// A long poll for a newer version.
  struct Waiting {
    std::uint64_t after = 0;
    Reply reply;
  };

  void work();
  void answer(const Job& job);
  void answer_waiting(bool all = false);
  void refine();
  void look();
  [[nodiscard]] Interrupts interrupts();
  [[nodiscard]] Response progress() const;

  std::mutex mutex_;
  std::condition_variable wake_;
  std::deque<Job> jobs_;
  std::vector<Waiting> waiting_;
  std::atomic<std::size_t> waiting_jobs_ = 0;     ///< of all kinds
  std::atomic<std::size_t> waiting_changes_ = 0;  ///< that cut off others
  std::atomic<bool> stops_ = false;
  std::atomic<bool> runs_ = false;
  std::atomic<std::uint64_t> events_ = 0;
  std::atomic<std::uint64_t> iterations_done_ = 0;
  std::atomic<std::uint64_t> iterations_ = 0;
  ThreadedAdvisor advisor_;
  Service service_;
  std::thread thread_;
};

}  // namespace vgsim::studio
