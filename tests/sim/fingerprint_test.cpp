#include "sim/fingerprint.hpp"

#include <gtest/gtest.h>

#include "sim/engine.hpp"

namespace vgsim {
namespace fingerprint_test {

using namespace literals;

std::uint64_t of(std::initializer_list<std::uint64_t> words) {
  Fingerprint print;
  for (const std::uint64_t word : words) print.add(word);
  return print.value();
}

TEST(Fingerprint, CountsOrderAndRepetition) {
  EXPECT_NE(of({1, 2}), of({2, 1}));
  EXPECT_NE(of({1}), of({1, 1}));
  EXPECT_NE(of({}), of({0}));
  EXPECT_EQ(of({1, 2}), of({1, 2}));
}

TEST(Fingerprint, IsTheSameOnEveryPlatform) {
  EXPECT_EQ(fingerprint_text(of({0})), "e220a8397b1dcdaf");  // SplitMix64's first draw from 0
  EXPECT_EQ(fingerprint_text(of({1, 2, 3})), "8625f9d797218542");
  EXPECT_EQ(fingerprint_text(0xabc), "0000000000000abc");
}

Timeline run(SimTime first, SimTime second) {
  TaskGraph graph;
  for (const SimTime delay : {first, second}) {
    Task task;
    task.delay = delay;
    graph.add(task);
  }
  return simulate(graph, {});
}

TEST(Fingerprint, ChangesWhenATimeChanges) {
  EXPECT_EQ(result_fingerprint(run(1_s, 2_s)), result_fingerprint(run(1_s, 2_s)));
  EXPECT_NE(result_fingerprint(run(1_s, 2_s)), result_fingerprint(run(1_s, 2_s + 1_ps)));
  EXPECT_NE(event_fingerprint(run(1_s, 2_s)), event_fingerprint(run(1_s, 2_s + 1_ps)));
}

TEST(Fingerprint, OfTheResultDoesNotDependOnTheOrderOfEvents) {
  Timeline timeline = run(1_s, 1_s);
  Timeline reordered = timeline;
  Recorder recorder(2, 1, 0);
  recorder.event(1_s, 0, 1);
  recorder.event(1_s, 0, 0);
  reordered.event_fingerprint = std::move(recorder).finish(1, {}).event_fingerprint;
  EXPECT_NE(event_fingerprint(timeline), event_fingerprint(reordered));
  EXPECT_EQ(result_fingerprint(timeline), result_fingerprint(reordered));
}

TEST(Fingerprint, OfAMixedRunIsTheSameUnderEveryCompiler) {
  Network network;
  network.routes.add({{network.resources.add(7)}, {network.resources.add(11)}});
  network.routes.add({{ResourceId{1}, 3}});
  TaskGraph graph;
  for (std::uint32_t i = 0; i < 50; ++i) {
    Task task;
    task.delay = SimTime{i * 37 % 11} * 1'000'000;
    task.flow = FlowWork{RouteId{i % 2}, Ratio::of(i * i % 13, 5), std::nullopt, 1 + i % 3};
    graph.add(task);
    if (i > 3) graph.depend(TaskId{i - 4}, TaskId{i});
  }
  const Timeline timeline = simulate(graph, network);
  EXPECT_EQ(fingerprint_text(result_fingerprint(timeline)), "46684b5748a4020e");
  EXPECT_EQ(fingerprint_text(event_fingerprint(timeline)), "8b89a69a80898f67");
}

}  // namespace fingerprint_test
}  // namespace vgsim
