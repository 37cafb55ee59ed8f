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
#include "tools/cli/text/findings_text.hpp"
#include "tools/cli/text/head_text.hpp"
#include "tools/text/figure_rows.hpp"
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

std::string heading(const ScenarioResult& result) {
  const auto runs = std::find_if(result.layouts.begin(), result.layouts.end(),
                                 [](const LayoutResult& layout) { return !layout.refused; });
  const LayoutResult& shown = runs == result.layouts.end() ? result.layouts.front() : *runs;
  const std::string machines =
      plural(shown.machines, shown.is_bare_metal() ? "bare-metal host" : "VM");
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

void add_interruptions(Table& table, const ScenarioResult& result) {
  std::vector<std::string> names;
  for (const LayoutResult& layout : result.layouts) {
    if (!layout.training) continue;
    for (const auto& each : layout.training->interruptions) {
      if (std::find(names.begin(), names.end(), each.what) == names.end())
        names.push_back(each.what);
    }
  }
  if (!names.empty()) table.add_blank();
  for (const std::string& name : names) {
    add_training_row(table, result, name, [&](const TrainingResult& t) {
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
  add_row(table, result, "fingerprint", [](const LayoutResult& l) { return l.fingerprint; });
}

/// Of layouts `begin` to `end`.
Table training_table(const ScenarioResult& part, const std::vector<LayoutRow>& rows,
                     std::size_t begin, std::size_t end) {
  Table table;
  add_row(table, part, "", [](const LayoutResult& l) { return l.name; });
  for (const LayoutRow& row : rows) {
    if (row.begins_block) table.add_blank();
    std::vector<std::string> cells{row.label};
    cells.insert(cells.end(), row.cells.begin() + static_cast<std::ptrdiff_t>(begin),
                 row.cells.begin() + static_cast<std::ptrdiff_t>(end));
    table.add_row(std::move(cells));
  }
  add_interruptions(table, part);
  add_gradient_rows(table, part);
  return table;
}

/// Tables of a few layouts each, one below the other.
std::string trainings_text(const ScenarioResult& result) {
  const auto rows = figure_rows(result, scenario::standings_of(result), RowsFor::kText);
  std::string text;
  for (std::size_t begin = 0; begin < result.layouts.size(); begin += kLayoutsSideBySide) {
    const std::size_t end = std::min(begin + kLayoutsSideBySide, result.layouts.size());
    const ScenarioResult part{result.name,
                              {result.layouts.begin() + static_cast<std::ptrdiff_t>(begin),
                               result.layouts.begin() + static_cast<std::ptrdiff_t>(end)},
                              {}};
    text += (begin == 0 ? "" : "\n") + training_table(part, rows, begin, end).text();
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
    table.add_row({layout.name, layout.is_bare_metal() ? "-" : layout.vsphere,
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
