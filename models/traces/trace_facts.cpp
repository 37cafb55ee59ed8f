#include "models/traces/trace_facts.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>

#include "models/calibration/statistics.hpp"

namespace vgsim::traces {

std::vector<std::string> measured_facts(const Trace& trace) {
  std::vector<std::string> found;
  if (!trace.gpu.empty()) {
    found.push_back(fmt::format(
        "GPU: {}{}", trace.gpu,
        trace.ranks > 0 ? fmt::format(", one of {} ranks", trace.ranks) : std::string()));
  }
  if (!trace.step_seconds.empty()) {
    found.push_back(fmt::format("{} steps, median {:.1f} ms", trace.step_seconds.size(),
                                calibration::median(trace.step_seconds) * 1e3));
  }
  if (trace.kernel_seconds > 0) {
    found.push_back(fmt::format("kernels ran for {:.1f} ms in total, those of NCCL for {:.1f} ms",
                                trace.kernel_seconds * 1e3, trace.collective_seconds * 1e3));
  }
  std::map<std::string, std::vector<double>> calls;
  for (const TracedCollective& call : trace.collectives) calls[call.name].push_back(call.bytes);
  for (const auto& [name, sizes] : calls) {
    constexpr std::size_t kShown = 8;
    std::vector<std::string> shown;
    for (std::size_t i = 0; i < std::min(sizes.size(), kShown); ++i) {
      shown.push_back(fmt::format("{:.3g}", sizes[i] / 1e6));
    }
    found.push_back(fmt::format("{} calls of {}: {}{} MB", sizes.size(), name,
                                fmt::join(shown, ", "), sizes.size() > kShown ? " ..." : ""));
  }
  return found;
}

}  // namespace vgsim::traces
