// A probe of a fake machine finds what the machine is known to do.

#include "tools/probe/probe.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "models/calibration/link_fit.hpp"
#include "models/calibration/read/measurement_file.hpp"
#include "tests/tools/probe/fake_devices.hpp"
#include "topology/input/source_file.hpp"

namespace vgsim::probe {
namespace probe_test {

using calibration::Copies;
using calibration::LinkFit;
using calibration::Measured;
using calibration::Measurement;
using calibration::Place;
using calibration::Product;
using ::testing::HasSubstr;

Measurement measure(FakeDevices& devices, const ProbeSettings& settings = {}) {
  return probe(
      devices, settings, [&] { return devices.now(); }, [](const ProbeProgress&) {});
}

/// The fit of copies from one place to another alone.
LinkFit link(const Measurement& measurement, const std::string& from, const std::string& to,
             bool peer_access = true) {
  const calibration::Route route{*calibration::place_of(from), *calibration::place_of(to)};
  for (const LinkFit& fit : fit_links(measurement)) {
    if (fit.routes == std::vector{route} && fit.peer_access == peer_access) return fit;
  }
  ADD_FAILURE() << from << " -> " << to << " was not measured";
  return {};
}

template <typename Work>
std::vector<Measured> all_of(const Measurement& measurement) {
  std::vector<Measured> found;
  for (const Measured& each : measurement.results) {
    if (std::holds_alternative<Work>(each.work)) found.push_back(each);
  }
  return found;
}

MATCHER_P2(IsWithin, share, truth, "") { return std::fabs(arg / truth - 1) <= share; }

TEST(Probe, RecoversWhatTheLinksDoWithinOnePercent) {
  FakeDevices devices;
  const Measurement found = measure(devices);
  const Truth& truth = devices.truth();
  EXPECT_THAT(link(found, "pinned", "gpu0").rate.value, IsWithin(0.01, truth.host_rate));
  EXPECT_THAT(link(found, "pinned", "gpu3").latency_s->value, IsWithin(0.01, truth.host_latency_s));
  EXPECT_THAT(link(found, "gpu1", "pageable").rate.value, IsWithin(0.01, truth.pageable_rate));
  EXPECT_THAT(link(found, "gpu0", "gpu1").rate.value, IsWithin(0.01, truth.bridge_rate));
  EXPECT_THAT(link(found, "gpu0", "gpu1").latency_s->value, IsWithin(0.01, truth.bridge_latency_s));
  EXPECT_THAT(link(found, "gpu2", "gpu1").rate.value, IsWithin(0.01, truth.root_rate));
  EXPECT_THAT(link(found, "gpu2", "gpu1", false).rate.value, IsWithin(0.01, truth.staged_rate));
}

TEST(Probe, ShowsTheUplinkThatGpusShare) {
  FakeDevices devices;
  const auto links = fit_links(measure(devices));
  const auto together = std::find_if(links.begin(), links.end(),
                                     [](const LinkFit& fit) { return fit.routes.size() == 4; });
  ASSERT_NE(together, links.end());
  EXPECT_THAT(together->rate.value, IsWithin(0.01, devices.truth().uplink_rate / 2));
}

TEST(Probe, RecoversWhatTheGpuDoesWithinOnePercent) {
  FakeDevices devices(1);
  const Measurement found = measure(devices);
  const Truth& truth = devices.truth();
  for (const Measured& each : all_of<Product>(found)) {
    const auto& product = std::get<Product>(each.work);
    const double flops = 2 * std::pow(static_cast<double>(product.n), 3);
    EXPECT_THAT(flops / each.timing.median_s, IsWithin(0.01, truth.flops_per_second));
  }
  for (const Measured& each : all_of<calibration::Launch>(found)) {
    const bool waits = std::get<calibration::Launch>(each.work).waits;
    EXPECT_THAT(each.timing.median_s,
                IsWithin(0.01, waits ? truth.waiting_launch_s : truth.launch_s));
  }
  const auto passes = all_of<calibration::MemoryPass>(found);
  const auto& largest = std::get<calibration::MemoryPass>(passes.back().work);
  EXPECT_THAT(2 * static_cast<double>(largest.size.count()) /
                  (passes.back().timing.median_s - truth.launch_s),
              IsWithin(0.01, truth.memory_rate));
  for (const Measured& each : all_of<calibration::TrainingStep>(found)) {
    EXPECT_THAT(each.timing.median_s, IsWithin(0.01, truth.step_s));
  }
}

TEST(Probe, RepeatedRunsAgreeWithinThreePercent) {
  FakeDevices one(2, Noise{.seed = 1});
  FakeDevices other(2, Noise{.seed = 2});
  const Measurement first = measure(one);
  const Measurement second = measure(other);
  ASSERT_EQ(first.results.size(), second.results.size());
  for (std::size_t r = 0; r < first.results.size(); ++r) {
    EXPECT_THAT(second.results[r].timing.median_s, IsWithin(0.03, first.results[r].timing.median_s))
        << describe(first.results[r].work);
  }
}

TEST(Probe, NineSamplesInTenLieBetweenLowAndHigh) {
  FakeDevices devices(1, Noise{.deviation = 0.02, .disturbed = 0});
  for (const Measured& each : measure(devices).results) {
    EXPECT_LE(each.timing.low_s, each.timing.median_s);
    EXPECT_GE(each.timing.high_s, each.timing.median_s);
    EXPECT_THAT(each.timing.high_s / each.timing.low_s, IsWithin(0.06, 1.06));
  }
}

TEST(Probe, QuickOneOfEightGpusEndsWithinAMinute) {
  FakeDevices devices(8);
  devices.take_to_prepare(0.1);
  const Measurement found = measure(devices, {true, {}, 50});
  EXPECT_LT(devices.now(), 60);
  EXPECT_TRUE(found.left_out.empty());
}

TEST(Probe, FullOneOfEightGpusEndsWithinTenMinutes) {
  FakeDevices devices(8);
  devices.take_to_prepare(0.1);
  const Measurement found = measure(devices);
  EXPECT_LT(devices.now(), 600);
  EXPECT_TRUE(found.left_out.empty());
}

TEST(Probe, MeasurementsBeyondTheTimeLimitAreListedAsLeftOut) {
  FakeDevices devices(2);
  devices.take_to_prepare(5);
  const Measurement found = measure(devices, {true, {}, 50});
  EXPECT_LT(devices.now(), 60);
  ASSERT_FALSE(found.left_out.empty());
  EXPECT_EQ(found.left_out.back().why, "no time was left for it");
}

TEST(Probe, WhatADeviceRefusesIsLeftOutAndTheRestMeasured) {
  FakeDevices devices(1);
  devices.refuse("fp8");
  const Measurement found = measure(devices);
  ASSERT_FALSE(found.left_out.empty());
  for (const auto& each : found.left_out) EXPECT_EQ(each.why, "the GPU has no fp8");
  for (const Measured& each : all_of<Product>(found)) {
    EXPECT_NE(std::get<Product>(each.work).precision, "fp8");
  }
  EXPECT_EQ(all_of<calibration::TrainingStep>(found).size(), 6u);
}

TEST(Probe, AMachineWithoutGpusHasNothingToMeasure) {
  FakeDevices devices(0);
  EXPECT_TRUE(measure(devices).results.empty());
}

TEST(Probe, ItsFileReadsBackAsItWasWritten) {
  FakeDevices devices(4);
  devices.refuse("fp8");
  Measurement written = measure(devices);
  written.name = "fake";
  written.tool = "vgsim probe";
  const std::string text = to_json(written);
  const auto read = calibration::read_measurement(input::make_source("fake.json", text));
  ASSERT_TRUE(read) << input::render(read.error());
  EXPECT_EQ(to_json(*read), text);
  ASSERT_EQ(read->results.size(), written.results.size());
  for (std::size_t r = 0; r < written.results.size(); ++r) {
    EXPECT_EQ(describe(read->results[r].work), describe(written.results[r].work));
    EXPECT_THAT(read->results[r].timing.median_s,
                IsWithin(1e-4, written.results[r].timing.median_s));
  }
  EXPECT_EQ(read->machine.gpus.size(), 4u);
  EXPECT_EQ(read->machine.processor, written.machine.processor);
}

}  // namespace probe_test
}  // namespace vgsim::probe
