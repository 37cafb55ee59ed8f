#include "tools/cli/text/probe_text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <map>
#include <utility>

#include "models/calibration/link_fit.hpp"
#include "tools/cli/text/left_out_text.hpp"
#include "tools/text/table.hpp"
#include "tools/text/words.hpp"
#include "topology/input/units/unit_strings.hpp"

namespace vgsim::cli {
namespace {

using calibration::CollectiveCall;
using calibration::LinkFit;
using calibration::Measured;
using calibration::Measurement;
using calibration::MemoryPass;
using calibration::Place;
using calibration::Product;

std::string rate_text(double bytes_per_second) {
  return input::format_rate(BytesPerSecond{std::llround(bytes_per_second)});
}

std::string machine_text(const calibration::MeasuredMachine& machine) {
  std::string text;
  for (std::size_t g = 0; g < machine.gpus.size(); ++g) {
    const auto& gpu = machine.gpus[g];
    text += fmt::format("gpu{}  {}", g, gpu.name);
    if (gpu.memory > Bytes{0}) {
      text += fmt::format(", {}", text::bytes_text(static_cast<double>(gpu.memory.count())));
    }
    if (!gpu.pci_address.empty()) text += ", " + gpu.pci_address;
    if (gpu.numa_node) text += fmt::format(", NUMA node {}", *gpu.numa_node);
    if (!gpu.mig.empty()) text += ", MIG " + gpu.mig;
    const bool virtual_gpu = !gpu.virtualization.empty() && gpu.virtualization != "none";
    if (virtual_gpu) text += ", " + gpu.virtualization;
    text += "\n";
  }
  std::vector<std::string> versions;
  if (!machine.driver.empty()) versions.push_back("driver " + machine.driver);
  if (!machine.cuda.empty()) versions.push_back("CUDA " + machine.cuda);
  if (!machine.nccl.empty()) versions.push_back("NCCL " + machine.nccl);
  if (!machine.hypervisor.empty()) {
    versions.push_back(fmt::format("in a VM (hypervisor: {})", machine.hypervisor));
  }
  return versions.empty() ? text : text + fmt::format("{}\n", fmt::join(versions, ", "));
}

bool is_between_gpus(const calibration::Route& route) {
  return route.from.kind == Place::Kind::kGpu && route.to.kind == Place::Kind::kGpu;
}

std::string routes_text(const LinkFit& link) {
  const auto& first = link.routes.front();
  std::string text = fmt::format("{} -> {}", to_string(first.from), to_string(first.to));
  if (link.routes.size() == 2) {
    const auto& second = link.routes.back();
    text += fmt::format(" and {} -> {}", to_string(second.from), to_string(second.to));
  } else if (link.routes.size() > 2) {
    const bool to_gpus = first.to.kind == Place::Kind::kGpu;
    text = fmt::format("{}, {} GPUs at once", to_gpus ? "host -> GPUs" : "GPUs -> host",
                       link.routes.size());
  }
  return text + (link.by_kernel ? ", by a kernel" : "");
}

std::string latency_text(const LinkFit& link) {
  return link.latency_s ? text::duration_text(link.latency_s->value) : std::string();
}

std::string host_copies_text(const std::vector<LinkFit>& links) {
  text::Table table;
  table.add_row({"copies", "rate", "90 % interval", "latency"});
  bool any = false;
  for (const LinkFit& link : links) {
    if (is_between_gpus(link.routes.front()) && link.routes.size() == 1) continue;
    any = true;
    table.add_row({routes_text(link), rate_text(link.rate.value),
                   fmt::format("{:.3g} .. {:.3g}", link.rate.low / 1e9, link.rate.high / 1e9),
                   latency_text(link)});
  }
  return any ? "\n" + table.text() : std::string();
}

/// Rates from each GPU (row) to each GPU (column).
std::string peer_matrix_text(const std::vector<LinkFit>& links, std::size_t gpus,
                             bool peer_access) {
  std::map<std::pair<std::size_t, std::size_t>, double> rates;
  for (const LinkFit& link : links) {
    const auto& route = link.routes.front();
    const bool counts = link.routes.size() == 1 && is_between_gpus(route) &&
                        link.peer_access == peer_access && !link.by_kernel;
    if (counts) rates[{route.from.gpu, route.to.gpu}] = link.rate.value;
  }
  if (rates.empty()) return {};
  text::Table table;
  std::vector<std::string> header{
      fmt::format("GB/s {} peer access", peer_access ? "with" : "without")};
  for (std::size_t b = 0; b < gpus; ++b) header.push_back(fmt::format("-> gpu{}", b));
  table.add_row(header);
  for (std::size_t a = 0; a < gpus; ++a) {
    std::vector<std::string> row{fmt::format("gpu{}", a)};
    for (std::size_t b = 0; b < gpus; ++b) {
      const auto found = rates.find({a, b});
      row.push_back(found == rates.end() ? "-" : fmt::format("{:.3g}", found->second / 1e9));
    }
    table.add_row(row);
  }
  return "\n" + table.text();
}

/// The rate that a kernel reaches, in words.
struct Reached {
  double seconds;

  std::string operator()(const MemoryPass& pass) const {
    return rate_text(2 * static_cast<double>(pass.size.count()) / seconds);
  }
  std::string operator()(const Product& product) const {
    const double flops = 2 * static_cast<double>(product.m) * static_cast<double>(product.n) *
                         static_cast<double>(product.k);
    return fmt::format("{:.4g} TFLOP/s", flops / seconds / 1e12);
  }
  std::string operator()(const calibration::TrainingStep& step) const {
    const double rate = static_cast<double>(step.batch) / seconds;
    return fmt::format("{:.{}f} samples/s", rate, rate < 100 ? 1 : 0);
  }
  std::string operator()(const CollectiveCall& call) const {
    return "algbw " + rate_text(static_cast<double>(call.size.count()) / seconds);
  }
  std::string operator()(const calibration::Launch&) const { return {}; }
  std::string operator()(const calibration::Copies&) const { return {}; }
};

/// Kernels, training steps and collectives, one by one.
std::string works_text(const std::vector<Measured>& results) {
  text::Table table;
  table.add_row({"work", "time", "90 % interval", "reaches"});
  bool any = false;
  for (const Measured& each : results) {
    if (std::holds_alternative<calibration::Copies>(each.work)) continue;
    any = true;
    const auto& timing = each.timing;
    table.add_row({describe(each.work), text::duration_text(timing.median_s),
                   fmt::format("{} .. {}", text::duration_text(timing.low_s),
                               text::duration_text(timing.high_s)),
                   std::visit(Reached{timing.median_s}, each.work)});
  }
  return any ? "\n" + table.text() : std::string();
}

std::string unsteady_text(const Measurement& measurement) {
  std::size_t unsteady = 0;
  for (const Measured& each : measurement.results) unsteady += each.timing.steady ? 0 : 1;
  if (unsteady == 0) return {};
  return fmt::format(
      "\n{} of {} results were not steady: other work on the machine, or clocks that "
      "rise or fall\n",
      unsteady, measurement.results.size());
}

}  // namespace

std::string measurement_text(const Measurement& measurement) {
  const auto links = fit_links(measurement);
  const std::size_t gpus = measurement.machine.gpus.size();
  return machine_text(measurement.machine) + host_copies_text(links) +
         peer_matrix_text(links, gpus, true) + peer_matrix_text(links, gpus, false) +
         works_text(measurement.results) + unsteady_text(measurement) +
         left_out_text(measurement.left_out);
}

}  // namespace vgsim::cli
