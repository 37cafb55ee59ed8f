#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
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

/// What a service asks about other requests while it computes, and reports.
struct Interrupts {
  Overtaken change_waits;   ///< a newer change, which makes the present answer superfluous
  Overtaken request_waits;  ///< of any kind, which comes before slower results
  Reporter report;          ///< progress of runs
  /// Interrupts slower results between simulations (Studio::pause_when()); none where requests do.
  Overtaken pause = {};
};

/// Whether a newer change makes the answer to an older one superfluous.
[[nodiscard]] bool is_change(const Request& request);

/// One function from request to answer, for one studio, with slower results in between. Used by one
/// thread: that of a ServiceThread, or the worker of a page without a server (tools/html).
class Service {
 public:
  enum class Refined {
    kNothing,  ///< all is known
    kMore,     ///< there is a new version; there may be more
    kCutOff,   ///< by a request, or between simulations
  };

  Service(Studio studio, Surroundings surroundings, Interrupts interrupts, Advisor& advisor);

  [[nodiscard]] Response answer(const Request& request);
  /// Computes the next slower result: intervals, what to measure next, improvements.
  Refined refine();
  /// Takes an answer of the advisor if there is one.
  void take_advice();
  /// Number of answered changes and of later results.
  [[nodiscard]] std::uint64_t version() const { return version_; }
  /// The name of the open scenario's file in the session folder; empty if it is elsewhere.
  [[nodiscard]] std::string session() const;
  void save() { open_.save(); }

 private:
  /// An answer of the advisor, and the scenario after its first change.
  struct Advice {
    Advised advised;
    std::string first;
  };

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
  [[nodiscard]] Response curve(const input::Value& body);
  [[nodiscard]] std::vector<scenario::Metric> point_of_curve(const Change& change, bool intervals);
  [[nodiscard]] Response advise(const input::Value& body);
  [[nodiscard]] Response apply_advised(const Request& request);
  [[nodiscard]] nlohmann::ordered_json advice_json() const;
  [[nodiscard]] Response exported(const Request& request);
  void run_in_full();

  OpenScenarios open_;
  Studio& studio_;  ///< the open one
  Surroundings surroundings_;
  std::string instance_;       ///< differs from that of any other studio
  std::uint64_t version_ = 1;  ///< number of answered changes
  bool wants_help_ = false;    ///< improvements are searched for although that takes long
  input::Value searched_;      ///< the scenario of the last search for advice
  std::optional<Advice> advice_;
  /// The points of the latest curves, by their scenario, so that intervals are added one by one.
  std::map<std::string, std::vector<scenario::Metric>> points_;
  Interrupts interrupts_;
  Advisor& advisor_;
};

}  // namespace vgsim::studio
