#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "oracle_files.hpp"
#include "sim/exact.hpp"
#include "sim/floor_check.hpp"
#include "sim/fluid_network.hpp"

// Results of other programs: exact rationals, and SimGrid 3.32 and an independent solver for the
// random sets. The README.md in the directory of the files describes each file.

namespace vgsim {
namespace oracle_flows_test {

using nlohmann::json;

using ExtraOracleFlows = test::NeedsExtraFiles;

/// Runs one of the random sets; returns the largest relative error of an end.
double worst_error(const std::string& name) {
  const std::vector<oracle::Flow> flows = oracle::read_flows(name);
  Network network;
  network.resources = oracle::read_links(name);
  const TaskGraph graph = oracle::graph_of(flows, network);
  const Timeline timeline = simulate(graph, network);
  EXPECT_EQ(floor_violation(graph, network, timeline), std::nullopt);
  EXPECT_EQ(timeline.events, 2 * flows.size());
  double worst = 0;
  for (std::size_t i = 0; i < flows.size(); ++i) {
    const double end = to_seconds(timeline.tasks[i].end);
    worst = std::max(worst, std::abs(end - flows[i].finish_s) / flows[i].finish_s);
  }
  return worst;
}

// The largest observed errors are 1e-9 to 7e-9, from rounding the ends of short flows to
// picoseconds.
constexpr double kTolerance = 2e-8;

TEST_F(ExtraOracleFlows, Uniform1k) { EXPECT_LT(worst_error("rand1k_ft3_uniform"), kTolerance); }
TEST_F(ExtraOracleFlows, Hetero1k) { EXPECT_LT(worst_error("rand1k_ft3_hetero"), kTolerance); }
TEST_F(ExtraOracleFlows, Oversub1k) { EXPECT_LT(worst_error("rand1k_ft2_oversub4"), kTolerance); }
TEST_F(ExtraOracleFlows, Capped500) {
  EXPECT_LT(worst_error("rand500_ft3_hetero_ratecap"), kTolerance);
}
TEST_F(ExtraOracleFlows, Uniform10k) { EXPECT_LT(worst_error("rand10k_ft3_uniform"), kTolerance); }

struct SmallCase {
  std::string name;
  Network network;
  std::vector<oracle::Flow> flows;
  std::vector<Ratio> finish_s;
};

SmallCase read_case(const json& item) {
  SmallCase result;
  result.name = item.at("name").get<std::string>();
  for (const json& link : item.at("links_Bps")) {
    result.network.resources.add(Ratio(link.get<std::int64_t>()));
  }
  for (const json& flow : item.at("flows")) {
    oracle::Flow& to = result.flows.emplace_back();
    to.bytes = flow.at("bytes");
    to.inject_ns = flow.at("inject_ns");
    to.links = flow.at("path").get<std::vector<std::uint32_t>>();
    if (flow.contains("cap")) to.cap = flow.at("cap").get<std::int64_t>();
  }
  for (const json& change : item.at("capacity_changes")) {
    result.network.capacity_changes.push_back({SimTime{change.at(0).get<std::int64_t>() * 1000},
                                               ResourceId{change.at(1).get<std::uint32_t>()},
                                               Ratio(change.at(2).get<std::int64_t>())});
  }
  for (const json& finish : item.at("finish_exact")) {
    result.finish_s.push_back(ratio_of(Exact(finish.get<std::string>())));
  }
  return result;
}

/// Expects each exact end, rounded up to a picosecond.
void check_case(SmallCase& item) {
  const TaskGraph graph = oracle::graph_of(item.flows, item.network);
  const Timeline timeline = simulate(graph, item.network);
  EXPECT_EQ(floor_violation(graph, item.network, timeline), std::nullopt);
  for (std::size_t i = 0; i < item.flows.size(); ++i) {
    EXPECT_EQ(timeline.tasks[i].end, duration_of(item.finish_s[i], Ratio(1))) << "flow " << i;
  }
}

TEST_F(ExtraOracleFlows, SmallCasesEndOnTheTick) {
  const json file = oracle::read_json("exact_small.json");
  for (const json& entry : file.at("cases")) {
    SmallCase item = read_case(entry);
    SCOPED_TRACE(item.name);
    if (item.name == "tiny_and_huge") {  // one flow takes 31,700 years; see fluid_network_test
      const TaskGraph graph = oracle::graph_of(item.flows, item.network);
      EXPECT_THROW(static_cast<void>(simulate(graph, item.network)), OverflowError);
    } else {
      check_case(item);
    }
  }
}

TEST_F(ExtraOracleFlows, StaticRatesAreExact) {
  const json file = oracle::read_json("static_maxmin_exact.json");
  for (const json& item : file) {
    FluidNetwork net;
    for (const json& capacity : item.at("cap")) {
      net.add_resource(Ratio(capacity.get<std::int64_t>()));
    }
    std::vector<FlowId> flows;
    for (std::size_t i = 0; i < item.at("paths").size(); ++i) {
      std::vector<Crossing> crossings;
      for (const json& link : item.at("paths").at(i)) {
        crossings.push_back({ResourceId{link.get<std::uint32_t>()}});
      }
      const json& weights = item.at("weights");
      const std::int64_t weight = weights.is_null() ? 1 : weights.at(i).get<std::int64_t>();
      flows.push_back(net.start_flow(SimTime{0}, net.add_route(crossings), 1, {}, weight));
    }
    for (std::size_t i = 0; i < flows.size(); ++i) {
      EXPECT_EQ(net.rate(flows[i]),
                ratio_of(Exact(item.at("rate_exact").at(i).get<std::string>())));
    }
  }
}

}  // namespace oracle_flows_test
}  // namespace vgsim
