// Whatever is offered can be done: the parts go into the server, and the network has ports for
// them.

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>
#include <set>

#include "models/questions/explain/best_changes.hpp"
#include "tests/support/scenarios.hpp"
#include "tools/studio/panel/controls.hpp"
#include "tools/studio/studio.hpp"
#include "topology/catalog/part_fit.hpp"
#include "topology/hosts/host_parts.hpp"
#include "topology/input/json_reader.hpp"

namespace vgsim::studio {
namespace offers_test {

using nlohmann::json;
using nlohmann::ordered_json;
using scenario::Override;
using ::testing::HasSubstr;

const topology::Catalog& catalog() { return *test::library().catalog; }

/// Two hosts of a server, each with a NIC of the kind that it takes, and a VM on each.
json two_hosts(const topology::ServerModel& server, const std::string& gpu, std::size_t gpus) {
  std::string nic;
  for (const char* each :
       {"connectx-6-dx-100g", "efa-100g", "gvnic-200g-tcpx", "connectx-7-gb10-100g"}) {
    const bool fits = std::ranges::any_of(server.nic_slots, [&](const auto& slot) {
      return !topology::incompatibility(catalog().nics.at(each), slot.second);
    });
    if (fits && nic.empty()) nic = each;
  }
  return {
      {"name", server.id},
      {"vsphere", "8.0U3"},
      {"hosts",
       {{"esx[1-2]",
         {{"server", server.id},
          {"gpus", std::to_string(gpus) + " x " + gpu},
          {"nics", {{"vmnic4", {{"nic", nic}}}}}}}}},
      {"fabric", {{"kind", "single-switch"}, {"host_link", "100 Gbit/s"}, {"switch", "sn2700"}}},
      {"vms",
       {{"train[1-2]",
         {{"host", "esx[1-2]"},
          {"gpus", {{"mode", "passthrough"}}},
          {"nics", {{"vmnic4", "passthrough"}}}}}}},
      {"job", {{"collective", "all_reduce"}, {"sizes", "64 MiB"}}}};
}

Studio studio_of(const json& scenario) {
  return *Studio::open(
      scenario::Document(*input::read_json(input::make_source("s.json", scenario.dump()))),
      test::library(), cli::loader_relative_to("x"));
}

std::string errors_of(const scenario::Document& document, const std::vector<Override>& overrides,
                      const scenario::PreparedScenario& base) {
  input::Diagnostics problems;
  const auto changed = scenario::with_overrides(document, overrides, problems);
  if (problems.has_errors()) return input::render(problems);
  const auto prepared =
      scenario::prepare_scenario(changed, test::library(), cli::loader_relative_to("x"), {}, &base);
  return prepared ? std::string() : input::render(prepared.error());
}

/// What explain would try of the only layout of a scenario, and what that is changed from.
struct Explained {
  scenario::Document document;
  std::optional<scenario::PreparedScenario> prepared;
  std::vector<scenario::Change> changes;
};

Explained explained(const json& scenario) {
  Explained result{studio_of(scenario).document_alone(), std::nullopt, {}};
  scenario::RunSettings settings;
  settings.record = true;
  auto prepared = scenario::prepare_scenario(result.document, test::library(),
                                             cli::loader_relative_to("x"), settings);
  if (!prepared) throw std::runtime_error(input::render(prepared.error()));
  result.prepared = *std::move(prepared);
  const auto run = scenario::run(*result.prepared, settings);
  result.changes = scenario::changes_of(
      {result.document, *result.prepared, run.layouts.front(), test::library()});
  return result;
}

void expect_explains_changes_fit(const json& scenario) {
  const Explained explain = explained(scenario);
  for (const scenario::Change& change : explain.changes) {
    EXPECT_EQ(errors_of(explain.document, change.overrides, *explain.prepared), "")
        << scenario["name"] << " " << scenario["hosts"] << ": " << change.title;
  }
}

/// Controls of parts, whose choices must all fit. The page checks those of others before
/// offering them.
bool is_of_parts(const ordered_json& control) {
  static const std::set<std::string> ids{
      "gpu-model", "gpu-count",           "bridges",
      "vm-count",  "/hosts/*/nics/*/nic", "/hosts/*/nics/*/near"};
  return ids.contains(control["id"].get<std::string>());
}

std::vector<Override> overrides_of(const ordered_json& control, const ordered_json& choice) {
  ordered_json body;
  body["set"] = choice.contains("set")
                    ? choice["set"]
                    : ordered_json{{{"pointer", control["pointer"]}, {"value", choice["value"]}}};
  return read_change(*input::read_json(input::make_source("c", body.dump())))->set;
}

std::size_t expect_studios_choices_fit(const json& scenario) {
  const Studio studio = studio_of(scenario);
  const auto prepared = scenario::prepare_scenario(studio.document_alone(), test::library(),
                                                   cli::loader_relative_to("x"), {});
  std::size_t choices = 0;
  for (const ordered_json& control : controls(studio.variant(), test::library(), {})) {
    if (!is_of_parts(control)) continue;
    // A rack has 72 GPUs to count and attach to: some of them suffice.
    const std::size_t all = control["choices"].size();
    const std::size_t step = control["id"] == "gpu-model" ? 1 : 1 + all / 24;
    for (std::size_t n = 0; n < all; n += step) {
      const ordered_json& choice = control["choices"][n];
      EXPECT_EQ(errors_of(studio.document_alone(), overrides_of(control, choice), *prepared), "")
          << scenario["name"] << ": " << control["id"] << " " << choice["label"];
      ++choices;
    }
  }
  return choices;
}

TEST(Offers, FitEveryServer) {
  std::size_t choices = 0;
  std::size_t n = 0;
  for (const auto& [id, server] : catalog().servers) {
    const std::size_t gpus = std::min<std::size_t>(server.gpu_slots.size(), 4);
    const json usual = two_hosts(server, server.default_gpu, gpus);
    expect_explains_changes_fit(usual);
    choices += expect_studios_choices_fit(usual);
    // Another one of those that it takes, a different one for each server.
    const auto fitting = topology::compatible_gpus(catalog(), server, "");
    expect_explains_changes_fit(two_hosts(server, fitting.at(n++ % fitting.size()), gpus));
  }
  EXPECT_GT(choices, 1500U);
}

/// The scenario's VMs after the choice of that label.
json vms_after(const json& scenario, const std::string& label) {
  const Studio studio = studio_of(scenario);
  const ordered_json all = controls(studio.variant(), test::library(), {});
  for (const ordered_json& control : all) {
    if (control["id"] != "vm-count") continue;
    for (const ordered_json& choice : control["choices"]) {
      if (choice["label"] != label) continue;
      input::Diagnostics problems;
      const auto changed = scenario::with_overrides(studio.document_alone(),
                                                    overrides_of(control, choice), problems);
      EXPECT_EQ(input::render(problems), "");
      return json::parse(input::to_canonical_string(changed.value()))["vms"];
    }
  }
  return nullptr;
}

TEST(Offers, VmsOfAHostShareWhatItsVmsHad) {
  json scenario = two_hosts(catalog().servers.at("dell-r750xa"), "a100-pcie-80gb", 4);
  json& vm = scenario["vms"]["train[1-2]"];
  vm["vcpus"] = 48;
  vm["memory"] = "1 TiB";
  scenario["hosts"]["esx[1-2]"]["nics"]["vmnic5"] = {{"nic", "connectx-6-dx-100g"}};
  vm["nics"]["vmnic5"] = "passthrough";
  scenario["job"]["vms"] = {"train1", "train2"};

  const json two = vms_after(scenario, "2");
  ASSERT_EQ(two.size(), 4U);
  for (const auto& [name, each] : two.items()) {
    EXPECT_EQ(each["gpus"]["count"], 2) << name;
    EXPECT_EQ(each["vcpus"], 24) << name;
    EXPECT_EQ(each["memory"], "512 GiB") << name;
    ASSERT_EQ(each["nics"].size(), 1U) << name;
    EXPECT_EQ(each["nics"].begin().value(), "passthrough") << name << ": a NIC for each";
  }
  const json four = vms_after(scenario, "4");
  ASSERT_EQ(four.size(), 8U);
  for (const auto& [name, each] : four.items()) {
    EXPECT_EQ(each["nics"].begin().value(), "sriov") << name << ": two VMs share a NIC";
  }

  scenario["vms"] = four;
  scenario["job"].erase("vms");
  const json one = vms_after(scenario, "1");
  ASSERT_EQ(one.size(), 2U);
  for (const auto& [name, each] : one.items()) {
    EXPECT_EQ(each["gpus"]["count"], 4) << name;
    EXPECT_EQ(each["vcpus"], 48) << name;
    EXPECT_EQ(each["memory"], "1 TiB") << name;
    EXPECT_EQ(each["nics"], (json{{"vmnic4", "passthrough"}, {"vmnic5", "passthrough"}})) << name;
  }
}

TEST(Offers, MoreUsersOfAGpuAreCopies) {
  const json tenants = json::parse(R"({"name": "users",
    "hosts": {"esx1": {"server": "dell-r750xa", "gpus": "1 x a40"}},
    "vms": {"user1": {"host": "esx1", "vcpus": 4,
                      "gpus": {"mode": "vgpu", "profile": "grid_a40-4c", "count": 1}}},
    "job": {"collective": "all_reduce", "sizes": "1 MiB", "vms": "user1"}})");
  EXPECT_EQ(vms_after(tenants, "8").size(), 8U);
  EXPECT_EQ(vms_after(tenants, "8")["user8"]["vcpus"], 4);
  EXPECT_EQ(vms_after(tenants, "16"), json()) << "48 GB are twelve times 4 GB";

  json mixed = tenants;
  mixed["vms"]["user2"] = mixed["vms"]["user1"];
  mixed["vms"]["user2"]["gpus"]["profile"] = "grid_a40-8c";
  EXPECT_EQ(vms_after(mixed, "2"), json()) << "VMs of different profiles are not alike";
}

/// The titles of what explain tries.
std::string titles(const Explained& explain) {
  std::string all;
  for (const scenario::Change& change : explain.changes) all += change.title + "\n";
  return all;
}

TEST(Offers, OfNicsAreThoseThatTheSlotFeeds) {
  const auto& r750xa = catalog().servers.at("dell-r750xa");
  const Explained gen4 = explained(two_hosts(r750xa, "a100-pcie-80gb", 4));
  const std::string all = titles(gen4);
  EXPECT_THAT(all,
              HasSubstr("connectx-6-dx-200g instead of connectx-6-dx-100g, ports of 200 Gbit/s, "
                        "switch sn3700"));
  EXPECT_THAT(all, Not(HasSubstr("400g"))) << "a Gen4 x16 slot feeds 212 Gbit/s";
  EXPECT_THAT(all, Not(HasSubstr("800g")));
  const auto faster = std::ranges::find(gen4.changes, "faster-nic", &scenario::Change::id);
  std::set<std::string> set;
  for (const Override& each : faster->overrides) set.insert(each.pointer);
  EXPECT_EQ(set,
            (std::set<std::string>{"/fabric/host_link", "/fabric/switch",
                                   "/hosts/esx1/nics/vmnic4/nic", "/hosts/esx2/nics/vmnic4/nic"}));
  EXPECT_THAT(all, HasSubstr("NVLink bridges"));

  json gen3 = two_hosts(catalog().servers.at("dell-r740"), "v100-pcie-32gb", 2);
  gen3["hosts"]["esx[1-2]"]["nics"]["vmnic4"] = {{"nic", "connectx-4-lx-25g"}, {"slot", "slot2"}};
  EXPECT_THAT(titles(explained(gen3)),
              HasSubstr("connectx-6-dx-100g instead of connectx-4-lx-25g, at the "))
      << "8 lanes of Gen3 carry twice 25 Gbit/s";
}

TEST(Offers, LeaveModulesAndTenantsAlone) {
  const auto& xe9680 = catalog().servers.at("dell-xe9680");
  const std::string modules = titles(explained(two_hosts(xe9680, "h100-sxm5-80gb", 8)));
  EXPECT_THAT(modules, Not(HasSubstr("bridges")));
  EXPECT_THAT(modules, HasSubstr("h200-sxm5-141gb instead of h100-sxm5-80gb"));

  const json tenants = json::parse(R"({"name": "tenants",
    "hosts": {"esx1": {"server": "dell-r750xa", "gpus": "1 x a40"}},
    "vms": {"own": {"host": "esx1", "gpus": {"mode": "vgpu", "profile": "grid_a40-4c", "count": 1}},
            "other[1-3]": {"host": "esx1",
                           "gpus": {"mode": "vgpu", "profile": "grid_a40-4c", "count": 1}}},
    "job": {"collective": "all_reduce", "sizes": "1 MiB", "vms": "own"}})");
  for (const scenario::Change& change : explained(tenants).changes) {
    if (change.id == "idle-neighbours") continue;  // computes the cost of the tenants' work
    for (const Override& each : change.overrides) {
      EXPECT_THAT(each.pointer, Not(HasSubstr("/vms/other"))) << change.title;
    }
  }
}

}  // namespace offers_test
}  // namespace vgsim::studio
