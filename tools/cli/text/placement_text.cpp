#include "tools/cli/text/placement_text.hpp"

#include <fmt/format.h>

#include "tools/text/table.hpp"

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

std::string placed_layout_text(const LayoutPlacement& layout) {
  std::string text = fmt::format("{}, vSphere {}\n\n", layout.name, layout.vsphere);
  Table table;
  table.add_row({"VM", "host", "GPUs", "groups still free on it"});
  for (const auto& step : layout.report.steps) {
    table.add_row({step.vm, step.host ? layout.hosts[*step.host] : "nowhere", taken_gpus_text(step),
                   step.host ? free_groups_text(step.free) : "-"});
  }
  text += table.text();
  for (const auto& step : layout.report.steps) {
    for (const auto& refusal : step.refusals) {
      text +=
          "\n" +
          wrap(fmt::format("{} fits nowhere: {} [{}]", step.vm, refusal.text, refusal.rule), 2) +
          "\n";
    }
  }
  Table left;
  left.add_row({"host", "free GPUs", "free groups", "framebuffer bound", "stranded"});
  for (std::size_t h = 0; h < layout.hosts.size(); ++h) {
    const vsphere::HostLeft& host = layout.report.left[h];
    left.add_row({layout.hosts[h], fmt::format("{}", host.free_gpus), free_groups_text(host.free),
                  fmt::format("{} GB", host.bound_gb), fmt::format("{} GB", host.stranded_gb)});
  }
  text += "\nleft over\n" + left.text();
  text +=
      "\nbound: framebuffer that only vGPUs of the sizes on that GPU can use; stranded: that\n"
      "none of them can use\n";
  if (layout.report.all_fit()) return text + "\nevery VM fits\n";
  if (!layout.report.better_order) {
    return text + "\nwith the largest VMs first they do not all fit either\n";
  }
  return text + "\n" +
         wrap(fmt::format("all would fit in this order: {}",
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
