#include "sim/critical_path.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <stdexcept>

#include "random_systems.hpp"
#include "sim/engine.hpp"

namespace vgsim {
namespace critical_path_test {

using namespace literals;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr std::uint32_t kCompute = 7;
constexpr std::uint32_t kTransfer = 8;

/// Computes for 3 s; then, after a latency of 1 s, carries 38 at a cap of 9. The resource leaves 5
/// of it once a rival has begun at 6 s.
class Path : public ::testing::Test {
 protected:
  Path() {
    network.routes.add({{network.resources.add(10)}});
    Task compute;
    compute.delay = 3_s;
    compute.category = kCompute;
    const TaskId first = graph.add(compute);
    Task transfer;
    transfer.delay = 1_s;
    transfer.category = kTransfer;
    transfer.flow = FlowWork{RouteId{0}, 38, Ratio(9), 1};
    target = graph.add(transfer);
    graph.depend(first, target);
    Task rival;
    rival.delay = 6_s;
    rival.flow = FlowWork{RouteId{0}, 1000, std::nullopt, 1};
    graph.add(rival);
    timeline = simulate(graph, network);
  }

  Network network;
  TaskGraph graph;
  TaskId target{};
  Timeline timeline;
};

TEST_F(Path, LeadsBackThroughTheLastDependencies) {
  EXPECT_THAT(critical_path(timeline, target),
              ElementsAre(PathSegment{0_s, 3_s, TaskId{0}, PathKind::delay, std::nullopt},
                          PathSegment{3_s, 4_s, TaskId{1}, PathKind::delay, std::nullopt},
                          PathSegment{4_s, 6_s, TaskId{1}, PathKind::rate_cap, std::nullopt},
                          PathSegment{6_s, 10_s, TaskId{1}, PathKind::resource, ResourceId{0}}));
}

TEST_F(Path, StopsAtTheStartOfTheWindow) {
  EXPECT_THAT(critical_path(timeline, target, 5_s),
              ElementsAre(PathSegment{5_s, 6_s, TaskId{1}, PathKind::rate_cap, std::nullopt},
                          PathSegment{6_s, 10_s, TaskId{1}, PathKind::resource, ResourceId{0}}));
  EXPECT_THAT(critical_path(timeline, target, 10_s), IsEmpty());
}

TEST_F(Path, SharesSumByCause) {
  const auto path = critical_path(timeline, target);
  EXPECT_THAT(
      shares(path, graph, 2_s, 9_s),
      ElementsAre(PathShare{PathKind::delay, kCompute, 1_s},
                  PathShare{PathKind::delay, kTransfer, 1_s}, PathShare{PathKind::resource, 0, 3_s},
                  PathShare{PathKind::rate_cap, kTransfer, 2_s}));
}

TEST_F(Path, DefaultsToTheTaskThatEndsLast) {
  EXPECT_EQ(critical_path(timeline), critical_path(timeline, TaskId{2}));
  EXPECT_THAT(critical_path(Timeline{}), IsEmpty());
}

TEST_F(Path, RefusesAStartOutsideTheRecords) {
  EXPECT_THROW(static_cast<void>(critical_path(timeline, TaskId{9})), std::out_of_range);
  EXPECT_THROW(static_cast<void>(critical_path(timeline, target, SimTime{-1})),
               std::invalid_argument);
}

RC_GTEST_PROP(PathProperties, PartsAddUpToTheWhole, ()) {
  const Network network = random_systems::network(4, false);
  const TaskGraph graph = random_systems::graph(network);
  const Timeline timeline = simulate(graph, network);
  const auto target = static_cast<TaskId>(*rc::gen::inRange<std::size_t>(0, timeline.tasks.size()));
  const SimTime end = timeline.task(target).end;
  const SimTime start{*rc::gen::inRange<std::int64_t>(0, end.count() + 1)};
  const auto path = critical_path(timeline, target, start);
  SimTime reached = start;
  for (const PathSegment& segment : path) {
    RC_ASSERT(segment.begin == reached);
    RC_ASSERT(segment.begin < segment.end);
    reached = segment.end;
  }
  RC_ASSERT(reached == end);
  SimTime total{};
  for (const PathShare& share : shares(path, graph, start, end)) total += share.time;
  RC_ASSERT(total == end - start);
}

}  // namespace critical_path_test
}  // namespace vgsim
