// Refusals and events without cost on the first screen.

#include "tools/text/verdict.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "tests/support/scenarios.hpp"
#include "tools/cli/screen/run_screen.hpp"

namespace vgsim::cli {
namespace verdict_test {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::SizeIs;
using testing::StartsWith;

const std::string kHost = R"("h": {"server": "dell-r750xa", "gpus": "4 x a100-pcie-40gb",
    "numa_node": {"cores": 32, "memory": "256 GiB"}})";

TEST(Refusals, EachLayoutHasItsOwnReason) {
  const auto result = test::run(R"({"name": "reasons", "vsphere": "6.7", "hosts": {)" + kHost +
                                R"(}, "vms": {"v": {"host": "h", "nics": {},
      "requires": ["vmotion"], "gpus": {"mode": "passthrough_static", "count": 1}}},
      "job": {"network": "resnet-50"}, "layouts": {"whole": {}, "whole again": {},
      "a part": {"vms": {"v": {"gpus": {"mode": "vgpu", "profile": "grid_a100-20c"}}}}}})");
  EXPECT_THAT(text::refusal_sentences(result),
              ElementsAre(AllOf(HasSubstr("whole and whole again"), HasSubstr("passed through")),
                          AllOf(StartsWith("a part "), Not(HasSubstr("passed through")))));
}

TEST(Refusals, EachVmHasItsOwnNumbers) {
  const auto result = test::run(R"({"name": "numbers", "hosts": {)" + kHost + R"(}, "vms": {
      "a": {"host": "h", "nics": {}, "memory": "600 GiB", "gpus": {"mode": "passthrough",
                                                                  "count": 1}},
      "b": {"host": "h", "nics": {}, "memory": "700 GiB", "gpus": {"mode": "passthrough",
                                                                  "count": 1}}},
      "job": {"network": "resnet-50"}})");
  EXPECT_THAT(text::refusal_sentences(result),
              ElementsAre(HasSubstr("a: 600 GiB"), HasSubstr("b: 700 GiB")));
}

TEST(Refusals, WhatHasNoRoomIsCounted) {
  const std::vector<std::string> reasons{"one", "two", "three"};
  const auto shown = [&](std::size_t lines) {
    text::ScreenLines screen({80, 24, {}});
    const std::size_t taken =
        text::add_sentences("refused", reasons, lines, text::Tone::kBad, screen);
    EXPECT_EQ(taken, screen.size());
    return screen.joined();
  };
  EXPECT_THAT(shown(1), HasSubstr("3 reasons, the first: one"));
  EXPECT_THAT(shown(2), AllOf(HasSubstr("one"), HasSubstr("and 2 more reasons")));
  EXPECT_THAT(shown(3), AllOf(HasSubstr("one"), HasSubstr("two"), HasSubstr("three")));
}

TEST(Unpriced, TheFirstScreenShowsWhyAnEventCostsNothing) {
  const auto result = test::run(R"({"name": "nowhere", "hosts": {)" + kHost + R"(}, "vms": {
      "v": {"host": "h", "nics": {}, "gpus": {"mode": "vgpu", "profile": "grid_a100-40c",
                                              "count": 1}}},
      "job": {"network": "resnet-50"},
      "disruptions": [{"kind": "vmotion", "vm": "v", "at": "10 s"}]})");
  EXPECT_THAT(text::unpriced_sentences(result), SizeIs(1));
  const std::string screen = run_screen({result, {}, "vgsim explain"}, {120, 24, {}});
  EXPECT_THAT(screen, HasSubstr("vMotion of v: the cluster has no other host"));
  EXPECT_THAT(screen, Not(HasSubstr("of it interruptions")));
}

/// Assumptions that are too much work for the size of the job are named with the command that
/// prices them, next to those that matter, of each kind.
TEST(Assumptions, TheFirstScreenNamesWhatDecidesAndWhatIsLeftOut) {
  const auto result = test::run(R"({"name": "assumes", "hosts": {)" + kHost + R"(}, "vms": {
      "v": {"host": "h", "nics": {}, "gpus": {"mode": "vgpu", "profile": "grid_a100-40c",
                                              "count": 1}}},
      "job": {"network": "resnet-50"}})");
  const std::string command = "vgsim explain assumes.json";
  for (const char* subject :
       {"NIC rate", "CPU", "peer-to-peer traffic", "NVLink bridges", "NCCL version"}) {
    scenario::BestChange best;
    best.assumptions.emplace_back();
    best.assumptions.back().change.title =
        std::string(subject) + ", taken as one; if it is another";
    best.assumptions.back().before_s = 1.0;
    best.assumptions.back().after_s = 1.5;
    const std::string all = run_screen({result, best, command}, {120, 24, {}});
    EXPECT_THAT(all, AllOf(HasSubstr(subject), HasSubstr("50 % more time")));
    EXPECT_THAT(all, Not(HasSubstr("not priced")));

    best.unpriced = {"NCCL version (2 of 4 values)"};
    EXPECT_THAT(run_screen({result, best, command}, {120, 24, {}}),
                AllOf(HasSubstr(subject), HasSubstr("not priced in a job of this size"),
                      HasSubstr("NCCL version (2 of 4 values)"), HasSubstr(command)));
  }
}

}  // namespace verdict_test
}  // namespace vgsim::cli
