#include "models/questions/advise/advice.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <atomic>
#include <limits>
#include <numeric>
#include <optional>
#include <tuple>

#include "models/questions/advise/evolution.hpp"
#include "models/questions/advise/pareto.hpp"
#include "models/scenario/answer/figures.hpp"
#include "models/scenario/answer/metrics.hpp"
#include "models/scenario/read/library.hpp"

namespace vgsim::scenario {
namespace {

constexpr std::size_t kFewestWithIntervals = 3;

const Metric* find(const PointLayout& layout, const std::string& name) {
  const auto found = std::find_if(layout.metrics.begin(), layout.metrics.end(),
                                  [&](const Metric& each) { return each.name == name; });
  return found == layout.metrics.end() ? nullptr : &*found;
}

/// Simulates points, each once.
class Search {
 public:
  Search(const AdviceRequest& request, const Document& base, const Library& library,
         const input::FileLoader& load, const RunSettings& settings, std::uint64_t draws,
         const AdviceProgress& progress, ComputedParts* parts)
      : request_(request),
        base_(base),
        library_(library),
        load_(load),
        settings_(settings),
        draws_(draws),
        progress_(progress),
        parts_(parts),
        prepared_(prepare_base(base, library, load, settings)) {}

  Advice run() {
    advice_.space = request_.space.points;
    advice_.exhaustive = advice_.space <= request_.most_runs;
    if (advice_.exhaustive) {
      run_all();
    } else {
      evolve();
    }
    advice_.simulated = results_.size();
    for (const auto& [point, result] : results_) judge(point, result);
    finish();
    return std::move(advice_);
  }

 private:
  [[nodiscard]] PointResult run_one(std::uint64_t point, std::uint64_t draws = 0) const {
    return run_point(request_.space, base_, point, library_, load_, settings_,
                     prepared_ ? &*prepared_ : nullptr, draws, request_.hosts_down);
  }

  void run_all() {
    std::vector<std::uint64_t> points(advice_.space);
    std::iota(points.begin(), points.end(), std::uint64_t{0});
    run(points);
  }

  void run(const std::vector<std::uint64_t>& points) {
    std::vector<std::uint64_t> left = points;
    std::erase_if(left, [&](std::uint64_t point) { return results_.contains(point); });
    std::atomic<std::uint64_t> done = results_.size();
    auto results = computed<PointResult>(parts_, left.size(), [&](std::size_t i) {
      PointResult result = run_one(left[i]);
      progress_(++done);
      return result;
    });
    for (std::size_t i = 0; i < left.size(); ++i) {
      results_.emplace(left[i], std::move(results[i]));
    }
  }

  void evolve() {
    std::vector<std::uint64_t> sizes;
    for (const Axis& axis : request_.space.grid) sizes.push_back(axis.size());
    scenario::evolve(sizes, request_.most_runs, [&](const std::vector<Choice>& generation) {
      std::vector<std::uint64_t> points;
      for (const Choice& choice : generation) {
        std::uint64_t& point = points.emplace_back(0);
        for (std::size_t i = 0; i < sizes.size(); ++i) point = point * sizes[i] + choice[i];
      }
      run(points);
      std::vector<Worth> worths;
      for (const std::uint64_t point : points) worths.push_back(worth(point, results_.at(point)));
      return worths;
    });
  }

  /// Fitness of a point: that of its layout with the fewest missed requirements, then the best
  /// first figure.
  [[nodiscard]] Worth worth(std::uint64_t point, const PointResult& result) const {
    Worth best{std::numeric_limits<std::size_t>::max(), {}};
    for (const PointLayout& layout : result.layouts) {
      const auto candidate = candidate_of(point, result, layout);
      if (!candidate) continue;
      Worth own{candidate->misses.size(), {}};
      for (std::size_t i = 0; i < request_.objectives.size(); ++i) {
        const double value = candidate->objectives[i];
        own.figures.push_back(request_.objectives[i].larger ? -value : value);
      }
      best = std::min(best, own, [](const Worth& a, const Worth& b) {
        return std::tie(a.misses, a.figures) < std::tie(b.misses, b.figures);
      });
    }
    return best;
  }

  /// Nothing for a layout that did not run, or without these figures.
  [[nodiscard]] std::optional<Candidate> candidate_of(std::uint64_t point,
                                                      const PointResult& result,
                                                      const PointLayout& layout) const {
    if (layout.refused) return std::nullopt;
    Candidate candidate{point, result.set, layout, {}, {}};
    for (const Objective& objective : request_.objectives) {
      const Metric* metric = scenario::find(layout, objective.metric);
      if (metric == nullptr) return std::nullopt;
      candidate.objectives.push_back(metric->value);
    }
    for (const Requirement& requirement : request_.requirements) {
      const Metric* metric = scenario::find(layout, requirement.metric);
      const bool met = metric != nullptr &&
                       (!requirement.min || metric->value >= *requirement.min) &&
                       (!requirement.max || metric->value <= *requirement.max);
      if (met) continue;
      candidate.misses.push_back(fmt::format(
          "{}: {}", requirement.words,
          metric == nullptr ? std::string("not known") : in_words(metric->value, metric->unit)));
    }
    if (ends_early(layout)) {
      candidate.misses.emplace_back(
          "a host failure stops the job for good: no other host can restart its VM");
    }
    return candidate;
  }

  /// Its training time does not include the failure, which it does not survive.
  static bool ends_early(const PointLayout& layout) {
    return std::find(layout.rules.begin(), layout.rules.end(), "no-restart-after-failure") !=
           layout.rules.end();
  }

  void judge(std::uint64_t point, const PointResult& result) {
    if (result.failure) ++advice_.failed;
    for (const PointLayout& layout : result.layouts) {
      if (layout.refused) {
        for (const std::string& rule : layout.rules) {
          const auto known = library_.vsphere->rules.find(rule);
          const bool refuses = known != library_.vsphere->rules.end() &&
                               known->second.verdict == vsphere::Verdict::kRefused;
          if (refuses) ++advice_.refused_by[rule];
        }
        continue;
      }
      auto candidate = candidate_of(point, result, layout);
      if (!candidate) {
        ++advice_.failed;
      } else if (candidate->misses.empty()) {
        ++advice_.meet;
        advice_.met.push_back(candidate->objectives);
        meeting_.push_back(*std::move(candidate));
      } else {
        ++advice_.miss;
        missing_.push_back(*std::move(candidate));
      }
    }
  }

  /// The number of hosts of the scenario at a point, by its position in the request.
  [[nodiscard]] std::uint64_t hosts_at(std::uint64_t point) const {
    std::uint64_t others = 1;
    for (std::size_t a = 1; a < request_.space.grid.size(); ++a) {
      others *= request_.space.grid[a].size();
    }
    return point / others;
  }

  /// Why a candidate that meets the goal is not chosen: a choice is better in all objectives.
  [[nodiscard]] std::string beaten_by(const Candidate& candidate) const {
    for (const Candidate& choice : advice_.best) {
      if (!dominates(choice.objectives, candidate.objectives, request_.objectives)) continue;
      std::string text;
      for (std::size_t i = 0; i < request_.objectives.size(); ++i) {
        const std::string& name = request_.objectives[i].metric;
        if (choice.objectives[i] == candidate.objectives[i]) continue;
        const MetricUnit unit = metric_named(name)->unit;
        text += fmt::format("{}{} {}, not {}", text.empty() ? "" : "; ", name,
                            scenario::in_words(candidate.objectives[i], unit),
                            scenario::in_words(choice.objectives[i], unit));
      }
      return text;
    }
    return {};
  }

  /// Needs the candidates that do not become choices.
  void find_losers(const std::vector<Candidate>& meeting, const std::vector<Candidate>& missing) {
    if (request_.hosts.size() < 2) return;
    for (std::uint64_t h = 0; h < request_.hosts.size(); ++h) {
      const auto has = [&](const Candidate& each) { return hosts_at(each.point) == h; };
      if (std::any_of(advice_.best.begin(), advice_.best.end(), has)) continue;
      const Candidate* best = nullptr;
      for (const auto* candidates : {&meeting, &missing}) {
        for (const Candidate& each : *candidates) {
          if (!has(each)) continue;
          if (best == nullptr || std::tuple(each.misses.size(), each.objectives) <
                                     std::tuple(best->misses.size(), best->objectives)) {
            best = &each;
          }
        }
      }
      if (best == nullptr) continue;
      Candidate& loser = advice_.losers.emplace_back(*best);
      if (loser.misses.empty()) loser.misses.push_back(beaten_by(loser));
    }
  }

  void finish() {
    const std::vector<Candidate> meeting = meeting_;
    advice_.best = pareto_set(std::move(meeting_), request_.objectives);
    if (!advice_.best.empty()) find_losers(meeting, missing_);
    add_intervals(advice_.best);
    if (!advice_.best.empty() || missing_.empty()) return;
    const auto fewest =
        std::min_element(missing_.begin(), missing_.end(), [](const auto& a, const auto& b) {
          return a.misses.size() < b.misses.size();
        })->misses.size();
    std::erase_if(missing_, [&](const Candidate& each) { return each.misses.size() > fewest; });
    advice_.nearest = pareto_set(std::move(missing_), request_.objectives);
    add_intervals(advice_.nearest);
  }

  /// The search compares predictions without draws. Draws of the shown choices may take about as
  /// many runs as the search, at least those of three choices.
  void add_intervals(std::vector<Candidate>& choices) const {
    if (draws_ == 0) return;
    const std::size_t most =
        std::clamp<std::size_t>(results_.size() / draws_, kFewestWithIntervals, kMostChoices);
    std::map<std::uint64_t, PointResult> drawn;  // by point
    for (std::size_t i = 0; i < std::min(choices.size(), most); ++i) {
      const auto [at, is_new] = drawn.try_emplace(choices[i].point);
      if (is_new) {
        at->second =
            computed_part<PointResult>(parts_, [&] { return run_one(choices[i].point, draws_); });
      }
      for (PointLayout& layout : at->second.layouts) {
        if (layout.name != choices[i].layout.name) continue;
        choices[i].layout.metrics = layout.metrics;
        choices[i].layout.time = layout.time;
      }
      choices[i].layout.difference =
          relative_time(choices.front().layout.time, choices[i].layout.time);
    }
  }

  const AdviceRequest& request_;
  const Document& base_;
  const Library& library_;
  const input::FileLoader& load_;
  const RunSettings& settings_;
  std::uint64_t draws_;
  const AdviceProgress& progress_;
  ComputedParts* parts_;
  std::map<std::uint64_t, PointResult> results_;  ///< by point
  std::optional<PreparedScenario> prepared_;      ///< the base
  std::vector<Candidate> meeting_;
  std::vector<Candidate> missing_;
  Advice advice_;
};

}  // namespace

Advice search(const AdviceRequest& request, const Document& base, const Library& library,
              const input::FileLoader& load, const RunSettings& settings, std::uint64_t draws,
              const AdviceProgress& progress, ComputedParts* parts) {
  return Search(request, base, library, load, settings, draws, progress, parts).run();
}

}  // namespace vgsim::scenario
