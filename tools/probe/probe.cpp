#include "tools/probe/probe.hpp"

#include <algorithm>

namespace vgsim::probe {

calibration::Measurement probe(DeviceLayer& devices, const ProbeSettings& settings,
                               const Clock& now,
                               const std::function<void(const ProbeProgress&)>& show) {
  const double started = now();
  calibration::Measurement measurement;
  measurement.machine = devices.machine();
  const auto works = plan(measurement.machine, settings.job, settings.quick);
  for (std::size_t w = 0; w < works.size(); ++w) {
    const std::string what = describe(works[w]);
    const double spent = now() - started;
    const double done = static_cast<double>(w) / static_cast<double>(works.size());
    show({w, works.size(), std::max(done, spent / settings.limit_s), what});
    if (spent > settings.limit_s) {
      measurement.left_out.push_back({what, "no time was left for it"});
      continue;
    }
    SamplingSettings sampling;
    const double fair = (settings.limit_s - spent) / static_cast<double>(works.size() - w);
    sampling.budget_s = std::min(1.0, fair / 2);  // the other half is for preparation
    try {
      const auto prepared = devices.prepare(works[w]);
      measurement.results.push_back({works[w], sample(*prepared, sampling, now)});
    } catch (const DeviceError& error) {
      measurement.left_out.push_back({what, error.what()});
    }
  }
  return measurement;
}

}  // namespace vgsim::probe
