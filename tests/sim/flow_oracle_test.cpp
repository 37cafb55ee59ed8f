#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>

#include "sim/engine.hpp"
#include "sim/floor_check.hpp"

// Ends of flows computed by the solver in flow_oracle/make_flows.py, in exact fractions.

namespace vgsim {
namespace flow_oracle_test {

using nlohmann::json;

struct Case {
  std::string name;
  Network network;
  TaskGraph graph;
  std::vector<SimTime> ends;  ///< exact, rounded up to a picosecond
};

Crossing read_crossing(const json& cell) {
  if (cell.is_number()) return {ResourceId{cell.get<std::uint32_t>()}};
  return {ResourceId{cell.at(0).get<std::uint32_t>()}, cell.at(1).get<std::int64_t>()};
}

/// A flow: bytes, start in ns, links, end in ps, cap, weight; the last two are optional.
void read_flow(const json& row, Case& to) {
  std::vector<Crossing> crossings;
  for (const json& cell : row.at(2)) crossings.push_back(read_crossing(cell));
  Task task;
  task.delay = SimTime{row.at(1).get<std::int64_t>()} * 1000;
  task.flow = FlowWork{to.network.routes.add(crossings), Ratio(row.at(0).get<std::int64_t>()),
                       std::nullopt, row.size() > 5 ? row.at(5).get<std::int64_t>() : 1};
  if (row.size() > 4 && !row.at(4).is_null()) {
    task.flow->rate_cap = Ratio(row.at(4).get<std::int64_t>());
  }
  to.graph.add(task);
  to.ends.emplace_back(row.at(3).get<std::int64_t>());
}

std::vector<Case> read_cases(const std::string& name) {
  std::ifstream file(VGSIM_SOURCE_DIR "/tests/sim/flow_oracle/" + name);
  const json document = json::parse(file);
  std::vector<Case> cases;
  for (const json& item : document.at("cases")) {
    Case& to = cases.emplace_back();
    to.name = item.at("name");
    for (const json& link : item.at("links")) to.network.resources.add(link.get<std::int64_t>());
    for (const json& row : item.at("flows")) read_flow(row, to);
    for (const json& change : item.value("changes", json::array())) {
      to.network.capacity_changes.push_back({SimTime{change.at(0).get<std::int64_t>() * 1000},
                                             ResourceId{change.at(1).get<std::uint32_t>()},
                                             Ratio(change.at(2).get<std::int64_t>())});
    }
  }
  return cases;
}

/// The largest difference from an exact end, in picoseconds.
std::int64_t worst_difference(const Case& item) {
  const Timeline timeline = simulate(item.graph, item.network);
  EXPECT_EQ(floor_violation(item.graph, item.network, timeline), std::nullopt);
  std::int64_t worst = 0;
  for (std::size_t i = 0; i < item.ends.size(); ++i) {
    const std::int64_t difference = (timeline.tasks[i].end - item.ends[i]).count();
    if (std::abs(difference) > std::abs(worst)) worst = difference;
  }
  return worst;
}

TEST(FlowOracle, SmallCasesEndOnTheTick) {
  const std::vector<Case> cases = read_cases("small.json");
  ASSERT_EQ(cases.size(), 72u);
  for (const Case& item : cases) EXPECT_EQ(worst_difference(item), 0) << item.name;
}

TEST(FlowOracle, FatTreesEndOnTheTick) {
  const std::vector<Case> cases = read_cases("fat_trees.json");
  ASSERT_EQ(cases.size(), 4u);
  for (const Case& item : cases) EXPECT_EQ(worst_difference(item), 0) << item.name;
}

}  // namespace flow_oracle_test
}  // namespace vgsim
