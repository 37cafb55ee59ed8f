#include "tests/models/collectives/nccl/oracle.hpp"

#include <zlib.h>

#include <algorithm>
#include <map>
#include <ostream>
#include <stdexcept>

#include "models/collectives/nccl/machine_of_inventory.hpp"
#include "tests/models/collectives/nccl/decision_tables.hpp"
#include "tests/support/extra.hpp"
#include "topology/importers/nccl/nccl_xml.hpp"
#include "topology/input/load_source.hpp"

namespace vgsim::collectives::nccl::oracle {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

fs::path folder() { return test::extra_files() / "oracle" / "nccl"; }

/// The runs in a folder and its subfolders, sorted.
std::vector<fs::path> files_below(const std::string& below) {
  std::vector<fs::path> files;
  std::error_code absent;
  for (const auto& entry : fs::recursive_directory_iterator(folder() / below, absent)) {
    if (entry.path().extension() == ".gz") files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

json unpacked(const fs::path& run) {
  const gzFile file = gzopen(run.c_str(), "rb");
  if (file == nullptr) throw std::runtime_error("cannot read " + run.string());
  std::string text;
  char buffer[1 << 16];
  for (int got = 0; (got = gzread(file, buffer, sizeof buffer)) > 0;) {
    text.append(buffer, static_cast<std::size_t>(got));
  }
  gzclose(file);
  return json::parse(text);
}

const Machine& machine_of_file(const std::string& name) {
  static std::map<std::string, Machine> machines;
  if (const auto known = machines.find(name); known != machines.end()) return known->second;
  const auto source = input::load_source(folder() / "xml" / name);
  if (!source) throw std::runtime_error(input::render(source.error()));
  const auto host = topology::read_nccl_xml(*source, topology::NcclGpus::kAny);
  if (!host) throw std::runtime_error(input::render(host.error()));
  return machines.emplace(name, machine_of_inventory(*host)).first->second;
}

/// The settings in the name of a folder of variants.
Settings settings_of(const std::string& variant) {
  const auto has = [&](const char* word) { return variant.find(word) != std::string::npos; };
  std::map<std::string, std::string> given;
  if (has("p2p_disable")) given["NCCL_P2P_DISABLE"] = "1";
  if (has("p2p_phb")) given["NCCL_P2P_LEVEL"] = "PHB";
  if (has("p2p_sys")) given["NCCL_P2P_LEVEL"] = "SYS";
  if (has("crossnic0")) given["NCCL_CROSS_NIC"] = "0";
  if (has("crossnic1")) given["NCCL_CROSS_NIC"] = "1";
  if (has("nvls0")) given["NCCL_NVLS_ENABLE"] = "0";
  if (has("collnet")) given["NCCL_COLLNET_ENABLE"] = "1";
  if (has("gdr_off")) given["NCCL_NET_GDR_LEVEL"] = "LOC";
  if (has("gdr_sys")) given["NCCL_NET_GDR_LEVEL"] = "SYS";
  if (has("netintra_off")) given["NCCL_NET_DISABLE_INTRA"] = "1";
  if (has("pxn_off")) given["NCCL_PXN_DISABLE"] = "1";
  return parse_settings(given).value();
}

std::string name_of_file(const fs::path& run) {
  return run.parent_path().filename().string() + "/" + run.stem().stem().string();
}

Run run_of_file(const fs::path& file) {
  Run run;
  run.name = name_of_file(file);
  run.decided = unpacked(file);
  run.machine = machine_of_file(fs::path(run.decided["xml"].get<std::string>()).filename());
  run.settings = settings_of(file.parent_path().filename());
  run.nvidia = !file.filename().string().starts_with("rccl");
  return run;
}

PathType path_type_of(const std::string& word) {
  for (int i = 0; i <= static_cast<int>(PathType::kDis); ++i) {
    if (word == to_string(static_cast<PathType>(i))) return static_cast<PathType>(i);
  }
  throw std::invalid_argument("path type " + word);
}

void visit_nets(const MachinePci& pci, double& latency) {
  for (const MachineNet& net : pci.nets) latency = std::max(latency, net.latency);
  for (const MachinePci& child : pci.children) visit_nets(child, latency);
}

double net_latency(const Machine& machine) {
  double latency = 0;
  for (const MachineCpu& cpu : machine.cpus) {
    for (const MachineNet& net : cpu.nets) latency = std::max(latency, net.latency);
    for (const MachinePci& pci : cpu.pcis) visit_nets(pci, latency);
  }
  return latency;
}

AgreedGraph graph_of(const json& search, const char* name, double latency) {
  AgreedGraph graph;
  if (!search.contains(name)) return graph;
  const json& found = search[name];
  graph.pattern = static_cast<Pattern>(found["pattern"].get<int>());
  graph.channels = found["nChannels"];
  graph.same_channels = found["sameChannels"] != 0;
  graph.speed_intra = found["bwIntra"];
  graph.speed_inter = found["bwInter"];
  graph.type_intra = path_type_of(found["typeIntra"]);
  graph.type_inter = path_type_of(found["typeInter"]);
  graph.cross_nic = found["crossNic"];
  graph.latency_inter = latency;
  return graph;
}

}  // namespace

std::string name_of_instance(const ::testing::TestParamInfo<Group>& instance) {
  std::string name = instance.param.below;
  std::replace_if(
      name.begin(), name.end(), [](char c) { return c == '.' || c == '/'; }, '_');
  return name;
}

void PrintTo(const Group& group, std::ostream* out) { *out << group.below; }

std::size_t each_run(const Group& group, const std::function<void(const Run&)>& look_at) {
  if (!group.extra) {
    const std::vector<Run> runs = read_table(group.below);
    for (const Run& run : runs) look_at(run);
    return runs.size();
  }
  const std::vector<fs::path> files = files_below(group.below);
  for (const fs::path& file : files) look_at(run_of_file(file));
  return files.size();
}

void GroupTest::SetUp() {
  if (GetParam().extra) test::skip_without_extra_files();
}

Run run_of(const Group& group, const std::string& name) {
  if (group.extra) return run_of_file(folder() / group.below / (name + ".json.gz"));
  for (const Run& run : read_table(group.below)) {
    if (run.name.ends_with("/" + name)) return run;
  }
  throw std::invalid_argument("no run " + name);
}

Communicator communicator_of(const Run& run) {
  const double latency = net_latency(run.machine);
  const json& decided = run.decided;
  const json& search = decided["search"];
  Communicator comm;
  comm.ranks = decided["nNodes"].get<int>() * decided["gpusPerNode"].get<int>();
  comm.nodes = decided["ncclNodes"];
  comm.min_sm = comm.max_sm = decided["sm"];
  comm.x86 = run.machine.cpus.at(0).arch == CpuArch::kX86;
  comm.cpus =
      run.machine.cpus.at(0).vendor == CpuVendor::kAmd ? CpuVendors::kAmd : CpuVendors::kOther;
  comm.channels = decided["nChannels"];
  comm.ring = graph_of(search, "ring", latency);
  comm.tree = graph_of(search, "tree", latency);
  comm.nvls = graph_of(search, "nvls", latency);
  comm.nvls_everywhere = decided["nvls"] != 0;
  comm.nvls_channels = decided.value("nvlsChannels", 0);
  comm.nvls_heads =
      decided.contains("nvlsHeads") ? static_cast<int>(decided["nvlsHeads"].size()) : 0;
  return comm;
}

}  // namespace vgsim::collectives::nccl::oracle
