#include "tests/models/collectives/nccl/oracle.hpp"

#include <zlib.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <stdexcept>

#include "models/collectives/nccl/machine_from_xml.hpp"
#include "topology/input/load_source.hpp"

namespace vgsim::collectives::nccl::oracle {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

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

fs::path folder() {
  const char* shared = std::getenv("VGSIM_SHARED");
  return fs::path(shared != nullptr ? shared : VGSIM_SHARED) / "oracle" / "nccl";
}

std::vector<fs::path> runs(const std::string& below) {
  std::vector<fs::path> files;
  std::error_code absent;
  for (const auto& entry : fs::recursive_directory_iterator(folder() / below, absent)) {
    if (entry.path().extension() == ".gz") files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

json read(const fs::path& run) {
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

const Machine& machine_of(const json& run) {
  static std::map<std::string, Machine> machines;
  const std::string name = fs::path(run["xml"].get<std::string>()).filename();
  if (const auto known = machines.find(name); known != machines.end()) return known->second;
  const auto source = input::load_source(folder() / "xml" / name);
  if (!source) throw std::runtime_error(input::render(source.error()));
  const auto xml = topology::parse_nccl_xml(*source, topology::NcclGpus::kAny);
  if (!xml) throw std::runtime_error(input::render(xml.error()));
  return machines.emplace(name, machine_from_xml(*xml)).first->second;
}

Communicator communicator_of(const json& run) {
  const Machine& machine = machine_of(run);
  const double latency = net_latency(machine);
  const json& search = run["search"];
  Communicator comm;
  comm.ranks = run["nNodes"].get<int>() * run["gpusPerNode"].get<int>();
  comm.nodes = run["ncclNodes"];
  comm.min_sm = comm.max_sm = run["sm"];
  comm.x86 = machine.cpus.at(0).arch == CpuArch::kX86;
  comm.cpus = machine.cpus.at(0).vendor == CpuVendor::kAmd ? CpuVendors::kAmd : CpuVendors::kOther;
  comm.channels = run["nChannels"];
  comm.ring = graph_of(search, "ring", latency);
  comm.tree = graph_of(search, "tree", latency);
  comm.nvls = graph_of(search, "nvls", latency);
  comm.nvls_everywhere = run["nvls"] != 0;
  comm.nvls_channels = run.value("nvlsChannels", 0);
  comm.nvls_heads = run.contains("nvlsHeads") ? static_cast<int>(run["nvlsHeads"].size()) : 0;
  return comm;
}

std::string name_of(const fs::path& run) {
  return run.parent_path().filename().string() + "/" + run.stem().stem().string();
}

}  // namespace vgsim::collectives::nccl::oracle
