// When a step of a job is the same as another one.

#include "models/scenario/run/same_step.hpp"

#include <gtest/gtest.h>

#include <cstdint>

namespace vgsim::scenario {
namespace {

/// Two tasks, one after the other: the second sends over the first of two resources.
struct Made {
  std::int64_t delay_ps = 1000;
  std::int64_t bytes = 100;
  std::int64_t crossed = 50;
  std::int64_t other = 70;
  bool depends = true;

  [[nodiscard]] SimulatedStep step() const {
    SimulatedStep made;
    const ResourceId link = made.network.resources.add(Ratio(crossed));
    static_cast<void>(made.network.resources.add(Ratio(other)));
    const RouteId route = made.network.routes.add({{link, 1}});
    const TaskId first = made.graph.add(Task{SimTime{delay_ps}, std::nullopt, 0, 0, 1});
    Task sends{SimTime{0}, FlowWork{route, Ratio(bytes), std::nullopt, 1}, 0, 0, 1};
    const TaskId second = made.graph.add(sends);
    if (depends) made.graph.depend(first, second);
    return made;
  }
};

bool is_as_made(const SimulatedStep& other) {
  return does_the_same(Made{}.step(), other.graph, other.network);
}

TEST(SameStep, HasEqualTasksAndAsMuchOfAllThatItCrosses) {
  EXPECT_TRUE(is_as_made(Made{}.step()));
  EXPECT_TRUE(is_as_made(Made{.other = 7}.step())) << "nothing goes over it";
  EXPECT_FALSE(is_as_made(Made{.crossed = 51}.step()));
  EXPECT_FALSE(is_as_made(Made{.bytes = 101}.step()));
  EXPECT_FALSE(is_as_made(Made{.delay_ps = 999}.step()));
  EXPECT_FALSE(is_as_made(Made{.depends = false}.step()));
}

TEST(SameStep, HasLinksThatFailAtTheSameTimes) {
  SimulatedStep fails = Made{}.step();
  fails.network.capacity_changes.push_back({SimTime{5}, ResourceId{0}, Ratio(0)});
  EXPECT_FALSE(is_as_made(fails));
  EXPECT_TRUE(does_the_same(fails, fails.graph, fails.network));
}

TEST(KnownSteps, HaveTheTimelineOfAnEqualStepThatRunsAsLong) {
  const SimulatedStep step = Made{}.step();
  RunOptions options;
  options.iterations = 3;
  const Timeline timeline = simulate(step.graph, step.network, options);
  KnownSteps known;
  known.add(step.graph, step.network, options, timeline);
  const Timeline* found = known.find(step.graph, step.network, options);
  ASSERT_NE(found, nullptr);
  EXPECT_EQ(found->makespan, timeline.makespan);
  EXPECT_EQ(found->event_fingerprint, timeline.event_fingerprint);

  const SimulatedStep other = Made{.bytes = 101}.step();
  EXPECT_EQ(known.find(other.graph, other.network, options), nullptr);
  RunOptions longer = options;
  longer.iterations = 4;
  EXPECT_EQ(known.find(step.graph, step.network, longer), nullptr);
  RunOptions limited = options;
  limited.limits.max_events = timeline.events - 1;
  EXPECT_EQ(known.find(step.graph, step.network, limited), nullptr) << "the run would be stopped";
}

TEST(KnownSteps, AreNoneThatDependOnMoreThanTasksAndLinks) {
  const SimulatedStep step = Made{}.step();
  RunOptions varies;
  varies.vary_delay = [](TaskId, std::uint64_t, SimTime delay) { return delay + delay; };
  KnownSteps known;
  known.add(step.graph, step.network, varies, simulate(step.graph, step.network, varies));
  EXPECT_EQ(known.find(step.graph, step.network, {}), nullptr);
  known.add(step.graph, step.network, {}, simulate(step.graph, step.network, {}));
  EXPECT_EQ(known.find(step.graph, step.network, varies), nullptr);
}

}  // namespace
}  // namespace vgsim::scenario
