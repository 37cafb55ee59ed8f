#include "tools/cli/screen/placement_screen.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <set>

#include "tools/cli/screen/side_by_side.hpp"
#include "tools/cli/text/placement_text.hpp"
#include "tools/text/fitting.hpp"
#include "tools/text/screen_lines.hpp"
#include "tools/text/table.hpp"
#include "tools/text/words.hpp"

namespace vgsim::cli {
namespace {

using scenario::LayoutPlacement;
using vsphere::PlacementStep;

constexpr std::size_t kLongestVm = 30;
constexpr std::size_t kMostOrder = 8;
constexpr std::size_t kRefusedVmLines = 3;
constexpr std::size_t kFewestRows = 5;

std::size_t vms_without_host(const LayoutPlacement& layout) {
  return static_cast<std::size_t>(
      std::count_if(layout.report.steps.begin(), layout.report.steps.end(),
                    [](const PlacementStep& step) { return !step.host; }));
}

struct LeftOver {
  std::size_t free_gpus = 0;
  std::size_t hosts = 0;  ///< that have them
  std::int64_t bound_gb = 0;
  std::int64_t stranded_gb = 0;
};

LeftOver left_over(const LayoutPlacement& layout) {
  LeftOver sum;
  for (const vsphere::HostLeft& host : layout.report.left) {
    sum.free_gpus += host.free_gpus;
    sum.hosts += host.free_gpus > 0 ? 1 : 0;
    sum.bound_gb += host.bound_gb;
    sum.stranded_gb += host.stranded_gb;
  }
  return sum;
}

std::string one_layout_verdict(const LayoutPlacement& layout) {
  const std::size_t all = layout.report.steps.size();
  const std::size_t nowhere = vms_without_host(layout);
  if (nowhere == 0) {
    return all == 1 ? "the VM can be placed"
                    : fmt::format("all {} can be placed", text::plural(all, "VM"));
  }
  const std::string text =
      fmt::format("{} of {} cannot be placed", nowhere, text::plural(all, "VM"));
  const auto& order = layout.report.better_order;
  if (!order) return text + "; not all fit with the largest VMs first, either";
  std::vector<std::string> names(
      order->begin(),
      order->begin() + static_cast<std::ptrdiff_t>(std::min(order->size(), kMostOrder)));
  if (names.size() < order->size()) {
    names.push_back(fmt::format("{} more", order->size() - names.size()));
  }
  return text + "; all would fit in the order " + text::names_listed(names, names.size());
}

/// Why VMs cannot be placed, each reason once.
void add_refused_vms(const LayoutPlacement& layout, bool with_layout, std::size_t most,
                     text::ScreenLines& lines) {
  std::set<std::string> said;
  for (const PlacementStep& step : layout.report.steps) {
    for (const auto& refusal : step.refusals) {
      if (lines.size() >= most || !said.insert(refusal.rule).second) continue;
      const std::string where =
          with_layout ? text::shortened(layout.name, kLongestVm) + ": " : std::string();
      lines.labelled("refused",
                     fmt::format("{}{}: {} [{}]", where, text::shortened(step.vm, kLongestVm),
                                 refusal.text, refusal.rule),
                     std::min<std::size_t>(most - lines.size(), 2), text::Tone::kBad);
    }
  }
}

/// Which hosts can enter maintenance mode: "each of 4 hosts can be emptied, by vMotion".
std::string maintenance_words(const LayoutPlacement& layout) {
  std::size_t all = 0;
  std::size_t can = 0;
  bool live = true;
  const scenario::HostMaintenance* full = nullptr;
  for (const scenario::HostMaintenance& host : layout.maintenance) {
    all += host.hosts.size();
    if (host.can_be_emptied()) can += host.hosts.size();
    if (!host.can_be_emptied() && full == nullptr) full = &host;
    for (const auto& move : host.moves) live = live && move.live;
  }
  if (can == all) {
    return fmt::format("each of {} can be emptied, one at a time, {}", text::plural(all, "host"),
                       live ? "by vMotion" : "some VMs powered off and started elsewhere");
  }
  const auto& stays = *std::find_if(full->moves.begin(), full->moves.end(),
                                    [](const auto& move) { return move.host.empty(); });
  return fmt::format("{} of {} can be emptied; not {}: {} stays, {}", can,
                     text::plural(all, "host"), text::shortened(full->hosts.front(), kLongestVm),
                     text::shortened(stays.vm, kLongestVm), stays.why);
}

/// Layouts with the same answer are one line.
void add_maintenance(const std::vector<LayoutPlacement>& layouts, text::ScreenLines& lines) {
  constexpr std::size_t kMostAnswers = 4;
  std::vector<std::pair<std::string, std::vector<std::string>>> answers;
  for (const LayoutPlacement& layout : layouts) {
    if (layout.maintenance.empty()) continue;
    const std::string words = maintenance_words(layout);
    auto same = std::find_if(answers.begin(), answers.end(),
                             [&](const auto& each) { return each.first == words; });
    if (same == answers.end()) same = answers.insert(same, {words, {}});
    same->second.push_back(text::shortened(layout.name, kLongestVm));
  }
  for (std::size_t a = 0; a < std::min(answers.size(), kMostAnswers); ++a) {
    const auto& [words, names] = answers[a];
    std::string where;
    if (answers.size() > 1) {
      where = names.size() > 2 ? text::plural(names.size(), "layout")
                               : text::names_listed(names, names.size());
      where += ": ";
    }
    lines.labelled(a == 0 ? "maintenance" : "", where + words, answers.size() > 1 ? 2 : 4);
  }
}

text::ScreenLines placement_verdict(const std::vector<LayoutPlacement>& layouts,
                                    const text::TerminalSize& terminal) {
  text::ScreenLines lines(terminal);
  const auto complete = static_cast<std::size_t>(
      std::count_if(layouts.begin(), layouts.end(),
                    [](const LayoutPlacement& each) { return each.report.all_fit(); }));
  if (layouts.size() == 1) {
    lines.verdict(one_layout_verdict(layouts.front()), 3);
  } else if (complete == layouts.size()) {
    lines.verdict(fmt::format("every VM can be placed in all {} layouts", layouts.size()), 1);
  } else {
    lines.verdict(fmt::format("every VM can be placed in {} of {}", complete,
                              text::plural(layouts.size(), "layout")),
                  1);
  }
  const std::size_t most = lines.size() + kRefusedVmLines;
  for (const LayoutPlacement& each : layouts) {
    add_refused_vms(each, layouts.size() > 1, most, lines);
  }
  add_maintenance(layouts, lines);
  return lines;
}

/// "8 x nvidia_h100xm-80c", "4 GPUs".
std::string gpus_of_step(const PlacementStep& step) {
  if (step.gpus.empty()) return "-";
  const auto* profile = step.gpus.front().profile;
  return profile == nullptr ? text::plural(step.gpus.size(), "GPU")
                            : fmt::format("{} x {}", step.gpus.size(), profile->name);
}

/// VMs with the same GPUs, on hosts with the same free groups.
struct AlikeVms {
  std::string gpus;
  std::string free;
  std::vector<std::string> vms;
  std::vector<std::string> hosts;  ///< each once
};

std::vector<AlikeVms> alike_vms(const LayoutPlacement& layout) {
  std::vector<AlikeVms> groups;
  for (const PlacementStep& step : layout.report.steps) {
    const std::string gpus = gpus_of_step(step);
    const std::string free = step.host ? free_groups_text(step.free) : "-";
    const std::string host = step.host ? layout.hosts[*step.host] : "nowhere";
    auto same = std::find_if(groups.begin(), groups.end(), [&](const AlikeVms& each) {
      return each.gpus == gpus && each.free == free &&
             (each.hosts.front() == "nowhere") == !step.host;
    });
    if (same == groups.end()) same = groups.insert(groups.end(), {gpus, free, {}, {}});
    same->vms.push_back(step.vm);
    // Avoids most duplicates; the rest are removed below.
    if (same->hosts.empty() || same->hosts.back() != host) same->hosts.push_back(host);
  }
  for (AlikeVms& group : groups) {
    std::sort(group.hosts.begin(), group.hosts.end());
    group.hosts.erase(std::unique(group.hosts.begin(), group.hosts.end()), group.hosts.end());
  }
  return groups;
}

/// "esx01 and 3 more"; a long name is cut instead of the number.
std::string many_names(const std::vector<std::string>& names, std::size_t columns) {
  if (names.size() == 1) return text::shortened(names.front(), columns);
  const std::string more = fmt::format(" and {} more", names.size() - 1);
  return text::shortened(names.front(), columns - std::min(columns, more.size())) + more;
}

std::vector<std::string> vms_table(const LayoutPlacement& layout,
                                   const text::TerminalSize& terminal, std::size_t most) {
  const auto groups = alike_vms(layout);
  const std::size_t shown = groups.size() + 1 > most ? most - 2 : groups.size();
  const std::size_t width = terminal.columns / 4 - 2;
  text::Table table({1, 2, 3});
  table.add_row({"VM", "host", "GPUs", "groups still free"});
  for (std::size_t g = 0; g < shown; ++g) {
    table.add_row({many_names(groups[g].vms, width + 3), many_names(groups[g].hosts, width + 3),
                   text::shortened(groups[g].gpus, width), text::shortened(groups[g].free, width)});
  }
  auto lines = text::lines_of(table);
  if (shown < groups.size()) {
    std::size_t vms = 0;
    for (std::size_t g = shown; g < groups.size(); ++g) vms += groups[g].vms.size();
    lines.push_back(
        fmt::format("{} more in {} ways", text::plural(vms, "VM"), groups.size() - shown));
  }
  return lines;
}

std::vector<std::string> placed_layouts_table(const std::vector<LayoutPlacement>& layouts,
                                              const text::TerminalSize& terminal,
                                              std::size_t most) {
  SideBySide table{{},
                   {{"VMs", "VMs", 0, {}},
                    {"not placed", "not placed", 0, {}},
                    {"free GPUs", "free GPUs", 1, {}},
                    {"bound", "bound", 2, {}},
                    {"stranded", "stranded", 1, {}}},
                   {},
                   terminal.columns,
                   most};
  for (std::size_t l = 0; l < layouts.size(); ++l) {
    const LeftOver left = left_over(layouts[l]);
    table.names.push_back(layouts[l].name);
    table.order.push_back(l);
    const std::string cells[] = {
        std::to_string(layouts[l].report.steps.size()),
        std::to_string(vms_without_host(layouts[l])), std::to_string(left.free_gpus),
        fmt::format("{} GB", left.bound_gb), fmt::format("{} GB", left.stranded_gb)};
    for (std::size_t c = 0; c < table.rows.size(); ++c) table.rows[c].cells.push_back(cells[c]);
  }
  return one_below_the_other(table);
}

std::string left_over_words(const LayoutPlacement& layout) {
  const LeftOver left = left_over(layout);
  return fmt::format("left over: {} free on {}; framebuffer: {} GB bound to sizes, {} GB stranded",
                     text::plural(left.free_gpus, "GPU"), text::plural(left.hosts, "host"),
                     left.bound_gb, left.stranded_gb);
}

}  // namespace

std::string placement_screen(const std::vector<LayoutPlacement>& layouts,
                             const text::TerminalSize& terminal) {
  const text::ScreenLines verdict = placement_verdict(layouts, terminal);
  text::ScreenLines footer(terminal);
  if (layouts.size() == 1) footer.text(left_over_words(layouts.front()), 2);
  footer.text("every VM and host: --full", 1);
  const std::size_t taken = verdict.size() + footer.size() + 2;
  const std::size_t most = std::max(kFewestRows, terminal.lines - std::min(terminal.lines, taken));
  const auto table = layouts.size() == 1 ? vms_table(layouts.front(), terminal, most)
                                         : placed_layouts_table(layouts, terminal, most);
  return verdict.joined() + "\n" + text::joined_lines(table) + "\n" + footer.joined();
}

std::string placement_in_full(const std::vector<LayoutPlacement>& layouts,
                              const text::TerminalSize& terminal) {
  return placement_verdict(layouts, terminal).joined() + "\n" + placement_text(layouts);
}

}  // namespace vgsim::cli
