#pragma once

#include <string>

#include "tests/tools/program.hpp"
#include "tools/sweep/store.hpp"

namespace vgsim::sweep {

/// A sweep of that many points, without simulation.
inline StoreHeader sample_header(std::uint64_t points, const Shard& shard = {}) {
  return {"1.2.3", "sample", "0123456789abcdef", "fedcba9876543210", points, {"/job/batch"}, shard};
}

/// Every seventh point fails, every fifth is refused by vSphere in its second layout.
inline std::string sample_line(std::uint64_t index) {
  scenario::PointResult point;
  point.set = {{"/job/batch", input::Value::make_integer(static_cast<std::int64_t>(index * 8))}};
  if (index % 7 == 6) {
    point.failure = scenario::PointFailure::kInput;
    point.reasons = {"E431: too \"much\", at /job"};
    return point_line(index, point);
  }
  const double seconds = 1.0 + static_cast<double>((index * 37) % 11) / 8.0;
  scenario::PointLayout layout{"passthrough", false, {}, {"four-pcie-gpus"}, "00ff"};
  layout.metrics.push_back({"iteration_time_s",
                            "iteration",
                            scenario::MetricUnit::kSeconds,
                            scenario::Better::kLower,
                            seconds,
                            {},
                            {}});
  layout.metrics.push_back({"samples_per_s",
                            "samples/s",
                            scenario::MetricUnit::kPerSecond,
                            scenario::Better::kHigher,
                            64.0 / seconds,
                            {},
                            {}});
  point.layouts.push_back(layout);
  layout.name = "vgpu, small";
  if (index % 5 == 4) layout = {"vgpu, small", true, {}, {"no-room"}, ""};
  point.layouts.push_back(layout);
  return point_line(index, point);
}

/// Adds what a store lacks, and the footer.
inline void fill(Store& store, const StoreHeader& header) {
  const std::uint64_t all = header.shard.size(header.points);
  while (store.points() < all) store.add(sample_line(header.shard.index(store.points())));
  if (!store.complete()) store.finish();
}

/// A complete one. Returns its file.
inline std::string write_sample(const std::string& folder, const StoreHeader& header) {
  Store store(folder, header, IfThere::kResume);
  fill(store, header);
  return store.file();
}

}  // namespace vgsim::sweep
