#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <iterator>
#include <map>
#include <set>
#include <string_view>
#include <vector>

#include "tools/report/facts.hpp"
#include "tools/report/sections/sections.hpp"
#include "topology/input/units/unit_strings.hpp"

namespace vgsim::report {
namespace {

using scenario::LayoutResult;
using scenario::TrainingResult;

std::string signed_time(SimTime time) {
  if (time == SimTime{0}) return "0";
  const std::string text = input::format_time(SimTime{std::abs(time.count())});
  return (time < SimTime{0} ? "-" : "+") + text;
}

/// Losses by mechanism.
std::map<std::string, SimTime> losses_of(const TrainingResult& training) {
  std::map<std::string, SimTime> losses;
  for (const auto& loss : training.losses) losses[loss.mechanism] += loss.time;
  return losses;
}

std::string hops_text(const LayoutResult& layout) {
  std::vector<std::string> hops;
  for (const auto& [transport, count] : layout.hops_by_transport) {
    hops.push_back(fmt::format("{} over {}", count, transport));
  }
  return fmt::format("{}", fmt::join(hops, ", "));
}

/// Rules that disable a path in a guest.
constexpr std::array kPathRules{
    "flat-guest-hides-gpudirect-rdma",
    "flat-guest-hides-pcie-p2p",
    "gpudirect-guest-os",
    "gpudirect-no-relaxed-acs",
    "gpudirect-vgpu-gpu",
    "gpudirect-vgpu-version",
    "nvls-needs-unified-memory",
    "nvswitch-nvlink-off",
    "nvswitch-passthrough-part",
    "p2p-not-allowed",
    "unified-memory-no-nvlink",
    "vgpu-has-no-pcie-p2p",
    "vgpu-nvlink-fraction",
    "vgpu-nvlink-guest-os",
    "vgpu-nvlink-version",
};

std::set<std::string> path_rules(const LayoutResult& layout) {
  std::set<std::string> rules;
  for (const auto& warning : layout.warnings) {
    if (std::find(kPathRules.begin(), kPathRules.end(), std::string_view(warning.rule)) !=
        kPathRules.end()) {
      rules.insert(warning.rule);
    }
  }
  return rules;
}

/// Those that apply to one layout only.
std::vector<std::string> rules_only_in(const LayoutResult& layout, const LayoutResult& other) {
  const auto own = path_rules(layout);
  const auto others = path_rules(other);
  std::vector<std::string> rules;
  std::set_difference(own.begin(), own.end(), others.begin(), others.end(),
                      std::back_inserter(rules));
  return rules;
}

std::string paths_text(const LayoutResult& first, const LayoutResult& other) {
  const std::string before = hops_text(first);
  const std::string after = hops_text(other);
  if (before == after) return "over the same kinds of paths";
  std::string text = fmt::format("a ring's hops are {} instead of {}", after, before);
  const auto add = [&](const std::vector<std::string>& rules, const std::string& name) {
    if (rules.empty()) return;
    text += fmt::format("; {} in {}", fmt::join(rules, ", "), name);
  };
  add(rules_only_in(other, first), other.name);
  add(rules_only_in(first, other), first.name);
  return text;
}

/// Smaller differences are due to rounding.
constexpr SimTime kWorthALine{10'000};

/// A row for each cause of the difference of an iteration.
Table causes_table(const LayoutResult& first, const LayoutResult& other) {
  const TrainingResult& a = *first.training;
  const TrainingResult& b = *other.training;
  std::vector<std::pair<SimTime, std::string>> parts;
  SimTime kernels = b.compute - a.compute;
  std::map<std::string, SimTime> losses = losses_of(b);
  for (const auto& [mechanism, time] : losses_of(a)) losses[mechanism] -= time;
  for (const auto& [mechanism, time] : losses) {
    parts.emplace_back(time, mechanism);
    kernels -= time;
  }
  parts.emplace_back(kernels, "kernels");
  parts.emplace_back(b.exposed_communication - a.exposed_communication,
                     "exposed communication: " + paths_text(first, other));
  parts.emplace_back(b.pipeline_wait - a.pipeline_wait, "pipeline bubble");
  parts.emplace_back(b.wait_for_jobs - a.wait_for_jobs, "waiting for other jobs");
  parts.emplace_back(b.data_wait - a.data_wait, "waiting for data");
  parts.emplace_back(b.optimizer - a.optimizer, "optimizer");
  Table table{{{fmt::format("{} against {}", other.name, first.name), false},
               {signed_time(b.iteration - a.iteration) + " an iteration", false}},
              {}};
  for (const auto& [time, cause] : parts) {
    if (time < kWorthALine && SimTime{0} - time < kWorthALine) continue;
    table.rows.push_back({signed_time(time), cause});
  }
  return table;
}

}  // namespace

/// Each layout against the first that trains.
std::optional<Section> differences_section(const Report& report) {
  std::vector<const LayoutResult*> layouts;
  for (const LayoutResult& layout : report.result.layouts) {
    if (layout.training) layouts.push_back(&layout);
  }
  if (layouts.size() < 2) return std::nullopt;
  Section section{"differences",
                  "Differences",
                  fmt::format("An iteration of each layout against {}", named(*layouts.front())),
                  {}};
  for (std::size_t l = 1; l < layouts.size(); ++l) {
    section.blocks.emplace_back(causes_table(*layouts.front(), *layouts[l]));
  }
  return section;
}

}  // namespace vgsim::report
