// Symmetry and repetition save work; they must not change a single picosecond of a result.

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>

#include "sim/random.hpp"
#include "tests/support/scenarios.hpp"
#include "topology/catalog/part_fit.hpp"

namespace vgsim {
namespace short_cuts_test {

using nlohmann::json;
using scenario::LayoutResult;
using scenario::RunSettings;

/// The outcome of a run: its results, or the kind of exception that ended it.
struct Outcome {
  std::vector<LayoutResult> layouts;
  std::string refused;
  std::string thrown;
};

Outcome outcome_of(const std::string& text, const std::string& path, const RunSettings& settings) {
  Outcome outcome;
  try {
    const auto result = test::try_run(text, path, settings);
    if (result) outcome.layouts = result->layouts;
    if (!result) outcome.refused = input::render(result.error());
  } catch (const Stalled&) {
    outcome.thrown = "stalled";
  } catch (const OverflowError&) {
    outcome.thrown = "overflow";
  }
  return outcome;
}

/// By kind of link: number of used links, and their total load.
std::map<std::string, std::pair<std::size_t, double>> traffic(const LayoutResult& layout) {
  std::map<std::string, std::pair<std::size_t, double>> result;
  for (const auto& use : layout.links) {
    auto& [links, bytes] = result[use.kind];
    links += use.links;
    bytes += use.bytes * static_cast<double>(use.links);
  }
  return result;
}

void expect_same_traffic(const LayoutResult& a, const LayoutResult& b) {
  const auto of_a = traffic(a);
  const auto of_b = traffic(b);
  ASSERT_EQ(of_a.size(), of_b.size());
  for (const auto& [kind, carried] : of_a) {
    ASSERT_TRUE(of_b.contains(kind)) << kind;
    EXPECT_EQ(carried.first, of_b.at(kind).first) << kind;
    EXPECT_NEAR(carried.second, of_b.at(kind).second, carried.second * 1e-12) << kind;
  }
  if (a.links.empty()) return;
  EXPECT_EQ(a.links[0].utilization, b.links[0].utilization);
}

void expect_same(const LayoutResult& a, const LayoutResult& b) {
  EXPECT_EQ(a.fingerprint, b.fingerprint);
  expect_same_traffic(a, b);
  ASSERT_EQ(a.collective.has_value(), b.collective.has_value());
  if (a.collective) {
    ASSERT_EQ(a.collective->points.size(), b.collective->points.size());
    for (std::size_t i = 0; i < a.collective->points.size(); ++i) {
      EXPECT_EQ(a.collective->points[i].time, b.collective->points[i].time) << "size " << i;
    }
  }
  ASSERT_EQ(a.training.has_value(), b.training.has_value());
  if (!a.training) return;
  const auto& s = *a.training;
  const auto& t = *b.training;
  EXPECT_EQ(s.iteration, t.iteration);
  EXPECT_EQ(s.first_iteration, t.first_iteration);
  EXPECT_EQ(s.epoch_ps, t.epoch_ps);
  EXPECT_EQ(s.compute, t.compute);
  EXPECT_EQ(s.exposed_communication, t.exposed_communication);
  EXPECT_EQ(s.data_wait, t.data_wait);
  EXPECT_EQ(s.optimizer, t.optimizer);
  EXPECT_EQ(s.epoch_s, t.epoch_s);
  EXPECT_EQ(s.scaling_efficiency, t.scaling_efficiency);
  EXPECT_EQ(s.gradient_bytes_by_kind, t.gradient_bytes_by_kind);
  if (s.next && t.next && s.next->without_kind == t.next->without_kind) {
    EXPECT_EQ(s.next->iteration, t.next->iteration);
  }
}

void expect_same(const Outcome& a, const Outcome& b) {
  EXPECT_EQ(a.refused, b.refused);
  EXPECT_EQ(a.thrown, b.thrown);
  ASSERT_EQ(a.layouts.size(), b.layouts.size());
  for (std::size_t i = 0; i < a.layouts.size(); ++i) {
    SCOPED_TRACE(a.layouts[i].name);
    expect_same(a.layouts[i], b.layouts[i]);
  }
}

/// The scenario with all short cuts and without any.
struct Compared {
  Outcome usual;
  Outcome plain;
};

/// Runs the scenario with all short cuts, with one of them and without any.
Compared compare(const std::string& text, const std::string& path = "scenario.json") {
  Compared compared{outcome_of(text, path, {}), {}};
  for (const auto& [symmetry, repeat] : {std::pair{false, true}, {true, false}, {false, false}}) {
    SCOPED_TRACE(std::string(symmetry ? "with" : "without") + " symmetry, " +
                 (repeat ? "with" : "without") + " repetition");
    RunSettings settings;
    settings.use_symmetry = symmetry;
    settings.find_repeat = repeat;
    compared.plain = outcome_of(text, path, settings);
    expect_same(compared.usual, compared.plain);
  }
  return compared;
}

class ShortCutsOfShipped : public ::testing::TestWithParam<std::string> {};

/// The scenario with forty iterations in an epoch.
std::string shortened(const std::string& path) {
  json document = json::parse(std::ifstream(path));
  json& job = document["job"];
  if (job.contains("network")) {
    for (const char* key : {"dataset", "samples_per_epoch"}) job.erase(key);
    job["iterations_per_epoch"] = 40;
  }
  return document.dump();
}

TEST_P(ShortCutsOfShipped, ChangeNothing) {
  const Compared compared = compare(shortened(GetParam()), GetParam());
  EXPECT_EQ(compared.usual.refused + compared.usual.thrown, "");
  for (std::size_t i = 0; i < compared.usual.layouts.size(); ++i) {
    const LayoutResult& usual = compared.usual.layouts[i];
    if (!usual.training) continue;
    EXPECT_TRUE(usual.training->epoch_ps) << usual.name;
    EXPECT_LT(usual.events * 4, compared.plain.layouts[i].events) << usual.name << " saves work";
  }
}

std::vector<std::string> scenario_files() {
  std::vector<std::string> files;
  const std::string folder = std::string(VGSIM_SOURCE_DIR) + "/configs/scenarios";
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    const bool too_big = entry.path().stem().string().starts_with("bert-large-100k");
    if (entry.path().extension() == ".json" && !too_big) files.push_back(entry.path().string());
  }
  std::sort(files.begin(), files.end());
  return files;
}

INSTANTIATE_TEST_SUITE_P(All, ShortCutsOfShipped, ::testing::ValuesIn(scenario_files()),
                         [](const auto& parameter) {
                           std::string name =
                               std::filesystem::path(parameter.param).stem().string();
                           std::replace_if(
                               name.begin(), name.end(), [](char c) { return !isalnum(c); }, '_');
                           return name;
                         });

TEST(ShortCuts, ChangeNothingWhereReplicasMeetInTheirGradientsAlone) {
  for (const json& parallel : {json{{"tensor", 8}, {"pipeline", 2}},
                               json{{"tensor", 4}, {"pipeline", 2}, {"sharding", "zero1"}},
                               json{{"tensor", 8}, {"sharding", "zero3"}}}) {
    const json host{{"server", "dgx-a100"},
                    {"gpus", "8 x a100-sxm4-80gb"},
                    {"nics", {{"n[0-7]", {{"nic", "connectx-6-hdr-200g"}, {"near", "gpu[0-7]"}}}}}};
    const json job{{"network", "llama-2-7b"},
                   {"parallel", parallel},
                   {"precision", "bf16"},
                   {"accumulation", 2},
                   {"iterations_per_epoch", 3}};
    SCOPED_TRACE(parallel.dump());
    const Compared compared =
        compare(json{{"name", "split"}, {"hosts", {{"esx[01-14]", host}}}, {"job", job}}.dump());
    ASSERT_EQ(compared.usual.refused + compared.usual.thrown, "");
    EXPECT_LT(compared.usual.layouts[0].events, compared.plain.layouts[0].events);
  }
}

/// A host of which NCCL makes two nodes has neighbours in the trees and in the ring that are in the
/// same host, beside others that are not: which ones differs from host to host.
TEST(ShortCuts, ChangeNothingWhereHostsHoldSeveralNodes) {
  std::size_t saved = 0;
  for (const char* algorithm : {"Tree", "Ring"}) {
    for (int hosts = 2; hosts <= 9; ++hosts) {
      const json host{{"server", "generic-skylake-2switch"},
                      {"nics", {{"n[0-2]", {{"nic", "connectx-6-dx-100g"}}}}}};
      const json job{{"collective", "all_reduce"},
                     {"sizes", {"1 MB", "333 MB"}},
                     {"nccl", {{"NCCL_ALGO", algorithm}, {"NCCL_SHM_DISABLE", "1"}}}};
      const std::string names = "h[1-" + std::to_string(hosts) + "]";
      SCOPED_TRACE(names + algorithm);
      const Compared compared =
          compare(json{{"name", "nodes"}, {"hosts", {{names, host}}}, {"job", job}}.dump());
      ASSERT_EQ(compared.usual.refused + compared.usual.thrown, "");
      if (compared.usual.layouts[0].events < compared.plain.layouts[0].events) ++saved;
    }
  }
  EXPECT_GE(saved, 4U) << "otherwise nothing was compared";
}

/// The same of VMs that share hosts, in an order that goes from host to host or stays in them, some
/// of them on parts of hosts that others have whole.
TEST(ShortCuts, ChangeNothingWhereMachinesOfAHostAreNeighbours) {
  for (std::uint64_t number = 0; number < 24 && !HasFailure(); ++number) {
    auto below = [&, index = std::uint64_t{0}](std::uint64_t limit) mutable {
      return random_bits(number + 77, index++) % limit;
    };
    const std::uint64_t hosts = 2 + below(5);
    const std::uint64_t each = 1 + below(3);
    const bool by_host = below(2) == 0;
    json document{{"name", "neighbours"}, {"vsphere", "8.0U2"}};
    document["hosts"]["h[1-" + std::to_string(hosts) + "]"] = {
        {"server", "dell-xe8545"}, {"nics", {{"n[0-1]", {{"nic", "connectx-6-dx-100g"}}}}}};
    for (std::uint64_t h = 0; h < hosts; ++h) {
      for (std::uint64_t v = 0; v < each; ++v) {
        const auto first = by_host ? h : v;
        const std::string name =
            "v" + std::to_string(first) + "-" + std::to_string(by_host ? v : h);
        document["vms"][name] = {
            {"host", "h" + std::to_string(h + 1)},
            {"nics", {{"n0", "vmxnet3"}}},
            {"gpus", {{"mode", "passthrough"}, {"count", each == 1 ? 2 + below(3) : 1}}}};
      }
    }
    document["job"] = {{"collective", "all_reduce"},
                       {"sizes", {"1 MB", "100 MB"}},
                       {"nccl", {{"NCCL_ALGO", below(2) == 0 ? "Tree" : "Ring"}}}};
    SCOPED_TRACE(document.dump());
    const Compared compared = compare(document.dump());
    ASSERT_EQ(compared.usual.refused + compared.usual.thrown, "");
  }
}

/// Small scenarios of all sorts, each a function of its number alone.
class Generator {
 public:
  explicit Generator(std::uint64_t number) : stream_(number) {}

  json scenario() {
    json document{{"name", "generated"}};
    const bool vms = chance(60);
    const bool two = vms && chance(30);
    add_hosts(document, two);
    if (vms) add_vms(document, two);
    if (chance(75)) add_fabric(document);
    document["job"] = chance(25) ? collective() : training();
    if (chance(15)) document["job"]["vms"] = some_machines(document);
    if (chance(30)) document["variability"]["stragglers"][straggler(document)] = pick({1.25, 2.0});
    if (chance(8)) document["variability"]["compute_sigma"] = 0.05;
    if (chance(25)) document["faults"] = json::array({fault()});
    if (chance(10)) document["idealise"]["latency"] = "zero";
    if (chance(20)) document["idealise"]["bandwidth"] = "line_rate";
    return document;
  }

 private:
  struct Host {
    std::string name;
    std::size_t gpus = 0;
    std::vector<std::string> nics;
    const topology::ServerModel* server = nullptr;
  };

  std::size_t below(std::size_t limit) { return random_bits(stream_, index_++) % limit; }
  bool chance(std::size_t percent) { return below(100) < percent; }
  std::size_t between(std::size_t low, std::size_t high) { return low + below(high - low + 1); }
  template <class T>
  T pick(std::initializer_list<T> from) {
    return *(from.begin() + below(from.size()));
  }
  template <class Table>
  const auto& any_of(const Table& table) {
    return *std::next(table.begin(), static_cast<std::ptrdiff_t>(below(table.size())));
  }

  /// NICs that fit into that number of slots of a server.
  static std::vector<std::string> nics_that_fit(const topology::ServerModel& server,
                                                std::size_t slots) {
    std::vector<std::string> fit;
    for (const auto& [id, nic] : test::library().catalog->nics) {
      const auto takes_it = [&](const auto& slot) {
        return !topology::incompatibility(nic, slot.second);
      };
      const auto places = std::count_if(server.nic_slots.begin(), server.nic_slots.end(), takes_it);
      if (static_cast<std::size_t>(places) >= slots) fit.push_back(id);
    }
    return fit;
  }

  /// Hosts that are one of many, or hold `two` VMs, have a NIC.
  void add_hosts(json& document, bool two) {
    const auto& catalog = *test::library().catalog;
    const std::size_t hosts = between(1, 6);
    const std::size_t kinds = std::min<std::size_t>(hosts, chance(70) ? 1 : 2);
    for (std::size_t k = 0; k < kinds; ++k) {
      const topology::ServerModel& server = any_of(catalog.servers).second;
      const std::size_t most = std::min<std::size_t>(server.gpu_slots.size(), hosts > 3 ? 4 : 8);
      Host host{"", between(1, most), {}, &server};
      json value{{"server", server.id},
                 {"gpus", std::to_string(host.gpus) + " x " + server.default_gpu}};
      const bool has_nvlink = !catalog.gpus.at(server.default_gpu).nvlink.empty();
      if (server.nvlink.kind == topology::NvLinkLayout::Kind::kBridge && host.gpus >= 2 &&
          has_nvlink && chance(70)) {
        value["nvlink_bridges"] = json::array({json::array({0, 1})});
      }
      const std::size_t most_nics = std::min<std::size_t>(server.nic_slots.size(), 3);
      const std::size_t nics = between(hosts > 1 || two ? 1 : 0, most_nics);
      const std::string nic = nics > 0 ? any_of(nics_that_fit(server, nics)) : "";
      for (std::size_t n = 0; n < nics; ++n) {
        host.nics.push_back("n" + std::to_string(n));
        value["nics"][host.nics.back()]["nic"] = nic;
      }
      if (chance(50)) value["storage"]["read"] = pick({"200 MB/s", "6.5 GB/s"});
      const std::size_t count = kinds == 1 ? hosts : (k == 0 ? hosts / 2 : hosts - hosts / 2);
      for (std::size_t i = 0; i < count; ++i) {
        host.name = std::string(1, static_cast<char>('a' + k)) + std::to_string(i + 1);
        document["hosts"][host.name] = value;
        hosts_.push_back(host);
      }
    }
  }

  /// All GPUs of a host in one VM, or dealt out to two; alike on all hosts of a kind.
  void add_vms(json& document, bool two) {
    const bool vgpu = chance(35);
    const bool group = chance(50);
    const std::string guest = pick({"flat", "vnuma", "topo_file"});
    const bool p2p = chance(70);
    for (const Host& host : hosts_) {
      const std::size_t vms = two && host.gpus >= 2 ? 2 : 1;
      std::size_t left = host.gpus;
      for (std::size_t v = 0; v < vms; ++v) {
        const std::size_t gpus = v + 1 == vms ? left : (left + 1) / 2;
        left -= gpus;
        json vm{{"host", host.name}, {"guest_topology", guest}, {"allow_p2p", p2p}};
        vm["gpus"] = vgpu ? vgpus(host, gpus, group) : passthrough(gpus);
        document["vms"]["vm-" + host.name + "-" + std::to_string(v)] = vm;
      }
    }
  }

  static json passthrough(std::size_t gpus) { return {{"mode", "passthrough"}, {"count", gpus}}; }

  static json vgpus(const Host& host, std::size_t gpus, bool group) {
    const vsphere::Board* board =
        test::library().vsphere->profiles.board_of(host.server->default_gpu);
    if (board == nullptr) return passthrough(gpus);
    const auto whole = std::find_if(board->profiles.begin(), board->profiles.end(),
                                    [](const auto& entry) { return entry.second.is_whole(); });
    if (whole == board->profiles.end()) return passthrough(gpus);
    const std::string& profile = whole->first;
    const auto kind = host.server->nvlink.kind;
    const bool joins_all = kind == topology::NvLinkLayout::Kind::kNvSwitch ||
                           kind == topology::NvLinkLayout::Kind::kMesh;
    if (group && joins_all && (gpus == 2 || gpus == 4 || gpus == 8)) {
      return {{"mode", "vgpu"},
              {"device_groups", {"Nvidia:" + std::to_string(gpus) + "@" + profile + "%NVLink"}}};
    }
    return {{"mode", "vgpu"}, {"count", gpus}, {"profile", profile}};
  }

  void add_fabric(json& document) {
    json value{{"kind", pick({"single-switch", "leaf-spine", "leaf-spine", "rails", "rails"})}};
    if (chance(50)) value["switch"] = pick({"sn3700", "qm9700", "generic-25g"});
    if (chance(20)) value["host_link"] = pick({"25 Gbit/s", "100 Gbit/s"});
    if (value["kind"] != "single-switch") {
      value["spines"] = between(1, 3);
      if (chance(50)) value["uplink"] = pick({"10 Gbit/s", "100 Gbit/s", "400 Gbit/s"});
    }
    if (value["kind"] == "rails" && chance(50)) value["hosts_per_leaf"] = between(1, 3);
    if (value["kind"] == "leaf-spine") {
      const std::size_t leaves = between(1, 3);
      value["leaves"] = leaves;
      const bool named = chance(30);
      for (auto& [name, host] : document["hosts"].items()) {
        if (named) host["leaf"] = between(1, leaves);
      }
    }
    document["fabric"] = value;
  }

  json collective() {
    json job{{"collective", "all_reduce"}, {"sizes", {"64 B", "1 MB", "333 MB"}}};
    if (chance(15)) job["fidelity"] = "chunk";
    return job;
  }

  json training() {
    static const std::vector<std::string> networks{"article-340m", "bert-base", "bert-large",
                                                   "resnet-50",    "vgg-16",    "vit-l-16"};
    json job{{"network", any_of(networks)},
             {"iterations_per_epoch", between(3, 12)},
             {"batch_per_gpu", pick({1, 8, 32})},
             {"prefetched_batches", between(0, 3)},
             {"overlap", chance(80)},
             {"optimizer", pick({"none", "sgd", "adam", "lamb"})},
             {"gradients", pick({"fp32", "fp16"})}};
    if (chance(40)) job["buckets"] = "single";
    if (job.contains("buckets") && hosts_.size() < 4 && chance(20)) job["fidelity"] = "chunk";
    return job;
  }

  /// Two machines in three, but at least one.
  json some_machines(const json& document) {
    json names = json::array();
    const json& machines = document.contains("vms") ? document["vms"] : document["hosts"];
    for (const auto& [name, value] : machines.items()) {
      if (below(3) > 0) names.push_back(name);
    }
    if (names.empty()) names.push_back(machines.begin().key());
    return names;
  }

  /// A GPU, a host or a VM.
  std::string straggler(const json& document) {
    const Host& host = hosts_[below(hosts_.size())];
    if (chance(50)) return host.name + "/gpu" + std::to_string(below(host.gpus));
    if (chance(50) || !document.contains("vms")) return host.name;
    return "vm-" + host.name + "-0";
  }

  json fault() {
    const Host& host = hosts_[below(hosts_.size())];
    const bool nic = !host.nics.empty() && chance(70);
    json value{{"link", host.name + "/" +
                            (nic ? host.nics[below(host.nics.size())]
                                 : "gpu" + std::to_string(below(host.gpus)))},
               {"at", pick({"0 s", "3 ms", "170 ms", "2 s"})},
               {"share", pick({0.0, 0.25, 0.5})}};
    if (chance(70)) value["until"] = pick({"2100 ms", "10 s"});
    return value;
  }

  std::uint64_t stream_;
  std::uint64_t index_ = 0;
  std::vector<Host> hosts_;
};

constexpr std::uint64_t kScenarios = 200;

/// A tenth of the generated scenarios in each test, so that they run side by side.
class ShortCutsOfGenerated : public ::testing::TestWithParam<std::uint64_t> {};

TEST_P(ShortCutsOfGenerated, ChangeNothing) {
  std::size_t ran = 0;
  std::size_t saved = 0;
  for (std::uint64_t i = 0; i < kScenarios / 10 && !HasFailure(); ++i) {
    const std::uint64_t number = GetParam() * (kScenarios / 10) + i;
    const std::string text = Generator(number).scenario().dump();
    SCOPED_TRACE("scenario " + std::to_string(number) + ": " + text);
    const Compared compared = compare(text);
    EXPECT_EQ(compared.usual.refused, "");
    if (compared.usual.layouts.empty()) continue;
    ++ran;
    if (compared.usual.layouts[0].events < compared.plain.layouts.at(0).events) ++saved;
  }
  EXPECT_GE(ran, kScenarios / 10 * 3 / 4) << "the others stall";
  EXPECT_GE(saved, ran / 4) << "otherwise nothing was compared";
}

INSTANTIATE_TEST_SUITE_P(All, ShortCutsOfGenerated,
                         ::testing::Range(std::uint64_t{0}, std::uint64_t{10}));

}  // namespace short_cuts_test
}  // namespace vgsim
