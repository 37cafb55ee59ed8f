#include "tools/cli/screen/layout_rows.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <functional>
#include <map>
#include <set>

#include "tools/text/figures.hpp"
#include "tools/text/fitting.hpp"
#include "tools/text/limits_text.hpp"
#include "tools/text/verdict.hpp"
#include "tools/text/words.hpp"

namespace vgsim::cli {
namespace {

using scenario::LayoutResult;
using scenario::MetricUnit;
using scenario::ScenarioResult;
using scenario::StandingGroup;
using scenario::TrainingResult;

/// Less of an iteration is not worth a row.
constexpr double kEven = 0.995;  ///< of Jain's index: nobody would see the difference
constexpr double kWorthARow = 0.005;

const char* const kNone = "-";

using TrainingCell = std::function<std::string(const TrainingResult&)>;

class RowsOfTraining {
 public:
  RowsOfTraining(const ScenarioResult& result, const std::vector<StandingGroup>& groups)
      : result_(result), gaps_(result.layouts.size()) {
    for (const StandingGroup& group : groups) {
      for (const auto& each : group.standings) gaps_[each.layout] = each.gap;
      if (group.standings.size() > 1) compares_ = true;
      fastest_.insert(group.fastest());
    }
  }

  std::vector<LayoutRow> rows() {
    add_times();
    add_sizes();
    add_parts();
    add_layout_row({"held back by", "held back by", 1, {}}, [](const LayoutResult& layout) {
      return layout.training ? limit_words(limit_of(layout)) : std::string(kNone);
    });
    add_rest();
    return std::move(rows_);
  }

 private:
  /// "refused" stands where the first figure would.
  void add_times() {
    const std::string words = length_of_all();
    const std::string label =
        words.empty() ? std::string("training") : fmt::format("training, {}", words);
    add_layout_row({label, words.empty() ? "training" : words, 0, {}},
                   [&](const LayoutResult& layout) {
                     if (!layout.training) return not_run_word(layout);
                     return training_time(*layout.training);
                   });
    if (any([](const TrainingResult& t) { return t.training_interval.has_value(); })) {
      add({"  nine in ten", "nine in ten", 1, {}}, [](const TrainingResult& t) {
        return t.training_interval ? time_range(*t.training_interval, t.training_s) : kNone;
      });
    }
    if (compares_) add_gaps();
    add_throughput_of_hosts();
    if (any([](const TrainingResult& t) { return t.goodput.has_value(); })) {
      add({"  with failures", "with failures", 2, {}}, [](const TrainingResult& t) {
        if (!t.goodput) return std::string(kNone);
        return t.goodput->expected_s ? time_figure(*t.goodput->expected_s, training_known(t))
                                     : std::string("never ends");
      });
    }
    if (any(&is_stopped)) {
      add({"  of it interruptions", "stopped", 1, {}}, [](const TrainingResult& t) {
        double seconds = 0.0;
        for (const auto& each : t.interruptions) seconds += each.seconds;
        return seconds > 0.0 ? time_figure(seconds, std::nullopt) : kNone;
      });
    }
    if (any(&is_stopped)) {
      add({"  in steps", "steps", 1, {}}, [](const TrainingResult& t) {
        double steps = 0.0;
        for (const auto& each : t.interruptions) steps += each.steps;
        return steps > 0.0 ? rounded(steps, 3) : kNone;
      });
    }
    if (any([](const TrainingResult& t) { return t.maintenance.has_value(); })) {
      add({"a month by vMotion", "a month", 1, {}}, [](const TrainingResult& t) {
        return t.maintenance && t.maintenance->vmotion_s
                   ? time_figure(*t.maintenance->vmotion_s, std::nullopt)
                   : kNone;
      });
      add({"a month by restart", "by restart", 2, {}}, [](const TrainingResult& t) {
        return t.maintenance ? time_figure(t.maintenance->restart_s, std::nullopt) : kNone;
      });
    }
    add_spreads();
    add({"iteration", "iteration", 3, {}}, [](const TrainingResult& t) {
      return time_figure(to_seconds(t.iteration), iteration_known(t));
    });
    if (any([](const TrainingResult& t) { return t.iterations() > 1; })) {
      add({"iterations", "iterations", 6, {}},
          [](const TrainingResult& t) { return count_figure(t.iterations()); });
    }
    add({"samples/s", "samples/s", 5, {}},
        [](const TrainingResult& t) { return rate_figure(t.samples_per_s, iteration_known(t)); });
    if (any([](const TrainingResult& t) { return t.tokens > 0; })) {
      add({"tokens/s", "tokens/s", 5, {}}, [](const TrainingResult& t) {
        const double rate = t.tokens_per_s();
        return rate > 0.0 ? rate_figure(rate, iteration_known(t)) : kNone;
      });
    }
  }

  /// Where several jobs share the hosts, what they train together says more than one of them.
  void add_throughput_of_hosts() {
    if (!any([](const TrainingResult& t) { return t.copies > 1; })) return;
    add({"samples/s of a host", "of a host/s", 0, {}}, [](const TrainingResult& t) {
      return rate_figure(t.host_samples_per_s, iteration_known(t));
    });
  }

  void add_gaps() {
    rows_.push_back({"  against the fastest", "against", 0, {}});
    for (std::size_t l = 0; l < result_.layouts.size(); ++l) {
      rows_.back().cells.push_back(!result_.layouts[l].training ? kNone
                                   : fastest_.contains(l)       ? "fastest"
                                                                : gap_figure(gaps_[l]));
    }
  }

  void add_spreads() {
    const auto seeds = [](const TrainingResult& t) { return t.epoch_spread.has_value(); };
    if (!any(seeds)) return;
    add({"epoch over seeds, median", "median epoch", 1, {}}, [](const TrainingResult& t) {
      return t.epoch_spread ? time_figure(t.epoch_spread->median_s, spread_known(t)) : kNone;
    });
    add({"  nine in ten seeds", "nine in ten seeds", 1, {}}, [](const TrainingResult& t) {
      if (!t.epoch_spread) return std::string(kNone);
      const scenario::Interval interval{t.epoch_spread->low_s, t.epoch_spread->high_s, 0};
      return time_range(interval, t.epoch_spread->median_s);
    });
  }

  /// Where layouts are of different size.
  void add_sizes() {
    const auto differ = [&](const std::function<std::size_t(const LayoutResult&)>& size) {
      std::set<std::size_t> sizes;
      for (const LayoutResult& layout : result_.layouts) {
        if (layout.training) sizes.insert(size(layout));
      }
      return sizes.size() > 1;
    };
    const auto count = [&](const char* label, const auto& size) {
      if (!differ(size)) return;
      add_layout_row({label, label, 1, {}}, [&](const LayoutResult& layout) {
        return layout.training ? std::to_string(size(layout)) : std::string(kNone);
      });
    };
    count("GPUs", [](const LayoutResult& layout) { return layout.ranks; });
    count("hosts", [](const LayoutResult& layout) { return layout.hosts; });
  }

  void add_parts() {
    add_part("compute", "compute", 2, [](const TrainingResult& t) { return t.compute; });
    for (const std::string& mechanism : mechanisms()) {
      add_part("  of it " + mechanism, mechanism, 4, [&](const TrainingResult& t) {
        SimTime time{};
        for (const auto& loss : t.losses) {
          if (loss.mechanism == mechanism) time += loss.time;
        }
        return time;
      });
    }
    add_part("exposed communication", "comm.", 2,
             [](const TrainingResult& t) { return t.exposed_communication; });
    const auto axes = communication_axes();
    for (const std::string& axis : axes) {
      add_part("  of it " + axis, axis, axes.size() > 1 ? 3 : 6, [&](const TrainingResult& t) {
        const auto found = t.communication.find(axis);
        return found == t.communication.end() ? SimTime{} : found->second;
      });
    }
    add_part("waiting for stages", "stages", 3,
             [](const TrainingResult& t) { return t.pipeline_wait; });
    add_part("waiting for data", "data", 3, [](const TrainingResult& t) { return t.data_wait; });
  }

  /// Where GPUs are used in turns, how late a step can be, as far as so many steps can say it, and
  /// whether all come to their work. Without turns a step is as late as any other.
  void add_turns() {
    using Quantile = std::optional<double> scenario::TurnsResult::*;
    if (!any([](const TrainingResult& t) { return t.turns.has_value(); })) return;
    const auto all_have = [&](Quantile quantile) {
      return !any([&](const TrainingResult& t) { return t.turns && !((*t.turns).*quantile); });
    };
    const auto row = [&](const char* label, const char* head, Quantile quantile) {
      add({label, head, 1, {}}, [&](const TrainingResult& t) {
        return time_figure(t.turns ? *((*t.turns).*quantile) : to_seconds(t.iteration),
                           iteration_known(t));
      });
    };
    if (all_have(&scenario::TurnsResult::p99_s)) {
      row("99 of 100 steps within", "p99 step", &scenario::TurnsResult::p99_s);
    } else if (all_have(&scenario::TurnsResult::p90_s)) {
      row("90 of 100 steps within", "p90 step", &scenario::TurnsResult::p90_s);
    }
    add({"  of so many steps", "of steps", 1, {}}, [](const TrainingResult& t) {
      return t.turns ? std::to_string(t.turns->steps) : std::string(kNone);
    });
    if (!any([](const TrainingResult& t) { return t.turns && t.turns->fairness < kEven; })) return;
    add({"fairness of ranks", "fairness", 4, {}},
        [](const TrainingResult& t) { return t.turns ? whole_percent(t.turns->fairness) : kNone; });
  }

  void add_rest() {
    add_turns();
    if (any([](const TrainingResult& t) { return t.economy.cost.has_value(); })) {
      add({"cost", "cost", 1, {}}, [](const TrainingResult& t) {
        if (!t.economy.cost) return std::string(kNone);
        return money_figure(t.economy.cost->training, t.economy.cost->currency, training_known(t));
      });
    }
    add_memory();
    if (any([](const TrainingResult& t) { return t.model_flops_utilization.has_value(); })) {
      add({"MFU", "MFU", 5, {}}, [](const TrainingResult& t) {
        return t.model_flops_utilization ? whole_percent(*t.model_flops_utilization) : kNone;
      });
    }
    if (any([](const TrainingResult& t) { return t.model_flops_per_gpu > 0.0; })) {
      add({"TFLOP/s of one GPU", "TFLOP/s", 6, {}}, [](const TrainingResult& t) {
        const double rate = t.model_flops_per_gpu / 1e12;
        return rate > 0.0 ? rate_figure(rate, iteration_known(t)) : kNone;
      });
    }
    if (any([](const TrainingResult& t) { return t.scaling_efficiency.has_value(); })) {
      add({"scaling efficiency", "scaling", 5, {}}, [](const TrainingResult& t) {
        return t.scaling_efficiency ? whole_percent(*t.scaling_efficiency) : kNone;
      });
    }
    if (any([](const TrainingResult& t) { return t.economy.energy_kwh.has_value(); })) {
      add({"energy", "energy", 7, {}}, [](const TrainingResult& t) {
        return t.economy.energy_kwh
                   ? figure(*t.economy.energy_kwh, MetricUnit::kKwh, training_known(t))
                   : kNone;
      });
    }
  }

  /// "64 of 80 GiB", where memory is what a job has to be fitted into.
  void add_memory() {
    const bool matters = std::any_of(result_.layouts.begin(), result_.layouts.end(), [](auto& l) {
      return l.memory && l.memory->needed > l.memory->capacity / 2;
    });
    if (!matters) return;
    add_layout_row({"memory of a GPU", "memory", 4, {}}, [](const LayoutResult& layout) {
      if (!layout.memory) return std::string(kNone);
      return fmt::format("{} of {}", memory_figure(layout.memory->needed),
                         memory_figure(layout.memory->capacity));
    });
  }

  void add_part(const std::string& label, const std::string& head, int rank,
                const std::function<SimTime(const TrainingResult&)>& part) {
    const auto share = [&](const TrainingResult& t) {
      return t.iteration > SimTime{0} ? to_seconds(part(t)) / to_seconds(t.iteration) : 0.0;
    };
    if (!any([&](const TrainingResult& t) { return share(t) >= kWorthARow; })) return;
    add({label, head, rank, {}}, [&](const TrainingResult& t) { return whole_percent(share(t)); });
  }

  void add(LayoutRow row, const TrainingCell& cell) {
    add_layout_row(std::move(row), [&](const LayoutResult& layout) {
      return layout.training ? cell(*layout.training) : std::string(kNone);
    });
  }

  void add_layout_row(LayoutRow row, const std::function<std::string(const LayoutResult&)>& cell) {
    for (const LayoutResult& layout : result_.layouts) row.cells.push_back(cell(layout));
    rows_.push_back(std::move(row));
  }

  bool any(const std::function<bool(const TrainingResult&)>& has) const {
    return std::any_of(result_.layouts.begin(), result_.layouts.end(),
                       [&](const LayoutResult& l) { return l.training && has(*l.training); });
  }

  /// Empty where they differ, or where one iteration is all there is.
  std::string length_of_all() const {
    std::set<std::string> lengths;
    for (const LayoutResult& layout : result_.layouts) {
      if (!layout.training) continue;
      const bool once = layout.training->iterations() == 1;
      lengths.insert(once ? "" : length_words(*layout.training));
    }
    return lengths.size() == 1 ? *lengths.begin() : "";
  }

  std::string training_time(const TrainingResult& t) const {
    return time_figure(t.training_s, training_known(t));
  }

  static bool is_stopped(const TrainingResult& t) {
    return std::any_of(t.interruptions.begin(), t.interruptions.end(),
                       [](const auto& each) { return each.seconds > 0.0; });
  }

  static std::string not_run_word(const LayoutResult& layout) {
    if (layout.memory && !layout.memory->fits()) return "does not fit";
    return layout.refused ? "refused" : kNone;
  }

  static Known spread_known(const TrainingResult& t) {
    const scenario::Interval interval{t.epoch_spread->low_s, t.epoch_spread->high_s, 0};
    return known_of(interval, t.epoch_spread->median_s);
  }

  std::vector<std::string> mechanisms() const {
    std::vector<std::string> names;
    for (const LayoutResult& layout : result_.layouts) {
      if (!layout.training) continue;
      for (const auto& loss : layout.training->losses) {
        if (std::find(names.begin(), names.end(), loss.mechanism) == names.end()) {
          names.push_back(loss.mechanism);
        }
      }
    }
    return names;
  }

  std::set<std::string> communication_axes() const {
    std::set<std::string> axes;
    for (const LayoutResult& layout : result_.layouts) {
      if (!layout.training) continue;
      for (const auto& [axis, time] : layout.training->communication) axes.insert(axis);
    }
    return axes;
  }

  const ScenarioResult& result_;
  std::vector<scenario::Gap> gaps_;
  std::set<std::size_t> fastest_;
  bool compares_ = false;
  std::vector<LayoutRow> rows_;
};

/// Of small messages the time is what counts, of large ones the bandwidth.
constexpr Bytes kLargeFrom{1 << 20};

std::string point_cell(const scenario::CollectivePoint& point) {
  const Known known = point_known(point);
  const bool alone = point.busbw_GBps == 0.0;  // one rank sends nothing
  if (point.size < kLargeFrom || alone) return time_figure(to_seconds(point.time), known);
  return figure(point.busbw_GBps, MetricUnit::kGBps, known);
}

std::vector<Bytes> all_sizes(const ScenarioResult& result) {
  std::set<Bytes> sizes;
  for (const LayoutResult& layout : result.layouts) {
    if (!layout.collective) continue;
    for (const auto& point : layout.collective->points) sizes.insert(point.size);
  }
  return {sizes.begin(), sizes.end()};
}

std::string cell_of_size(const LayoutResult& layout, Bytes size) {
  if (!layout.collective) return layout.refused ? "refused" : kNone;
  const auto& points = layout.collective->points;
  const auto found = std::find_if(points.begin(), points.end(),
                                  [&](const auto& point) { return point.size == size; });
  return found == points.end() ? kNone : point_cell(*found);
}

LayoutRow row_of_size(const ScenarioResult& result, Bytes size, int rank) {
  LayoutRow row{size_words(size), size_words(size), rank, {}};
  for (const LayoutResult& layout : result.layouts) row.cells.push_back(cell_of_size(layout, size));
  return row;
}

}  // namespace

std::vector<LayoutRow> training_rows(const ScenarioResult& result,
                                     const std::vector<StandingGroup>& groups) {
  return RowsOfTraining(result, groups).rows();
}

std::vector<LayoutRow> size_rows(const ScenarioResult& result) {
  std::vector<LayoutRow> rows;
  for (const Bytes size : all_sizes(result)) rows.push_back(row_of_size(result, size, 0));
  return rows;
}

std::vector<LayoutRow> collective_rows(const ScenarioResult& result,
                                       const std::vector<StandingGroup>& groups) {
  const auto sizes = all_sizes(result);
  std::vector<LayoutRow> rows;
  if (sizes.size() > 1) rows.push_back(row_of_size(result, sizes.front(), 2));
  if (sizes.size() > 2) rows.push_back(row_of_size(result, sizes[sizes.size() / 2], 3));
  if (!sizes.empty()) rows.push_back(row_of_size(result, sizes.back(), 0));
  LayoutRow against{"against the fastest", "against", 0,
                    std::vector<std::string>(result.layouts.size(), kNone)};
  LayoutRow gpus{"GPUs", "GPUs", 1, {}};
  LayoutRow limits{"held back by", "held back by", 1, {}};
  for (const StandingGroup& group : groups) {
    for (const auto& each : group.standings) {
      against.cells[each.layout] =
          each.layout == group.fastest() ? "fastest" : gap_figure(each.gap);
    }
  }
  std::set<std::size_t> counts;
  for (const LayoutResult& layout : result.layouts) {
    limits.cells.push_back(layout.collective ? limit_words(limit_of(layout)) : kNone);
    gpus.cells.push_back(layout.collective ? std::to_string(layout.ranks) : kNone);
    if (layout.collective) counts.insert(layout.ranks);
  }
  if (result.layouts.size() > 1) rows.push_back(std::move(against));
  if (counts.size() > 1) rows.push_back(std::move(gpus));
  rows.push_back(std::move(limits));
  return rows;
}

}  // namespace vgsim::cli
