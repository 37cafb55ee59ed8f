#include "tools/cli/text/placement_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "tools/text/table.hpp"
#include "topology/input/name_ranges.hpp"

namespace vgsim::cli {

using scenario::LayoutPlacement;

std::string taken_gpus_text(const vsphere::PlacementStep& step) {
  std::vector<std::string> gpus;
  for (const vsphere::TakenGpu& gpu : step.gpus) gpus.push_back(fmt::format("gpu{}", gpu.gpu));
  std::string text = fmt::format("{}", fmt::join(gpus, " "));
  if (!step.gpus.empty() && step.gpus.front().profile != nullptr) {
    text += fmt::format(" ({})", step.gpus.front().profile->name);
  }
  return text;
}

std::string free_groups_text(const vsphere::FreeGroups& free) {
  std::vector<std::string> parts;
  for (const auto& [size, count] : free) parts.push_back(fmt::format("{} of {}", count, size));
  return parts.empty() ? "-" : fmt::format("{}", fmt::join(parts, ", "));
}

namespace {

using Rows = std::vector<std::vector<std::string>>;

/// Merges many successive rows that differ only in their first `names` cells.
void add_folded(const Rows& rows, std::size_t names, text::Table& table) {
  constexpr std::size_t kManyAlike = 16;
  const auto like = [&](const std::vector<std::string>& a, const std::vector<std::string>& b) {
    return std::equal(a.begin() + static_cast<std::ptrdiff_t>(names), a.end(),
                      b.begin() + static_cast<std::ptrdiff_t>(names), b.end());
  };
  for (std::size_t begin = 0; begin < rows.size();) {
    std::size_t end = begin + 1;
    while (end < rows.size() && like(rows[begin], rows[end])) ++end;
    if (end - begin <= kManyAlike) {
      for (; begin < end; ++begin) table.add_row(rows[begin]);
      continue;
    }
    std::vector<std::string> row = rows[begin];
    for (std::size_t c = 0; c < names; ++c) {
      row[c] = fmt::format("{} to {}", rows[begin][c], rows[end - 1][c]);
    }
    row.front() += fmt::format(" ({})", end - begin);
    table.add_row(std::move(row));
    begin = end;
  }
}

/// The same reason for several VMs is one sentence.
std::string refusals_text(const LayoutPlacement& layout) {
  std::vector<std::pair<std::string, std::vector<std::string>>> known;
  for (const auto& step : layout.report.steps) {
    for (const auto& refusal : step.refusals) {
      const std::string why = fmt::format("cannot be placed: {} [{}]", refusal.text, refusal.rule);
      const auto same = std::find_if(known.begin(), known.end(),
                                     [&](const auto& each) { return each.first == why; });
      if (same == known.end())
        known.push_back({why, {step.vm}});
      else
        same->second.push_back(step.vm);
    }
  }
  std::string text;
  for (const auto& [why, vms] : known) {
    text += "\n" + text::wrap(fmt::format("{} {}", input::and_more(vms), why), 2) + "\n";
  }
  return text;
}

/// Where the VMs of each host go when it enters maintenance mode.
std::string maintenance_text(const LayoutPlacement& layout) {
  if (layout.maintenance.empty()) return {};
  text::Table table;
  table.add_row({"host", "VM", "goes to", "by"});
  for (const scenario::HostMaintenance& host : layout.maintenance) {
    const std::string hosts = input::and_more(host.hosts);
    if (host.moves.empty()) table.add_row({hosts, "-", "-", "has no VM"});
    for (const auto& move : host.moves) {
      table.add_row({hosts, move.vm, move.host.empty() ? "nowhere" : move.host,
                     move.host.empty() ? move.why
                     : move.live       ? std::string("vMotion")
                                       : fmt::format("restart: {}", move.why)});
    }
  }
  return "\nmaintenance, one host at a time\n" + table.text();
}

std::string placed_layout_text(const LayoutPlacement& layout) {
  std::string text = fmt::format("{}, vSphere {}\n\n", layout.name, layout.vsphere);
  text::Table table;
  table.add_row({"VM", "host", "GPUs", "groups still free on it"});
  Rows rows;
  for (const auto& step : layout.report.steps) {
    rows.push_back({step.vm, step.host ? layout.hosts[*step.host] : "-", taken_gpus_text(step),
                    step.host ? free_groups_text(step.free) : "-"});
  }
  add_folded(rows, 2, table);
  text += table.text() + refusals_text(layout);
  text::Table left;
  left.add_row({"host", "free GPUs", "free groups", "framebuffer bound", "stranded"});
  rows.clear();
  for (std::size_t h = 0; h < layout.hosts.size(); ++h) {
    const vsphere::HostLeft& host = layout.report.left[h];
    rows.push_back({layout.hosts[h], fmt::format("{}", host.free_gpus), free_groups_text(host.free),
                    fmt::format("{} GB", host.bound_gb), fmt::format("{} GB", host.stranded_gb)});
  }
  add_folded(rows, 1, left);
  text += "\nleft over\n" + left.text();
  text +=
      "\nbound: framebuffer that only vGPUs of the sizes on that GPU can use; stranded: that\n"
      "none of them can use\n";
  if (layout.report.all_fit()) {
    return text + maintenance_text(layout) + "\nevery VM can be placed\n";
  }
  if (!layout.report.better_order) {
    return text + "\nnot all fit with the largest VMs first, either\n";
  }
  return text + "\n" +
         text::wrap(fmt::format("all would fit in this order: {}",
                                fmt::join(*layout.report.better_order, ", ")),
                    2) +
         "\n";
}

}  // namespace

std::string placement_text(const std::vector<LayoutPlacement>& layouts) {
  std::string text;
  for (const LayoutPlacement& layout : layouts) {
    text += (text.empty() ? "" : "\n") + placed_layout_text(layout);
  }
  return text;
}

}  // namespace vgsim::cli
