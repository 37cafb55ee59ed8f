#include "tools/cli/new/scenario_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "topology/catalog/part_fit.hpp"
#include "topology/machine/json_text.hpp"

namespace vgsim::cli {
namespace {

using Json = nlohmann::ordered_json;

/// "esx[01-04]"; "esx01" of one.
std::string name_range(const std::string& stem, std::size_t count) {
  const std::size_t width = std::max<std::size_t>(2, fmt::format("{}", count).size());
  if (count == 1) return fmt::format("{}{:0{}}", stem, 1, width);
  return fmt::format("{}[{:0{}}-{:0{}}]", stem, 1, width, count, width);
}

/// "vmnic[0-7]"; "vmnic0" of one.
std::string nic_range(std::size_t count) {
  return count == 1 ? "vmnic0" : fmt::format("vmnic[0-{}]", count - 1);
}

Json nics_json(const NewPlan& plan) {
  Json result = Json::object();
  if (plan.nics == plan.gpus && plan.gpus > 1) {
    result[nic_range(plan.nics)] = {{"nic", plan.nic->id},
                                    {"near", fmt::format("gpu[0-{}]", plan.gpus - 1)}};
    return result;
  }
  for (std::size_t n = 0; n < plan.nics; ++n) {
    result[fmt::format("vmnic{}", n)] = {{"nic", plan.nic->id},
                                         {"near", nearest_gpu(n, plan.nics, plan.gpus)}};
  }
  return result;
}

Json host_json(const NewPlan& plan) {
  Json host = {{"$comment",
                "vgsim show draws this host. Other servers: vgsim catalog servers; one that is not "
                "there: vgsim import reads dumps of a real one."},
               {"server", plan.server->id},
               {"gpus", fmt::format("{} x {}", plan.gpus, plan.gpu->id)}};
  const auto bridges = topology::possible_bridge_pairs(*plan.server, *plan.gpu, plan.gpus);
  if (!bridges.empty()) host["nvlink_bridges"] = bridges;
  if (plan.nics > 0) host["nics"] = nics_json(plan);
  return host;
}

Json gpus_json(const NewLayout& layout, const NewPlan& plan) {
  if (layout.profile.empty()) return {{"mode", "passthrough"}};
  if (layout.group) {
    return {{"mode", "vgpu"},
            {"device_groups", {fmt::format("Nvidia:{}@{}%NVLink", plan.gpus, layout.profile)}}};
  }
  // one on each GPU, even if several fit on one
  Json devices = Json::array();
  for (std::size_t g = 0; g < plan.gpus; ++g) devices.push_back(fmt::format("gpu{}", g));
  return {{"mode", "vgpu"}, {"profile", layout.profile}, {"devices", devices}};
}

Json vm_json(const NewPlan& plan) {
  Json vm = {{"$comment",
              "vcpus and memory are not given, and so never a limit. guest_topology: what NCCL in "
              "the guest sees; \"flat\" is what a guest has without a topology file "
              "(vgsim export SCENARIO --vm NAME --as nccl writes one)."},
             {"host", name_range("esx", plan.hosts)},
             {"gpus", gpus_json(plan.layouts.front(), plan)}};
  if (plan.nics > 0) vm["nics"] = {{nic_range(plan.nics), "passthrough"}};
  vm["guest_topology"] = "topo_file";
  return vm;
}

Json parallel_json(const NewParallel& parallel) {
  Json result = Json::object();
  for (const auto& [axis, size] : parallel.axes) result[axis] = size;
  if (!parallel.sharding.empty()) result["sharding"] = parallel.sharding;
  return result;
}

Json job_json(const NewPlan& plan) {
  Json job = {{"$comment",
               "Other networks: vgsim catalog networks. \"parallel\" splits the work: "
               "{ \"tensor\": 4, \"pipeline\": 2, \"sharding\": \"zero1\" }, or \"fsdp\"."},
              {"network", plan.network},
              {"batch_per_gpu", plan.batch},
              {"precision", plan.precision}};
  if (const Json split = parallel_json(plan.parallel); !split.empty()) job["parallel"] = split;
  if (plan.recompute) job["recompute"] = "full";
  if (!plan.has_dataset) job["iterations_per_epoch"] = 1000;
  job["epochs"] = 1;
  return job;
}

/// Differences of the layouts' VMs from those of the first layout.
Json layouts_json(const NewPlan& plan) {
  Json result = {{"$comment",
                  "Variants to compare, each a JSON merge patch (RFC 7396) over the rest of this "
                  "file. Other profiles: vgsim catalog profiles."}};
  const Json first = gpus_json(plan.layouts.front(), plan);
  for (const NewLayout& layout : plan.layouts) {
    Json patch = Json::object();
    if (&layout != &plan.layouts.front()) {
      Json own = gpus_json(layout, plan);
      // Removes keys that only the first layout has.
      for (const auto& [key, value] : first.items()) {
        if (!own.contains(key)) own[key] = nullptr;
      }
      patch["vms"][name_range("train", plan.hosts)]["gpus"] = own;
    }
    result[layout.name] = patch;
  }
  return result;
}

}  // namespace

std::string new_scenario_text(const NewPlan& plan, const std::string& schema,
                              const std::string& made_by) {
  Json scenario = {{"$schema", schema},
                   {"$comment", fmt::format("Made by: {}. vgsim schema scenario lists all keys; "
                                            "vgsim validate checks what you change.",
                                            made_by)},
                   {"name", plan.name},
                   {"vsphere", plan.vsphere}};
  if (schema.empty()) scenario.erase("$schema");
  scenario["hosts"] = {{name_range("esx", plan.hosts), host_json(plan)}};
  if (plan.hosts > 1) {
    scenario["fabric"] = {
        {"$comment",
         "One switch that is never a limit; \"leaf-spine\" and \"rails\" are other kinds, with "
         "leaves, spines, host_link and uplink."},
        {"kind", "single-switch"}};
  }
  scenario["vms"] = {{name_range("train", plan.hosts), vm_json(plan)}};
  scenario["job"] = job_json(plan);
  scenario["layouts"] = layouts_json(plan);
  return topology::inventory::to_readable_text(scenario, 100);
}

}  // namespace vgsim::cli
