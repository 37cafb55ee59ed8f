#include "models/traces/kernel_launches.hpp"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <utility>

#include "models/traces/kernel_names.hpp"
#include "models/traces/trace_file.hpp"
#include "models/traces/trace_readers.hpp"

namespace vgsim::traces {
namespace {

using nlohmann::json;

constexpr double kMicro = 1e-6;

std::optional<std::int64_t> correlation_of(const json& event) {
  const auto args = event.find("args");
  if (args == event.end() || !args->is_object()) return std::nullopt;
  const auto found = args->find("correlation");
  if (found == args->end() || !found->is_number_integer()) return std::nullopt;
  return found->get<std::int64_t>();
}

double microseconds(const json& event, const char* name) {
  const auto found = event.find(name);
  return found != event.end() && found->is_number() ? found->get<double>() : 0.0;
}

}  // namespace

void KernelLaunches::take_call(const json& event) {
  const auto correlation = correlation_of(event);
  const auto thread = event.find("tid");
  if (!correlation || thread == event.end() || !thread->is_number_integer()) return;
  if (launches_.size() >= kMaxOperations) throw TraceTooLarge("more than 4,000,000 calls of CUDA");
  launches_[*correlation] = {microseconds(event, "ts"), thread->get<std::int64_t>()};
}

void KernelLaunches::take_kernel(const json& event) {
  if (kernels_.size() >= kMaxOperations) throw TraceTooLarge("more than 4,000,000 kernels");
  Kernel kernel;
  kernel.correlation = correlation_of(event).value_or(0);
  kernel.traced.start = microseconds(event, "ts") * kMicro;
  kernel.traced.seconds = microseconds(event, "dur") * kMicro;
  kernel.traced.precision = product_precision(event.value("name", ""));
  kernels_.push_back(std::move(kernel));
}

std::vector<TracedKernel> KernelLaunches::join(const std::vector<HostSpan>& operations) {
  std::map<std::int64_t, std::vector<std::size_t>> of_thread;
  for (std::size_t i = 0; i < operations.size(); ++i) of_thread[operations[i].thread].push_back(i);
  std::vector<TracedKernel> kernels;
  for (Kernel& kernel : kernels_) {
    const auto launch = launches_.find(kernel.correlation);
    if (launch != launches_.end()) {
      const auto [time, thread] = launch->second;
      kernel.traced.launched = time * kMicro;
      const std::vector<std::size_t>& own = of_thread[thread];
      const auto next = std::upper_bound(
          own.begin(), own.end(), time,
          [&](double at, std::size_t index) { return at < operations[index].start; });
      std::optional<std::size_t> before;
      if (next != own.begin()) before = *std::prev(next);
      std::optional<std::size_t> around = before;
      while (around && operations[*around].end < time) around = operations[*around].parent;
      kernel.traced.operation = around ? around : before;
    }
    kernels.push_back(std::move(kernel.traced));
  }
  std::stable_sort(kernels.begin(), kernels.end(),
                   [](const auto& a, const auto& b) { return a.start < b.start; });
  return kernels;
}

}  // namespace vgsim::traces
