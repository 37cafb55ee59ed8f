#include "tests/generated/generator.hpp"

#include <fmt/format.h>

#include "tests/generated/draft.hpp"

namespace vgsim::generated {
namespace {

Json a_disruption(Draft& draft) {
  static const std::vector<std::string> kKinds = {"vmotion", "restart", "host_failure"};
  return {{"kind", draft.dice.pick(kKinds)},
          {"vm", draft.dice.pick(draft.vms)},
          {"at", fmt::format("{} min", draft.dice.between(0, 300))}};
}

Json a_fault(Draft& draft) {
  const DraftHosts& on = draft.dice.pick(draft.hosts);
  const std::string part =
      on.nics.empty() || draft.dice.chance(0.3) ? "gpu0" : draft.dice.pick(on.nics);
  const std::int64_t at = draft.dice.between(0, 100);
  Json fault = {{"link", draft.dice.pick(on.names) + "/" + part},
                {"at", fmt::format("{} ms", at)},
                {"share", 0.1 * static_cast<double>(draft.dice.between(0, 10))}};
  if (draft.dice.chance(0.85)) {
    fault["until"] = fmt::format("{} ms", at + draft.dice.between(1, 1000));
  }
  return fault;
}

Json a_neighbour(Draft& draft) {
  const DraftHosts& on = draft.dice.pick(draft.hosts);
  Json neighbour = {{"host", draft.dice.pick(on.names)}};
  if (draft.dice.chance(0.7)) {
    std::vector<std::vector<std::string>> paths = {{"memory0", "gpu0"}, {"storage", "memory0"}};
    if (!on.nics.empty()) paths.push_back({"memory0", on.nics[0], "network"});
    neighbour["path"] = draft.dice.pick(paths);
    neighbour["rate"] = fmt::format("{} Gbit/s", draft.dice.between(1, 60));
  }
  if (draft.dice.chance(0.5)) neighbour["cores"] = draft.dice.between(0, 24);
  return neighbour;
}

Json variability(Draft& draft) {
  Json made = {{"compute_sigma", 0.01 * static_cast<double>(draft.dice.between(0, 20))}};
  if (draft.dice.chance(0.3)) {
    made["stragglers"][draft.dice.pick(draft.dice.pick(draft.hosts).names)] =
        1.0 + 0.1 * static_cast<double>(draft.dice.between(0, 10));
  }
  if (draft.dice.chance(0.3)) made["seed"] = draft.dice.between(1, 1000);
  return made;
}

Json prices(Draft& draft) {
  Json made = {{"currency", "EUR"}, {"gpu_hour", 1.5}};
  if (draft.dice.chance(0.5)) made["host_hour"] = 2;
  if (draft.dice.chance(0.5)) made["kwh"] = 0.25;
  if (draft.dice.chance(0.3)) made["pue"] = 1.4;
  if (draft.dice.chance(0.3)) made["licence_gpu_hour"] = 0.5;
  return made;
}

Json idealised(Draft& draft) {
  Json made = Json::object();
  const auto may_be = [&](const char* name, const char* word) {
    if (draft.dice.chance(0.4)) made[name] = word;
  };
  may_be("latency", "zero");
  may_be("virtualization", "zero");
  may_be("computing", "ideal");
  may_be("memory", "unlimited");
  may_be("bandwidth", "line_rate");
  return made;
}

}  // namespace

void add_surroundings(Draft& draft) {
  Dice& dice = draft.dice;
  Json& made = draft.scenario;
  maybe(draft, made, 0.12, "variability", [&] { return variability(draft); });
  maybe(draft, made, 0.06, "faults", [&] { return Json::array({a_fault(draft)}); });
  maybe(draft, made, 0.1, "neighbours", [&] { return Json::array({a_neighbour(draft)}); });
  maybe(draft, made, 0.15, "idealise", [&] { return idealised(draft); });
  if (!draft.training) return;
  maybe(draft, made, 0.15, "prices", [&] { return prices(draft); });
  maybe(draft, made, 0.1, "reliability", [&]() -> Json {
    if (dice.chance(0.5)) return Json::object();
    return {{"gpu_hours", dice.between(100, 100000)}, {"restart", "5 min"}};
  });
  maybe(draft, made, 0.08, "maintenance", [&] { return Json{{"per_month", dice.between(0, 4)}}; });
  if (draft.vms.empty() || !dice.chance(0.15)) return;
  for (std::int64_t i = dice.between(1, 2); i > 0; --i) {
    made["disruptions"].push_back(a_disruption(draft));
  }
}

void add_layouts(Draft& draft) {
  if (!draft.dice.chance(0.12)) return;
  Json& layouts = draft.scenario["layouts"];
  layouts["as it is"] = Json::object();
  if (draft.training) {
    layouts["another batch"] = {{"job", {{"batch_per_gpu", draft.dice.between(1, 64)}}}};
  } else {
    layouts["ring"] = {{"job", {{"nccl", {{"NCCL_ALGO", "Ring"}}}}}};
  }
  if (!draft.scenario.contains("vms")) return;
  for (const auto& [name, vm] : draft.scenario["vms"].items()) {
    layouts["topology file"]["vms"][name] = {{"guest_topology", "topo_file"}};
  }
}

/// A second job on some of the VMs, if the first can leave them.
void add_second_job(Draft& draft) {
  Json& job = draft.scenario["job"];
  if (!draft.training || !draft.scenario.contains("vms") || job.contains("ranks") ||
      job.contains("vms") || draft.scenario["vms"].size() < 2 || !draft.dice.chance(0.3)) {
    return;
  }
  Json first = Json::array();
  Json others = Json::array();
  for (const auto& [name, vm] : draft.scenario["vms"].items()) {
    (first.empty() || draft.dice.chance(0.5) ? first : others).push_back(name);
  }
  if (others.empty()) return;
  Json second = job;
  second["vms"] = others;
  if (draft.dice.chance(0.3)) second["start"] = fmt::format("{} s", draft.dice.between(1, 600));
  job["vms"] = first;
  draft.scenario["jobs"]["second"] = std::move(second);
}

Json generate(const Words& words, std::uint64_t seed, std::uint64_t number) {
  Draft draft{words, Dice("scenario", seed, number), Json::object(), {}, {}};
  draft.scenario["name"] = fmt::format("generated {}/{}", seed, number);
  if (draft.dice.chance(0.4)) draft.scenario["vsphere"] = draft.dice.pick(words.versions);
  add_hosts(draft);
  add_fabric(draft);
  add_vms(draft);
  add_job(draft);
  add_second_job(draft);
  add_surroundings(draft);
  add_layouts(draft);
  maybe(draft, draft.scenario, 0.02, "expect", [&] { return any_value(draft, "/expect", 9); });
  if (draft.dice.chance(0.3)) add_keys_of_schema(draft, draft.dice.between(1, 3));
  return draft.scenario;
}

}  // namespace vgsim::generated
