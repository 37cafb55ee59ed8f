#include "tools/cli/text/text_report.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <set>
#include <vector>

#include "models/scenario/answer/bottleneck.hpp"
#include "models/scenario/answer/standing.hpp"
#include "tools/cli/text/collective_table.hpp"
#include "tools/cli/text/differences_text.hpp"
#include "tools/cli/text/economy_rows.hpp"
#include "tools/cli/text/findings_text.hpp"
#include "tools/cli/text/head_text.hpp"
#include "tools/text/figures.hpp"
#include "tools/text/limits_text.hpp"
#include "tools/text/table.hpp"
#include "tools/text/words.hpp"
#include "topology/input/units/unit_strings.hpp"

namespace vgsim::cli {
namespace {

using scenario::LayoutResult;
using scenario::ScenarioResult;
using scenario::TrainingResult;

constexpr std::size_t kLayoutsSideBySide = 4;

std::string spread_text(const std::optional<scenario::Spread>& spread) {
  if (!spread) return "-";
  const scenario::Interval interval{spread->low_s, spread->high_s, 0};
  const Known known = known_of(interval, spread->median_s);
  return fmt::format("{} ({})", time_figure(spread->median_s, known),
                     time_range(interval, spread->median_s));
}

std::string interval_text(const std::optional<scenario::Interval>& interval, double seconds) {
  return interval ? time_range(*interval, seconds) : std::string("-");
}

std::string efficiency_text(const std::optional<double>& efficiency) {
  return efficiency ? whole_percent(*efficiency) : std::string("-");
}

std::string heading(const ScenarioResult& result) {
  const auto runs = std::find_if(result.layouts.begin(), result.layouts.end(),
                                 [](const LayoutResult& layout) { return !layout.refused; });
  const LayoutResult& shown = runs == result.layouts.end() ? result.layouts.front() : *runs;
  const std::string machines =
      plural(shown.machines, shown.mode == "bare metal" ? "bare-metal host" : "VM");
  if (shown.refused) return fmt::format("{}\n{}\n\n", result.name, machines);
  return fmt::format("{}\n{} in {}\n{}\n", result.name, plural(shown.ranks, "GPU"), machines,
                     head_text(result));
}

using Cell = std::function<std::string(const LayoutResult&)>;

void add_row(Table& table, const ScenarioResult& result, const std::string& label,
             const Cell& cell) {
  std::vector<std::string> row{label};
  for (const LayoutResult& layout : result.layouts) row.push_back(cell(layout));
  table.add_row(std::move(row));
}

void add_training_row(Table& table, const ScenarioResult& result, const std::string& label,
                      const std::function<std::string(const TrainingResult&)>& cell) {
  add_row(table, result, label,
          [&](const LayoutResult& l) { return l.training ? cell(*l.training) : std::string("-"); });
}

/// How much longer each takes than the fastest of those that do the same work, by name.
using Gaps = std::map<std::string, std::string>;

Gaps gaps_of(const ScenarioResult& result) {
  Gaps gaps;
  for (const auto& group : scenario::standings_of(result)) {
    if (group.standings.size() < 2) continue;
    for (const auto& each : group.standings) {
      gaps[result.layouts[each.layout].name] =
          each.layout == group.fastest() ? "fastest" : gap_figure(each.gap);
    }
  }
  return gaps;
}

void add_maintenance(Table& table, const ScenarioResult& result) {
  const bool any =
      std::any_of(result.layouts.begin(), result.layouts.end(),
                  [](const LayoutResult& l) { return l.training && l.training->maintenance; });
  if (!any) return;
  const auto row = [&](const char* label, const auto& words) {
    add_training_row(table, result, label, [&](const TrainingResult& t) {
      return t.maintenance ? words(t, *t.maintenance) : std::string("-");
    });
  };
  row("maintenance, a month", [](const TrainingResult&, const scenario::Maintenance& plan) {
    return fmt::format("{:.3g} stops of hosts", plan.stops);
  });
  const auto cost = [](const TrainingResult& t, double seconds) {
    const double steps = seconds / to_seconds(t.iteration);
    return fmt::format("{}, {:.0f} steps", time_figure(seconds, std::nullopt), steps);
  };
  row("  by vMotion", [&](const TrainingResult& t, const scenario::Maintenance& plan) {
    return plan.vmotion_s ? cost(t, *plan.vmotion_s) : std::string("not possible");
  });
  row("  by restart", [&](const TrainingResult& t, const scenario::Maintenance& plan) {
    return cost(t, plan.restart_s);
  });
}

void add_interruptions(Table& table, const ScenarioResult& result) {
  std::vector<std::string> names;
  for (const LayoutResult& layout : result.layouts) {
    if (!layout.training) continue;
    for (const auto& each : layout.training->interruptions) {
      if (std::find(names.begin(), names.end(), each.what) == names.end())
        names.push_back(each.what);
    }
  }
  for (const std::string& name : names) {
    add_training_row(table, result, "  of it " + name, [&](const TrainingResult& t) {
      double seconds = 0.0;
      double steps = 0.0;
      std::string rule;
      for (const auto& each : t.interruptions) {
        if (each.what != name) continue;
        seconds += each.seconds;
        steps += each.steps;
        rule = each.rule;
      }
      if (seconds == 0.0) return rule.empty() ? std::string("-") : fmt::format("none [{}]", rule);
      return fmt::format("{}, {:.0f} steps", time_figure(seconds, std::nullopt), steps);
    });
  }
}

Table training_table(const ScenarioResult& result, const Gaps& gaps) {
  Table table;
  add_row(table, result, "", [](const LayoutResult& l) { return l.name; });
  add_training_row(table, result, "iteration", [](const TrainingResult& t) {
    return time_figure(to_seconds(t.iteration), iteration_known(t));
  });
  const bool intervals = std::any_of(
      result.layouts.begin(), result.layouts.end(),
      [](const LayoutResult& l) { return l.training && l.training->iteration_interval; });
  if (intervals) {
    add_training_row(table, result, "  nine in ten", [](const TrainingResult& t) {
      return interval_text(t.iteration_interval, to_seconds(t.iteration));
    });
  }
  add_training_row(table, result, "epoch", [](const TrainingResult& t) {
    return time_figure(t.epoch_s, iteration_known(t));
  });
  add_training_row(table, result, "training", [](const TrainingResult& t) {
    return fmt::format("{} for {}", time_figure(t.training_s, training_known(t)), length_words(t));
  });
  if (intervals) {
    add_training_row(table, result, "  nine in ten", [](const TrainingResult& t) {
      return interval_text(t.training_interval, t.training_s);
    });
  }
  if (!gaps.empty()) {
    add_row(table, result, "  against the fastest", [&](const LayoutResult& l) {
      const auto own = gaps.find(l.name);
      return own == gaps.end() ? std::string("-") : own->second;
    });
  }
  add_training_row(table, result, "  iterations",
                   [](const TrainingResult& t) { return count_figure(t.iterations()); });
  add_interruptions(table, result);
  add_maintenance(table, result);
  economy_rows(result, [&](const std::string& label, const auto& text) {
    add_training_row(table, result, label, text);
  });
  const bool spread =
      std::any_of(result.layouts.begin(), result.layouts.end(),
                  [](const LayoutResult& l) { return l.training && l.training->epoch_spread; });
  if (spread) {
    add_training_row(table, result, "  iteration over seeds",
                     [](const TrainingResult& t) { return spread_text(t.iteration_spread); });
    add_training_row(table, result, "  epoch over seeds",
                     [](const TrainingResult& t) { return spread_text(t.epoch_spread); });
  }
  add_training_row(table, result, "samples/s", [](const TrainingResult& t) {
    return rate_figure(t.samples_per_s, iteration_known(t));
  });
  const bool reads =
      std::any_of(result.layouts.begin(), result.layouts.end(),
                  [](const LayoutResult& l) { return l.training && l.training->tokens > 0; });
  if (reads) {
    add_training_row(table, result, "tokens/s", [](const TrainingResult& t) {
      return t.tokens > 0 ? rate_figure(t.tokens_per_s(), iteration_known(t)) : std::string("-");
    });
  }
  add_training_row(table, result, "scaling efficiency",
                   [](const TrainingResult& t) { return efficiency_text(t.scaling_efficiency); });
  table.add_blank();
  add_training_row(table, result, "compute",
                   [](const TrainingResult& t) { return part_figure(t.compute, t); });
  std::vector<std::string> mechanisms;
  for (const LayoutResult& layout : result.layouts) {
    if (!layout.training) continue;
    for (const auto& loss : layout.training->losses) {
      if (std::find(mechanisms.begin(), mechanisms.end(), loss.mechanism) == mechanisms.end()) {
        mechanisms.push_back(loss.mechanism);
      }
    }
  }
  for (const std::string& mechanism : mechanisms) {
    add_training_row(table, result, "  of it " + mechanism, [&](const TrainingResult& t) {
      const auto found = std::find_if(t.losses.begin(), t.losses.end(), [&](const auto& loss) {
        return loss.mechanism == mechanism;
      });
      return found == t.losses.end() ? std::string("-") : part_figure(found->time, t);
    });
  }
  add_training_row(table, result, "exposed communication",
                   [](const TrainingResult& t) { return part_figure(t.exposed_communication, t); });
  std::set<std::string> axes;
  bool slows = false;
  bool waits = false;
  bool counts_operations = false;
  for (const LayoutResult& layout : result.layouts) {
    if (!layout.training) continue;
    for (const auto& [axis, time] : layout.training->communication) axes.insert(axis);
    slows |= layout.training->kernels_slowed > SimTime{0};
    waits |= layout.training->pipeline_wait > SimTime{0};
    counts_operations |= layout.training->model_flops_per_gpu > 0;
  }
  for (const std::string& axis : axes) {
    add_training_row(table, result, "  of it " + axis, [&](const TrainingResult& t) {
      const auto found = t.communication.find(axis);
      return found == t.communication.end() ? std::string("-") : part_figure(found->second, t);
    });
  }
  if (slows) {
    add_training_row(table, result, "  of it slows kernels down",
                     [](const TrainingResult& t) { return part_figure(t.kernels_slowed, t); });
  }
  if (waits) {
    add_training_row(table, result, "waiting for stages",
                     [](const TrainingResult& t) { return part_figure(t.pipeline_wait, t); });
  }
  add_training_row(table, result, "waiting for data",
                   [](const TrainingResult& t) { return part_figure(t.data_wait, t); });
  add_training_row(table, result, "optimizer",
                   [](const TrainingResult& t) { return part_figure(t.optimizer, t); });
  if (counts_operations) {
    add_training_row(table, result, "MFU", [](const TrainingResult& t) {
      if (!t.model_flops_utilization) return std::string("-");
      const std::string model = whole_percent(*t.model_flops_utilization);
      return t.hardware_flops_utilization == t.model_flops_utilization
                 ? model
                 : fmt::format("{} ({} with recomputation)", model,
                               whole_percent(*t.hardware_flops_utilization));
    });
    add_training_row(table, result, "TFLOP/s of one GPU", [](const TrainingResult& t) {
      if (t.model_flops_per_gpu == 0) return std::string("-");
      const Known known = iteration_known(t);
      const std::string model = rate_figure(t.model_flops_per_gpu / 1e12, known);
      return t.hardware_flops_per_gpu == t.model_flops_per_gpu
                 ? model
                 : fmt::format("{} ({} with recomputation)", model,
                               rate_figure(t.hardware_flops_per_gpu / 1e12, known));
    });
  }
  return table;
}

/// What fills the memory of the fullest GPU, by layout; nothing where all is well and plain.
std::string memory_text(const ScenarioResult& result) {
  const bool matters =
      std::any_of(result.layouts.begin(), result.layouts.end(), [](const LayoutResult& l) {
        return l.memory &&
               (!l.memory->fits() || (l.training && l.training->model_flops_per_gpu > 0));
      });
  if (!matters) return {};
  Table table;
  const auto row = [&](const std::string& label, const auto& text) {
    std::vector<std::string> cells{label};
    for (const LayoutResult& layout : result.layouts) {
      cells.push_back(layout.memory ? text(*layout.memory) : std::string("-"));
    }
    table.add_row(std::move(cells));
  };
  std::vector<std::string> names{""};
  for (const LayoutResult& layout : result.layouts) names.push_back(layout.name);
  table.add_row(std::move(names));
  for (const char* part :
       {"weights", "gradients", "optimizer states", "activations", "loss, or block at work",
        "gathered layers", "framework and communicators"}) {
    row(part, [&](const scenario::MemoryUse& memory) {
      const auto found = memory.parts.find(part);
      return found == memory.parts.end() ? std::string("-") : memory_figure(found->second);
    });
  }
  row("needed", [](const scenario::MemoryUse& memory) { return memory_figure(memory.needed); });
  row("the GPU has", [](const scenario::MemoryUse& memory) {
    return memory_figure(memory.capacity) + (memory.fits() ? "" : ": too little");
  });
  row("largest micro-batch", [](const scenario::MemoryUse& memory) {
    return memory.largest_micro_batch > 0 ? std::to_string(memory.largest_micro_batch)
           : memory.fits()                ? std::string("not known")
                                          : std::string("none");
  });
  return "\nmemory of the fullest GPU\n" + table.text();
}

/// "Ring Simple", "4 x Ring Simple, Tree LL128".
std::string algorithms_text(const TrainingResult& training) {
  std::string text;
  for (const auto& [algorithm, buckets] : training.algorithms) {
    if (!text.empty()) text += ", ";
    if (training.algorithms.size() > 1 && buckets > 1) text += fmt::format("{} x ", buckets);
    text += algorithm;
  }
  return text.empty() ? "-" : text;
}

void add_gradient_rows(Table& table, const ScenarioResult& result) {
  table.add_blank();
  add_training_row(table, result, "gradients of one GPU", [](const TrainingResult& t) {
    return t.buckets == 0
               ? bytes_text(t.gradient_bytes)
               : fmt::format("{} in {}", bytes_text(t.gradient_bytes), plural(t.buckets, "bucket"));
  });
  const bool chooses = std::any_of(
      result.layouts.begin(), result.layouts.end(),
      [](const LayoutResult& l) { return l.training && !l.training->algorithms.empty(); });
  if (chooses) add_training_row(table, result, "  AllReduce by", algorithms_text);
  const bool uses_cores = std::any_of(
      result.layouts.begin(), result.layouts.end(),
      [](const LayoutResult& l) { return l.training && l.training->cores_busy >= 0.05; });
  std::set<std::string> kinds;
  for (const LayoutResult& layout : result.layouts) {
    if (!layout.training) continue;
    for (const auto& [kind, bytes] : layout.training->gradient_bytes_by_kind) kinds.insert(kind);
  }
  for (const std::string& kind : kinds) {
    add_training_row(table, result, fmt::format("  over {}", kind), [&](const TrainingResult& t) {
      const auto found = t.gradient_bytes_by_kind.find(kind);
      return found == t.gradient_bytes_by_kind.end() ? std::string("-") : bytes_text(found->second);
    });
  }
  if (uses_cores) {
    add_training_row(table, result, "host cores busy",
                     [](const TrainingResult& t) { return fmt::format("{:.1f}", t.cores_busy); });
  }
  add_row(table, result, "fingerprint", [](const LayoutResult& l) { return l.fingerprint; });
}

/// Tables of a few layouts each, one below the other.
std::string trainings_text(const ScenarioResult& result) {
  const Gaps gaps = gaps_of(result);
  std::string text;
  for (std::size_t begin = 0; begin < result.layouts.size(); begin += kLayoutsSideBySide) {
    const std::size_t end = std::min(begin + kLayoutsSideBySide, result.layouts.size());
    const ScenarioResult part{result.name,
                              {result.layouts.begin() + static_cast<std::ptrdiff_t>(begin),
                               result.layouts.begin() + static_cast<std::ptrdiff_t>(end)},
                              {}};
    Table table = training_table(part, gaps);
    add_gradient_rows(table, part);
    text += (begin == 0 ? "" : "\n") + table.text();
  }
  return text;
}

std::string assumptions_text(const ScenarioResult& result) {
  return lists_text(result, "assumptions", [](const LayoutResult& layout) {
    std::vector<std::string> lines = layout.assumptions;
    lines.insert(lines.begin(), layout.calibration.empty()
                                    ? std::string("calibration not given: the models' defaults")
                                    : "calibration " + layout.calibration);
    return lines;
  });
}

}  // namespace

std::string result_text(const ScenarioResult& result) {
  std::string text = heading(result);
  const bool trains = std::any_of(result.layouts.begin(), result.layouts.end(),
                                  [](const LayoutResult& l) { return l.training.has_value(); });
  if (trains) text += trainings_text(result);
  text += memory_text(result);
  const bool reduces = std::any_of(result.layouts.begin(), result.layouts.end(),
                                   [](const LayoutResult& l) { return l.collective.has_value(); });
  if (reduces) text += collectives_text(result);
  for (const LayoutResult& layout : result.layouts) {
    if (layout.refused) {
      text +=
          layout.memory && !layout.memory->fits()
              ? fmt::format("not simulated: {}, which does not fit into its GPUs\n", layout.name)
              : fmt::format("not simulated: {}, which vSphere {} refuses\n", layout.name,
                            layout.vsphere);
    }
  }
  for (const LayoutResult& layout : result.layouts) {
    if (layout.training && !layout.training->settled) {
      text += fmt::format(
          "note: {}: no state of the run came back, so the last iteration stands for the rest\n",
          layout.name);
    }
  }
  return text + limits_text(result) + differences_text(result) + warnings_text(result) +
         assumptions_text(result);
}

std::string validation_text(const ScenarioResult& result) {
  std::string text = heading(result);
  Table table;
  table.add_row({"layout", "vSphere", "verdict", "GPUs", "machines", "mode", "rings"});
  bool refused = false;
  for (const LayoutResult& layout : result.layouts) {
    table.add_row({layout.name, layout.mode == "bare metal" ? "-" : layout.vsphere,
                   verdict_word(layout), fmt::format("{}", layout.ranks),
                   fmt::format("{}", layout.machines), layout.mode,
                   fmt::format("{}", layout.channels)});
    refused |= layout.refused;
  }
  return text + table.text() + operations_text(result) + verdicts_text(result) +
         assumptions_text(result) +
         (refused ? "\nrefused; vgsim explain RULE tells more about a rule\n" : "\nvalid\n");
}

}  // namespace vgsim::cli
