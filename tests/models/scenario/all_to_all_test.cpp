// An exchange of all with all is simulated by classes of pairs. That must not change a picosecond.

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/support/scenarios.hpp"

namespace vgsim {
namespace all_to_all_test {

using nlohmann::json;
using scenario::LayoutResult;
using scenario::RunSettings;

struct Machines {
  std::size_t hosts = 2;
  std::size_t gpus = 1;
  std::size_t nics = 1;
  json fabric;
};

std::string range(const char* name, std::size_t count) {
  return fmt::format("{}[1-{}]", name, count);
}

json scenario_of(const Machines& machines, json job) {
  const std::string hosts = range("esx", machines.hosts);
  json host{{"server", "dell-xe9680"},
            {"gpus", std::to_string(machines.gpus) + " x h100-sxm-80gb"}};
  json nics;
  for (std::size_t n = 0; n < machines.nics; ++n) {
    const std::string name = "n" + std::to_string(n);
    host["nics"][name] = {{"nic", "connectx-7-ndr-400g"}, {"near", "gpu" + std::to_string(n)}};
    nics[name] = "passthrough";
  }
  json document{{"name", "all to all"}, {"vsphere", "8.0U2"}, {"job", std::move(job)}};
  document["hosts"][hosts] = host;
  document["vms"][range("vm", machines.hosts)] = {
      {"host", hosts}, {"gpus", {{"mode", "passthrough"}}}, {"nics", nics}};
  if (!machines.fabric.is_null()) document["fabric"] = machines.fabric;
  document["job"]["vms"] = "vm*";
  return document;
}

json exchange() { return {{"collective", "all_to_all"}, {"sizes", {"1 MiB", "1 GiB"}}}; }

void expect_same_without_classes(const json& document) {
  RunSettings plain;
  plain.use_symmetry = false;
  const LayoutResult classes = test::run_one(document.dump());
  const LayoutResult pairs = test::run_one(document.dump(), plain);
  RC_ASSERT(classes.fingerprint == pairs.fingerprint);
  RC_ASSERT(classes.links.size() == pairs.links.size());
  for (std::size_t l = 0; l < pairs.links.size(); ++l) {
    RC_ASSERT(classes.links[l].utilization == pairs.links[l].utilization);
    RC_ASSERT(classes.links[l].links == pairs.links[l].links);
  }
}

Machines any_machines(std::size_t most_hosts) {
  Machines machines;
  machines.hosts = *rc::gen::inRange<std::size_t>(2, most_hosts + 1);
  machines.gpus = *rc::gen::element<std::size_t>(1, 2, 4, 8);
  machines.nics = *rc::gen::inRange<std::size_t>(1, machines.gpus + 1);
  const auto kind = *rc::gen::element<std::string>("none", "leaf-spine", "rails");
  if (kind == "none") return machines;
  machines.fabric = {{"kind", kind}, {"spines", *rc::gen::inRange(1, 5)}};
  if (kind == "leaf-spine") machines.fabric["leaves"] = *rc::gen::inRange(1, 6);
  if (kind == "rails") machines.fabric["hosts_per_leaf"] = *rc::gen::inRange(1, 5);
  if (*rc::gen::arbitrary<bool>()) machines.fabric["uplink"] = "100 Gbit/s";
  return machines;
}

RC_GTEST_PROP(AllToAll, ClassesOfPairsTakeAsLongAsPairs, ()) {
  json document = scenario_of(any_machines(12), exchange());
  if (*rc::gen::arbitrary<bool>()) {
    document["faults"] = json::array({{{"link", "esx1/n0"}, {"at", "0 s"}, {"share", 0.5}}});
  }
  expect_same_without_classes(document);
}

RC_GTEST_PROP(AllToAll, LayersThatAreSpreadOverRanksTrainAsFastByClasses, ()) {
  const json job{{"network", "dlrm"}, {"batch_per_gpu", 1024}, {"iterations_per_epoch", 5}};
  expect_same_without_classes(scenario_of(any_machines(3), job));
}

std::uint64_t events_of(const Machines& machines) {
  return test::run_one(scenario_of(machines, exchange()).dump()).events;
}

TEST(AllToAll, FourThousandGpusTakeNoMoreEventsThanAHundred) {
  const json rails{{"kind", "rails"}, {"spines", 4}};
  EXPECT_LT(events_of({512, 8, 8, rails}), 2 * events_of({16, 8, 8, rails}));
  const json leaves{{"kind", "leaf-spine"}, {"leaves", 16}, {"spines", 8}};
  EXPECT_LT(events_of({512, 8, 8, leaves}), 100'000U) << "of 17 million pairs";
}

}  // namespace all_to_all_test
}  // namespace vgsim
