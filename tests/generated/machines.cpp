#include <fmt/format.h>

#include "tests/generated/draft.hpp"

namespace vgsim::generated {
namespace {

std::int64_t host_count(Draft& draft) {
  static const std::vector<std::int64_t> kUsual = {1, 1, 1, 2, 2, 2, 2, 3, 4, 4, 5, 8, 8, 16, 32};
  return draft.dice.chance(0.01) ? draft.dice.between(33, 600) : draft.dice.pick(kUsual);
}

void name_hosts(Draft& draft, DraftHosts& made) {
  static const std::vector<std::string> kNames = {"esx", "node-", "h", "rack1_"};
  const std::string prefix =
      draft.dice.pick(kNames) + (draft.hosts.empty() ? "" : std::to_string(draft.hosts.size()));
  const std::int64_t count = host_count(draft);
  for (std::int64_t i = 1; i <= count; ++i) made.names.push_back(fmt::format("{}{}", prefix, i));
  made.key = count == 1 ? made.names[0] : fmt::format("{}[1-{}]", prefix, count);
}

void add_nics(Draft& draft, Json& host, DraftHosts& made, const std::vector<std::string>& places) {
  const std::int64_t most = std::max<std::int64_t>(1, made.gpus);
  std::int64_t count =
      draft.dice.chance(0.5) ? 1 : draft.dice.between(1, std::min<std::int64_t>(8, most));
  count = std::min<std::int64_t>(count, static_cast<std::int64_t>(places.size()));
  if (draft.dice.chance(0.03)) count += 2;
  const std::string model =
      draft.dice.pick(draft.dice.chance(0.8) ? draft.words.usual_nics : draft.words.nics);
  for (std::int64_t i = 0; i < count; ++i) {
    const std::string name = fmt::format("vmnic{}", 4 + i);
    Json nic = {{"nic", draft.dice.chance(0.9) ? model : draft.dice.pick(draft.words.nics)}};
    if (draft.dice.chance(0.3) && made.gpus > 0) {
      nic["near"] = fmt::format("gpu{}", i % made.gpus);
    } else if (draft.dice.chance(0.2)) {
      nic["near"] = fmt::format("socket{}", draft.dice.chance(0.95) ? 0 : draft.dice.below(3));
    } else if (draft.dice.chance(0.2)) {
      nic["slot"] = draft.dice.chance(0.95) ? places[static_cast<std::size_t>(i) % places.size()]
                                            : draft.dice.pick(places);
    }
    host["nics"][name] = std::move(nic);
    made.nics.push_back(name);
  }
}

/// A described server.
Json described_server(Draft& draft, DraftHosts& made, std::vector<std::string>& places) {
  Dice& dice = draft.dice;
  Json server = {{"name", "built from words"},
                 {"cpu", fmt::format("{} x {}", dice.between(1, 2), dice.pick(draft.words.cpus))}};
  const std::int64_t sockets = server["cpu"].get<std::string>()[0] - '0';
  const auto socket = [&] { return fmt::format("socket{}", dice.between(0, sockets - 1)); };
  const std::int64_t generation = dice.between(3, 5);
  std::vector<std::string> above = {socket(), socket()};
  if (dice.chance(0.3)) {
    server["pcie_switches"]["sw0"] = fmt::format("gen{} x16 on {}", generation, socket());
    above.emplace_back("sw0");
    if (dice.chance(0.2)) {
      server["pcie_switches"]["sw1"] = fmt::format("gen{} x16 under sw0", generation);
      above.emplace_back("sw1");
    }
  }
  if (dice.chance(0.2)) {
    server["root_complexes"]["rc0"] = {{"socket", dice.between(0, sockets - 1)}};
    if (dice.chance(0.5)) server["root_complexes"]["rc0"]["quadrant"] = dice.between(0, 3);
    above.emplace_back("rc0");
  }
  if (!dice.chance(0.1)) {  // else a host without GPUs
    const std::int64_t kinds = dice.between(1, 2);
    for (std::int64_t i = 0; i < kinds; ++i) {
      const std::int64_t slots = dice.between(1, 2);
      server["gpu_slots"].push_back(
          fmt::format("{} x gen{} x16 on {}", slots, generation, dice.pick(above)));
      made.gpus += slots;
    }
  }
  const std::int64_t slots = dice.between(1, 2);
  for (std::int64_t i = 0; i < slots; ++i) {
    places.push_back(fmt::format("slot{}", i));
    server["nic_slots"][places.back()] =
        fmt::format("gen{} x{} on {}", generation, dice.chance(0.8) ? 16 : 8, dice.pick(above));
  }
  if (dice.chance(0.1)) server["nvme"] = fmt::format("gen4 x4 on {}", socket());
  return server;
}

void add_gpus(Draft& draft, Json& host, DraftHosts& made, std::int64_t slots) {
  if (slots == 0 || draft.dice.chance(0.03)) return;
  made.gpus = draft.dice.chance(0.6) ? slots : draft.dice.between(1, slots);
  host["gpus"] = fmt::format("{} x {}", made.gpus, made.gpu);
}

bool has_nvlink(const std::string& gpu) {
  for (const char* with : {"v100-pcie", "a40", "a30", "a100", "h100", "h200", "rtx-a6000"}) {
    if (gpu.starts_with(with)) return true;
  }
  return false;
}

void add_catalogue_server(Draft& draft, Json& host, DraftHosts& made,
                          std::vector<std::string>& places) {
  const ServerWords& server = draft.dice.pick(draft.words.servers);
  host["server"] = server.name;
  places = server.places;
  made.gpu = draft.dice.chance(0.95) && !server.gpus.empty() ? draft.dice.pick(server.gpus)
                                                             : draft.dice.pick(draft.words.gpus);
  made.gpus = server.slots;
  add_gpus(draft, host, made, server.slots);
  for (const auto& [a, b] : server.bridges) {
    if (std::max(a, b) >= made.gpus || !draft.dice.chance(has_nvlink(made.gpu) ? 0.5 : 0.02)) {
      continue;
    }
    host["nvlink_bridges"].push_back({a, b});
  }
}

/// A card with NVLink, mostly.
std::string card_in_pairs(Draft& draft) {
  static const std::vector<std::string> kCards = {"a100-pcie-80gb", "a40", "h100-nvl-94gb",
                                                  "rtx-a6000", "l40s"};
  return draft.dice.pick(kCards);
}

void add_described_server(Draft& draft, Json& host, DraftHosts& made,
                          std::vector<std::string>& places) {
  host["server"] = described_server(draft, made, places);
  made.gpu = draft.dice.pick(draft.words.cards);
  const bool pairs = made.gpus >= 2 && draft.dice.chance(0.3);
  if (pairs) made.gpu = card_in_pairs(draft);
  if (made.gpus > 0 && !draft.dice.chance(0.03)) {
    host["gpus"] = fmt::format("{} x {}", made.gpus, made.gpu);
  }
  if (pairs) host["nvlink"] = {{"kind", "bridge"}, {"pairs", {{0, 1}}}};
  if (pairs && draft.dice.chance(0.05)) host["nvlink_bridges"] = {{0, 1}};
}

void add_imported_host(Draft& draft, Json& host, DraftHosts& made) {
  host["topology"] = "nccl:dumps/dgx-a100-class.xml";
  made.gpu = "a100-sxm4-40gb";
  made.gpus = 8;
  if (draft.dice.chance(0.1)) host["gpus"] = "8 x a100-sxm4-40gb";
}

void add_properties(Draft& draft, Json& host, const DraftHosts& made) {
  Dice& dice = draft.dice;
  static const std::vector<std::string> kReads = {"1 GB/s", "6.5 GB/s", "20 GB/s", "25 Gbit/s"};
  maybe(draft, host, 0.4, "storage", [&] {
    Json storage = {{"read", dice.pick(kReads)}};
    if (!made.nics.empty() && dice.chance(0.3)) storage["over"] = dice.pick(made.nics);
    return storage;
  });
  static const std::vector<std::string> kSchedulers = {"best_effort", "equal_share", "fixed_share"};
  maybe(draft, host, 0.2, "vgpu", [&] {
    Json vgpu = {{"scheduler", dice.pick(kSchedulers)}};
    if (dice.chance(0.3)) vgpu["time_slice"] = fmt::format("{} ms", dice.between(1, 30));
    if (dice.chance(0.3)) vgpu["sizes"] = dice.chance(0.5) ? "mixed" : "same";
    if (dice.chance(0.4)) vgpu["assignment"] = dice.chance(0.5) ? "consolidation" : "performance";
    return vgpu;
  });
  maybe(draft, host, 0.01, "nvlink", [&] { return any_value(draft, "/hosts/*/nvlink", 4); });
  maybe(draft, host, 0.05, "acs", [] { return true; });
  maybe(draft, host, 0.1, "bios", [&] { return Json{{"ats", dice.chance(0.7)}}; });
  maybe(draft, host, 0.06, "numa_nodes_per_socket", [&] { return dice.between(1, 4); });
  maybe(draft, host, 0.05, "numa_node", [&] {
    return Json{{"cores", dice.between(8, 64)}, {"memory", "512 GiB"}};
  });
  maybe(draft, host, 0.04, "dpu_offload", [] { return true; });
  maybe(draft, host, 0.1, "vmotion", [&] { return dice.chance(0.5) ? "25 Gbit/s" : "100 Gbit/s"; });
  maybe(draft, host, 0.05, "vgpu_manager",
        [&] { return fmt::format("{}.{}", dice.between(13, 19), dice.between(0, 4)); });
}

}  // namespace

void add_hosts(Draft& draft) {
  const std::size_t kinds = draft.dice.chance(0.15) ? 2 : 1;
  for (std::size_t i = 0; i < kinds; ++i) {
    DraftHosts made;
    name_hosts(draft, made);
    Json host = Json::object();
    std::vector<std::string> places;
    if (draft.dice.chance(0.04)) {
      add_imported_host(draft, host, made);
    } else if (draft.dice.chance(0.15)) {
      add_described_server(draft, host, made, places);
    } else {
      add_catalogue_server(draft, host, made, places);
    }
    if (!places.empty() && !draft.dice.chance(0.05)) add_nics(draft, host, made, places);
    add_properties(draft, host, made);
    draft.scenario["hosts"][made.key] = std::move(host);
    draft.hosts.push_back(std::move(made));
  }
}

void add_fabric(Draft& draft) {
  Dice& dice = draft.dice;
  if (!dice.chance(0.5)) return;
  static const std::vector<std::string> kKinds = {"single-switch", "leaf-spine", "rails"};
  static const std::vector<std::string> kRates = {"25 Gbit/s", "100 Gbit/s", "400 Gbit/s"};
  Json fabric = {{"kind", dice.pick(kKinds)}};
  const bool single = fabric["kind"] == "single-switch";
  if (!single && dice.chance(0.6)) fabric["leaves"] = dice.between(1, 8);
  if (!single && dice.chance(0.7)) fabric["spines"] = dice.between(1, 4);
  if (!single && dice.chance(0.4)) fabric["uplink"] = dice.pick(kRates);
  if (fabric["kind"] == "rails" && dice.chance(0.2)) fabric["hosts_per_leaf"] = dice.between(1, 8);
  if (dice.chance(0.3)) fabric["host_link"] = dice.pick(kRates);
  if (dice.chance(0.3)) fabric["switch"] = dice.pick(draft.words.switches);
  draft.scenario["fabric"] = std::move(fabric);
}

}  // namespace vgsim::generated
