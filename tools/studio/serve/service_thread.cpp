#include "tools/studio/serve/service_thread.hpp"

#include <algorithm>
#include <chrono>
#include <iterator>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "tools/studio/responses.hpp"

namespace vgsim::studio {
namespace {

/// Longest long poll, which detects clients that are gone.
constexpr std::chrono::seconds kMostWaiting{20};

/// Idle time before longer computations begin.
constexpr std::chrono::milliseconds kRest{200};

}  // namespace

ServiceThread::ServiceThread(Studio studio, Surroundings surroundings)
    : advisor_([this] { look(); }),
      service_(std::move(studio), std::move(surroundings), interrupts(), advisor_) {
  thread_ = std::thread([this] { work(); });
}

ServiceThread::~ServiceThread() { stop(); }

Interrupts ServiceThread::interrupts() {
  return {[this] { return stops_ || waiting_changes_ > 0; },
          [this] { return stops_ || waiting_jobs_ > 0; },
          [this](const Progress& progress) {
            events_ = progress.events;
            iterations_done_ = progress.iterations_done;
            iterations_ = progress.iterations;
          }};
}

void ServiceThread::stop() {
  {
    const std::lock_guard lock(mutex_);
    stops_ = true;
  }
  wake_.notify_all();
  advisor_.cut();
  if (!thread_.joinable()) return;
  thread_.join();
  service_.save();
  jobs_.clear();
  waiting_.clear();
}

/// Lets the thread see what has changed besides requests.
void ServiceThread::look() {
  const std::lock_guard lock(mutex_);
  jobs_.push_back({{"GET", "look", {}, {}}, [](const Response&) {}});
  ++waiting_jobs_;
  wake_.notify_one();
}

void ServiceThread::ask(Request request, Reply reply) {
  if (request.path == "progress") return reply(progress());
  if (request.path == "news") {
    const std::string after = of(request.query, "after");
    const bool is_number = !after.empty() && after.size() < 19 &&
                           after.find_first_not_of("0123456789") == std::string::npos;
    {
      const std::lock_guard lock(mutex_);
      waiting_.push_back({is_number ? std::stoull(after) : 0, std::move(reply)});
    }
    return look();  // it may be answered already
  }
  const std::lock_guard lock(mutex_);
  if (is_change(request)) ++waiting_changes_;
  ++waiting_jobs_;
  jobs_.push_back({std::move(request), std::move(reply)});
  wake_.notify_one();
}

void ServiceThread::work() {
  for (bool refined = false;;) {
    std::optional<Job> job;
    {
      std::unique_lock lock(mutex_);
      const auto is_wanted = [this] { return stops_ || !jobs_.empty(); };
      if (refined && !wake_.wait_for(lock, kMostWaiting, is_wanted)) {
        lock.unlock();
        answer_waiting(true);
        continue;
      }
      // Changes come in bursts, and the page needs the CPU to show their results.
      if (!refined && jobs_.empty()) wake_.wait_for(lock, kRest, is_wanted);
      if (stops_) return;
      if (!jobs_.empty()) {
        job = std::move(jobs_.front());
        jobs_.pop_front();
        --waiting_jobs_;
        if (is_change(job->request)) --waiting_changes_;
      }
    }
    if (job) {
      answer(*job);
      refined = false;
    } else {
      refine();
      refined = waiting_jobs_ == 0;
    }
  }
}

void ServiceThread::answer(const Job& job) {
  service_.take_advice();
  if (job.request.path != "look") {
    runs_ = is_change(job.request);
    Response response = service_.answer(job.request);
    runs_ = false;
    job.reply(std::move(response));
  }
  answer_waiting();
}

void ServiceThread::refine() {
  while (service_.refine() == Service::Refined::kMore) answer_waiting();
}

void ServiceThread::answer_waiting(bool all) {
  const std::uint64_t version = service_.version();
  std::vector<Waiting> answered;
  {
    const std::lock_guard lock(mutex_);
    const auto first = std::partition(waiting_.begin(), waiting_.end(),
                                      [&](const Waiting& w) { return !all && w.after >= version; });
    answered.assign(std::make_move_iterator(first), std::make_move_iterator(waiting_.end()));
    waiting_.erase(first, waiting_.end());
  }
  for (Waiting& each : answered) each.reply(json_response({{"version", version}}));
}

Response ServiceThread::progress() const {
  return json_response({{"runs", runs_.load()},
                        {"events", events_.load()},
                        {"iterations_done", iterations_done_.load()},
                        {"iterations", iterations_.load()},
                        {"searched", advisor_.done()},
                        {"to_search", advisor_.most()}});
}

}  // namespace vgsim::studio
