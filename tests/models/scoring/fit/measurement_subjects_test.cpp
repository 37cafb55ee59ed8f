// The fit to a probe's measurement of a machine with known rates returns these rates.

#include "models/scoring/fit/measurement_subjects.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "models/kernels/kernel_gpu.hpp"
#include "models/kernels/matrix_product.hpp"
#include "models/scoring/fit/calibrate.hpp"
#include "tests/support/scenarios.hpp"

namespace vgsim::scenario {
namespace measurement_subjects_test {

using calibration::Copies;
using calibration::Measured;
using calibration::Measurement;
using calibration::Place;

constexpr Place kHost{Place::Kind::kPinned, 0, {}};
constexpr Place kPageable{Place::Kind::kPageable, 0, {}};

Place gpu(std::size_t index) { return {Place::Kind::kGpu, index, {}}; }

Measured timed(calibration::DeviceWork work, double seconds) {
  calibration::Timing timing;
  timing.median_s = timing.low_s = timing.high_s = seconds;
  timing.samples = 10;
  return {std::move(work), timing};
}

Measured copy(Place from, Place to, double bytes, double rate) {
  return timed(Copies{{{from, to}}, Bytes{std::llround(bytes)}}, bytes / rate);
}

/// Two H100 with 18 NVLinks each.
Measurement host() {
  Measurement measurement;
  measurement.name = "host";
  measurement.tool = "test";
  measurement.machine.gpus.resize(2);
  for (auto& each : measurement.machine.gpus) each.name = "NVIDIA H100 80GB HBM3";
  measurement.machine.topology_matrix =
      "\tGPU0\tGPU1\n"
      "GPU0\t X \tNV18\n"
      "GPU1\tNV18\t X \n";
  return measurement;
}

CalibrationFit fitted(const Measurement& measurement) {
  const auto sorted = subjects_of(measurement, test::library());
  auto fit = calibrate(sorted.subjects, test::library(), 0.0);
  if (!fit) throw std::runtime_error(input::render(fit.error()));
  return *fit;
}

double value_of(const CalibrationFit& fit, const std::string& name) {
  const auto found = std::find_if(fit.parameters.begin(), fit.parameters.end(),
                                  [&](const auto& each) { return each.name == name; });
  if (found == fit.parameters.end()) {
    ADD_FAILURE() << name << " was not fitted";
    return 0;
  }
  return found->after.value;
}

TEST(MeasurementSubjects, CopiesFromTheHostGiveTheRateOfPcie) {
  Measurement measurement = host();
  const auto& pcie = test::library().catalog->pcie.at(5);
  const double payload =
      static_cast<double>(pcie.lane_rate.value.count()) * 16 * pcie.payload_share.value;
  for (const double bytes : {32e6, 128e6, 1024e6}) {
    measurement.results.push_back(copy(kHost, gpu(0), bytes, 0.9 * payload));
    measurement.results.push_back(copy(gpu(1), kHost, bytes, 0.9 * payload));
  }
  EXPECT_NEAR(value_of(fitted(measurement), "pcie_rate_factor"), 0.9, 0.009);
}

TEST(MeasurementSubjects, CopiesBetweenGpusGiveTheRateOfTheirNvLinks) {
  Measurement measurement = host();
  const auto& nvlink = test::library().catalog->nvlinks.at("nvlink4");
  const double payload =
      18 * static_cast<double>(nvlink.link_bandwidth.value.count()) * nvlink.payload_share.value;
  for (const double bytes : {32e6, 128e6, 1024e6}) {
    measurement.results.push_back(copy(gpu(0), gpu(1), bytes, 0.95 * payload));
  }
  EXPECT_NEAR(value_of(fitted(measurement), "nvlink_rate_factor"), 0.95, 0.0095);
}

TEST(MeasurementSubjects, KernelsGiveWhatTheGpuReaches) {
  Measurement measurement = host();
  const auto& model = *test::library().catalog->gpu_by_driver_name("NVIDIA H100 80GB HBM3");
  const auto memory = static_cast<double>(model.memory_bandwidth.value.count());
  auto own = *kernels::kernel_gpu(model, "fp16", test::library().parameters);
  own.sustained_share = 0.78;
  const auto constants = kernels::product_constants(test::library().parameters);
  for (const std::int64_t n : {4096, 6144, 8192, 12288, 16384}) {
    const auto side = static_cast<double>(n);
    measurement.results.push_back(timed(calibration::Product{0, "bf16", n, n, n},
                                        kernels::seconds_of({side, side, side}, own, constants)));
  }
  for (const double bytes : {512e6, 1024e6}) {
    measurement.results.push_back(
        timed(calibration::MemoryPass{0, Bytes{std::llround(bytes)}}, 2 * bytes / (0.85 * memory)));
  }
  measurement.results.push_back(timed(calibration::Launch{0, false}, 3e-6));
  const CalibrationFit fit = fitted(measurement);
  EXPECT_NEAR(value_of(fit, "hopper_fp16_sustained_share"), 0.78, 0.0078);
  EXPECT_NEAR(value_of(fit, "device_memory_share"), 0.85, 0.0085);
  EXPECT_NEAR(value_of(fit, "kernel_gap"), 3e6, 0.1e6);  // picoseconds
}

TEST(MeasurementSubjects, TrainingStepsArePredictedAsJobsOnThatGpu) {
  Measurement measurement = host();
  for (const char* network : {"transformer", "cnn"}) {
    measurement.results.push_back(timed(calibration::TrainingStep{0, network, "bf16", 16}, 10e-3));
  }
  const auto sorted = subjects_of(measurement, test::library());
  EXPECT_TRUE(sorted.left_out.empty());
  ASSERT_EQ(sorted.subjects.size(), 2u);
  for (const auto& subject : sorted.subjects) {
    const auto observed = subject->observe(test::library());
    ASSERT_TRUE(observed) << input::render(observed.error());
    ASSERT_EQ(observed->size(), 1u);
    EXPECT_DOUBLE_EQ(observed->front().measured_s, 10e-3);
    EXPECT_GT(observed->front().predicted_s, 1e-4);
    EXPECT_LT(observed->front().predicted_s, 1.0);
  }
}

TEST(MeasurementSubjects, WhatTheModelCannotPredictIsLeftOutWithTheReason) {
  Measurement measurement = host();
  measurement.machine.gpus[1].name = "Mystery 9000";
  measurement.results = {
      copy(kPageable, gpu(0), 64e6, 6e9),
      copy(kHost, gpu(0), 4096, 1e9),
      copy(kHost, gpu(1), 64e6, 20e9),
      copy(kHost, gpu(0), 512e6, 370e9),  // NVLink-C2C, not PCIe
      timed(calibration::Launch{0, true}, 7e-6),
      timed(calibration::Product{0, "fp8", 4096, 4096, 4096}, 1e-3),
      timed(calibration::CollectiveCall{"all_reduce", {0, 1}, Bytes{1 << 20}, {}, {}}, 1e-4),
  };
  const auto sorted = subjects_of(measurement, test::library());
  EXPECT_TRUE(sorted.subjects.empty());
  ASSERT_EQ(sorted.left_out.size(), measurement.results.size());
  EXPECT_EQ(sorted.left_out[2].why, "the catalogue has no \"Mystery 9000\"");
}

TEST(MeasurementSubjects, CollectivesRunOnTheMachineThatNcclSaw) {
  Measurement measurement = host();
  measurement.machine.nccl_topology =
      R"(<system version="1"><cpu numaid="0" arch="x86_64" vendor="GenuineIntel" familyid="6" )"
      R"(modelid="143">)"
      R"(<pci busid="0000:01:00.0" class="0x030200" vendor="0x10de" device="0x2330" )"
      R"(link_speed="32.0 GT/s PCIe" link_width="16"><gpu dev="0" sm="90" rank="0" gdr="1">)"
      R"(<nvlink target="0000:02:00.0" count="18" tclass="0x030200"/></gpu></pci>)"
      R"(<pci busid="0000:02:00.0" class="0x030200" vendor="0x10de" device="0x2330" )"
      R"(link_speed="32.0 GT/s PCIe" link_width="16"><gpu dev="1" sm="90" rank="1" gdr="1">)"
      R"(<nvlink target="0000:01:00.0" count="18" tclass="0x030200"/></gpu></pci></cpu></system>)";
  for (const std::int64_t size : {1 << 16, 1 << 20, 1 << 28}) {
    const double seconds = 20e-6 + static_cast<double>(size) / 300e9;
    measurement.results.push_back(
        timed(calibration::CollectiveCall{"all_reduce", {0, 1}, Bytes{size}, {}, {}}, seconds));
    measurement.results.push_back(timed(
        calibration::CollectiveCall{"all_reduce", {0, 1}, Bytes{size}, "Ring", "LL"}, seconds));
  }
  const auto sorted = subjects_of(measurement, test::library());
  EXPECT_TRUE(sorted.left_out.empty()) << sorted.left_out.front().why;
  ASSERT_EQ(sorted.subjects.size(), 2u);
  for (const auto& subject : sorted.subjects) {
    const auto observed = subject->observe(test::library());
    ASSERT_TRUE(observed) << input::render(observed.error());
    EXPECT_EQ(observed->size(), 3u);
    for (const Observation& each : *observed) EXPECT_EQ(each.collective->ranks, 2u);
  }
}

}  // namespace measurement_subjects_test
}  // namespace vgsim::scenario
