#include <gtest/gtest.h>

#include "tests/support/scenarios.hpp"

namespace vgsim {
namespace faults_test {

using namespace literals;

/// One fault as the scenario writes it; no `until` for ever.
std::string fault(const std::string& link, const std::string& at, const std::string& until,
                  const std::string& share) {
  const std::string end = until.empty() ? "" : R"("until": ")" + until + R"(", )";
  return R"({"link": ")" + link + R"(", "at": ")" + at + R"(", )" + end + R"("share": )" + share +
         "}";
}

/// One AllReduce of 1 GB over hosts of one GPU and a port of 25 Gbit/s, at line rate: for two
/// hosts 320 ms.
std::string collective(const std::string& faults, int hosts = 2) {
  return R"({"name": "f", "hosts": {"h[1-)" + std::to_string(hosts) +
         R"(]": {"server": "generic-1gpu", "nics": {"n": {"nic": "connectx-4-lx-25g"}}}},
    "job": {"collective": "all_reduce", "sizes": ["1 GB"]},
    "idealise": {"latency": "zero", "bandwidth": "line_rate"})" +
         (faults.empty() ? "" : R"(, "faults": [)" + faults + "]") + "}";
}

SimTime time_of(const std::string& text) {
  return test::run_one(text).collective->points.at(0).time;
}

TEST(Faults, ARingStandsStillWhileAPortIsDown) {
  EXPECT_EQ(time_of(collective("")), 320_ms);
  EXPECT_EQ(time_of(collective(fault("h1/n", "100 ms", "150 ms", "0"))), 370_ms);
  EXPECT_EQ(time_of(collective(fault("h2/n", "0 s", "7 ms", "0"))), 327_ms);
}

TEST(Faults, APortAtHalfItsRateDelaysByHalfTheTimeItLasts) {
  EXPECT_EQ(time_of(collective(fault("h1/n", "100 ms", "150 ms", "0.5"))), 345_ms);
  EXPECT_EQ(time_of(collective(fault("h1/n", "100 ms", "", "0.5"))), 100_ms + 440_ms);
  EXPECT_EQ(time_of(collective(fault("h1/n", "0 s", "", "0.5"))), 640_ms);
}

TEST(Faults, OfSeveralPortsAtOnceTheSlowestCounts) {
  const std::string both =
      fault("h1/n", "100 ms", "200 ms", "0.5") + ", " + fault("h3/n", "150 ms", "250 ms", "0.25");
  // Four hosts: 480 ms. 50 ms at half and 100 ms at a quarter of the rate lose 25 and 75 ms.
  EXPECT_EQ(time_of(collective(both, 4)), 480_ms + 25_ms + 75_ms);
}

TEST(Faults, ThatComeTooLateChangeNothing) {
  EXPECT_EQ(time_of(collective(fault("h1/n", "320 ms", "", "0"))), 320_ms);
  EXPECT_EQ(time_of(collective(fault("h1/n", "1 h", "2 h", "0"))), 320_ms);
}

TEST(Faults, AShareOfOneIsNoFault) {
  EXPECT_EQ(time_of(collective(fault("h1/n", "0 s", "", "1"))), 320_ms);
}

TEST(Faults, OfAGpuHitAllOfItsLinks) {
  // Behind a slot of 31.508 GB/s at a twentieth: 1.575 GB/s, and both ways of the ring lead there.
  const double slot = 16e9 * 128 / 130 / 8 * 16 / 20;
  EXPECT_NEAR(to_seconds(time_of(collective(fault("h1/gpu0", "0 s", "", "0.05")))), 1e9 / slot,
              1e-9);
}

/// BERT-Large on two hosts.
std::string training(const std::string& faults, const std::string& more = "") {
  return R"({"name": "f", "hosts": {"h[1-2]": {"server": "dell-r750xa",
    "gpus": "2 x a100-pcie-80gb", "nvlink_bridges": [[0, 1]],
    "nics": {"n": {"nic": "connectx-6-dx-100g", "near": "gpu0"}}}},
    "job": {"network": "bert-large", "iterations_per_epoch": 30)" +
         more + "}" + (faults.empty() ? "" : R"(, "faults": [)" + faults + "]") + "}";
}

TEST(Faults, AJobOverHostsStallsWhenAPortIsDownForGood) {
  EXPECT_THROW(static_cast<void>(test::run(training(fault("h1/n", "0 s", "", "0")))), Stalled);
  EXPECT_THROW(static_cast<void>(test::run(training(fault("h2/n", "2 s", "", "0")))), Stalled);
  EXPECT_THROW(static_cast<void>(test::run(collective(fault("h1/n", "0 s", "", "0")))), Stalled);
}

TEST(Faults, AJobOnOneHostDoesNotNeedItsPort) {
  std::string json = training(fault("h1/n", "0 s", "", "0"), R"(, "vms": "h1")");
  std::string calm = training("", R"(, "vms": "h1")");
  EXPECT_EQ(test::run_one(json).training->iteration, test::run_one(calm).training->iteration);
}

TEST(Faults, ASlowerPortNeverMakesAJobFaster) {
  for (const char* more : {"", R"(, "batch_per_gpu": 64)", R"(, "overlap": false)",
                           R"(, "buckets": "single")", R"(, "prefetched_batches": 0)"}) {
    SCOPED_TRACE(more);
    const auto calm = *test::run_one(training("", more)).training;
    for (const char* at : {"0 s", "10 ms", "1 s", "4 s"}) {
      for (const char* until : {"", "5 s"}) {
        const auto slow = *test::run_one(training(fault("h1/n", at, until, "0.5"), more)).training;
        EXPECT_GE(slow.iteration, calm.iteration) << at;
        EXPECT_GE(slow.first_iteration, calm.first_iteration) << at;
        EXPECT_GE(slow.epoch_ps.value(), calm.epoch_ps.value()) << at;
      }
    }
  }
}

TEST(Faults, AnEpochIsLongerByTheTimeThatTheRingStoodStill) {
  // Everything waits for the port, so a pause of a second in it is one of the epoch.
  const char* more = R"(, "overlap": false, "buckets": "single", "optimizer": "none")";
  const auto calm = *test::run_one(training("", more)).training;
  ASSERT_GT(calm.exposed_communication.count(), calm.compute.count());
  const std::string begin =
      std::to_string(calm.first_iteration.count() - calm.exposed_communication.count() / 2);
  const std::string end = std::to_string(calm.first_iteration.count() + 1'000'000'000'000 -
                                         calm.exposed_communication.count() / 2);
  const auto held =
      *test::run_one(training(fault("h1/n", begin + " ps", end + " ps", "0"), more)).training;
  EXPECT_EQ(held.first_iteration, calm.first_iteration + 1_s);
  EXPECT_EQ(held.epoch_ps.value(), calm.epoch_ps.value() + 1'000'000'000'000);
  EXPECT_EQ(held.iteration, calm.iteration) << "the last one is as without the fault";
}

std::vector<input::Diagnostic> errors_of(const std::string& text) {
  const auto result = test::try_run(text);
  return result ? std::vector<input::Diagnostic>{} : result.error().items();
}

TEST(Faults, OfALinkThatNobodyHasAreReported) {
  for (const char* link : {"h1/m", "h9/n", "h1", "n", "h1/gpu4", "h1/", "/n"}) {
    const auto errors = errors_of(collective(fault(link, "0 s", "", "0.5")));
    ASSERT_EQ(errors.size(), 1U) << link;
    EXPECT_EQ(errors[0].pointer, "/faults/0/link");
    EXPECT_NE(errors[0].message.find(link), std::string::npos);
  }
}

TEST(Faults, ThatEndBeforeTheyBeginAreReported) {
  for (const char* until : {"99 ms", "100 ms", "0 s"}) {
    const auto errors = errors_of(collective(fault("h1/n", "100 ms", until, "0.5")));
    ASSERT_EQ(errors.size(), 1U) << until;
    EXPECT_EQ(errors[0].pointer, "/faults/0/until");
  }
}

TEST(Faults, WithImpossibleSharesAreReported) {
  for (const char* share : {"-0.1", "1.5", "\"half\""}) {
    EXPECT_EQ(errors_of(collective(fault("h1/n", "0 s", "", share))).size(), 1U) << share;
  }
}

}  // namespace faults_test
}  // namespace vgsim
