#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "tools/studio/advisor.hpp"
#include "tools/studio/open_scenarios.hpp"
#include "tools/studio/studio.hpp"

namespace vgsim::studio {

/// A request of the page.
struct Request {
  std::string method;                        ///< "GET" or "POST"
  std::string path;                          ///< "change", without the token
  std::map<std::string, std::string> query;  ///< decoded
  std::string body;
};

struct Response {
  int status = 200;
  std::string type = "application/json";
  std::string body;
  std::string download;  ///< file name of a download; empty: shown in the page
};

/// Called once, from any thread.
using Reply = std::function<void(Response)>;

/// Where a studio saves changes, and its environment.
struct Surroundings {
  std::optional<std::string> save_file;  ///< of the first scenario, instead of a session
  std::string config_dir;
  std::string scenario_name;                 ///< of the file, for downloads
  std::map<std::string, std::string> files;  ///< that the scenario names
  SessionFolder sessions;
  Sources sources;
  bool is_chosen = true;  ///< by the user; else the page begins with what can be opened
};

/// Answers requests for one studio in order, on a separate thread. A newer change cancels runs of
/// older ones. When idle it computes slower results: intervals, what to measure next, improvements.
/// Advice is searched for concurrently until something is changed.
class Service {
 public:
  Service(Studio studio, Surroundings surroundings);
  Service(const Service&) = delete;
  Service& operator=(const Service&) = delete;
  ~Service();

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

  /// An answer of the advisor, and the scenario after its first change.
  struct Advice {
    Advised advised;
    std::string first;
  };

  void work();
  void answer(const Job& job);
  [[nodiscard]] Response respond(const Request& request);
  /// Nothing if the request does not change the scenario.
  [[nodiscard]] std::optional<Response> respond_to_change(const Request& request,
                                                          const input::Value& body);
  [[nodiscard]] Response respond_to_question(const Request& request, const input::Value& body);
  [[nodiscard]] Response changed(const Request& request, const Outcome& outcome);
  [[nodiscard]] std::string state(const std::map<std::string, std::string>& query,
                                  const Outcome& outcome) const;
  [[nodiscard]] Response open(const Request& request, const input::Value& body);
  [[nodiscard]] Response open_files(const Request& request, const input::Value& body);
  [[nodiscard]] Response opened(const Request& request, tl::expected<Opening, std::string> opening,
                                const std::optional<std::string>& stored);
  [[nodiscard]] Response step_back(const Request& request);
  [[nodiscard]] Response step_on(const Request& request);
  [[nodiscard]] Response reopened(const Request& request);
  [[nodiscard]] Response first_page(const input::Value& body) const;
  [[nodiscard]] Response card(const std::string& name) const;
  [[nodiscard]] Response move_gpu(const Request& request, const input::Value& body);
  [[nodiscard]] Response lift(const Request& request);
  [[nodiscard]] Response apply_tried(const Request& request);
  [[nodiscard]] Response options(const input::Value& body) const;
  [[nodiscard]] Response curve(const input::Value& body) const;
  [[nodiscard]] Response advise(const input::Value& body);
  [[nodiscard]] Response apply_advised(const Request& request);
  [[nodiscard]] nlohmann::ordered_json advice_json() const;
  [[nodiscard]] Response exported(const Request& request);
  void take_advice();
  void answer_waiting(bool all = false);
  void note(const Progress& progress);
  void run_in_full();
  void refine();
  [[nodiscard]] bool wanted_elsewhere() const;
  [[nodiscard]] Response progress() const;

  OpenScenarios open_;
  Studio& studio_;  ///< the open one
  Surroundings surroundings_;
  std::string instance_;       ///< differs from that of any other studio
  std::uint64_t version_ = 1;  ///< number of answered changes
  bool wants_help_ = false;    ///< improvements are searched for although that takes long
  input::Value searched_;      ///< the scenario of the last search for advice
  std::optional<Advice> advice_;
  mutable std::mutex mutex_;
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
  Advisor advisor_;
  std::thread thread_;
};

}  // namespace vgsim::studio
