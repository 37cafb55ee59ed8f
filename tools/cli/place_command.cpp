#include <fmt/format.h>

#include <algorithm>

#include "models/scenario/vm_placement.hpp"
#include "tools/cli/commands.hpp"
#include "tools/cli/config_files.hpp"
#include "tools/cli/exit_code.hpp"
#include "tools/cli/output.hpp"
#include "tools/cli/scenario_input.hpp"
#include "tools/cli/table.hpp"
#include "tools/cli/words.hpp"

namespace vgsim::cli {
namespace {

using scenario::LayoutPlacement;

std::string gpus_text(const vsphere::PlacementStep& step) {
  std::vector<std::string> gpus;
  for (const vsphere::TakenGpu& gpu : step.gpus) gpus.push_back(fmt::format("gpu{}", gpu.gpu));
  std::string text = fmt::format("{}", fmt::join(gpus, " "));
  if (!step.gpus.empty() && step.gpus.front().profile != nullptr) {
    text += fmt::format(" ({})", step.gpus.front().profile->name);
  }
  return text;
}

/// "1 of 4, 3 of 2, 6 of 1".
std::string free_text(const vsphere::FreeGroups& free) {
  std::vector<std::string> parts;
  for (const auto& [size, count] : free) parts.push_back(fmt::format("{} of {}", count, size));
  return parts.empty() ? "-" : fmt::format("{}", fmt::join(parts, ", "));
}

std::string layout_text(const LayoutPlacement& layout) {
  std::string text = fmt::format("{}, vSphere {}\n\n", layout.name, layout.vsphere);
  Table table;
  table.add_row({"VM", "host", "GPUs", "groups still free on it"});
  for (const auto& step : layout.report.steps) {
    table.add_row({step.vm, step.host ? layout.hosts[*step.host] : "nowhere", gpus_text(step),
                   step.host ? free_text(step.free) : "-"});
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
    left.add_row({layout.hosts[h], fmt::format("{}", host.free_gpus), free_text(host.free),
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

int place_command(const Options& options) {
  const auto library = load_library(config_dir());
  if (!library) return report_errors(library.error());
  const auto input = read_scenario_input(options.scenario, options.set, options.layouts);
  if (!input) return report_errors(input.error());
  const auto placed = scenario::place_scenario(input->document, *library, input->load);
  if (!placed) return report_errors(placed.error());
  std::string text;
  for (const LayoutPlacement& layout : *placed) {
    text += (text.empty() ? "" : "\n") + layout_text(layout);
  }
  write_result(options.format == Format::kJson ? scenario::to_json(*placed) : text, options.out);
  const bool all_fit = std::all_of(placed->begin(), placed->end(),
                                   [](const auto& layout) { return layout.report.all_fit(); });
  return all_fit ? kDone : kExpectationFailed;
}

}  // namespace vgsim::cli
