#include <fmt/core.h>

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "topology/importers/smi/smi_blocks.hpp"
#include "topology/importers/smi/smi_gpu_facts.hpp"
#include "topology/importers/smi/smi_lines.hpp"
#include "topology/importers/smi/smi_merge.hpp"
#include "topology/importers/smi/smi_parts.hpp"
#include "topology/machine/import_codes.hpp"

namespace vgsim::topology {
namespace {

constexpr std::int64_t kMostTextGpus = 4096;
constexpr std::size_t kMostTextLogs = 64;

const std::map<std::string_view, SmiFact>& facts_by_path() {
  static const std::map<std::string_view, SmiFact> facts = {
      {"product name", SmiFact::kName},
      {"gpu uuid", SmiFact::kUuid},
      {"pci/bus id", SmiFact::kBusId},
      {"pci/device id", SmiFact::kDeviceId},
      {"pci/sub system id", SmiFact::kSubsystemId},
      {"pci/base classcode", SmiFact::kBaseClass},
      {"pci/sub classcode", SmiFact::kSubClass},
      {"fb memory usage/total", SmiFact::kMemory},
      {"mig mode/current", SmiFact::kMig},
      {"mig device/index", SmiFact::kMigInstance},
      {"gpu virtualization mode/virtualization mode", SmiFact::kVirtualization},
      {"platform info/module id", SmiFact::kModuleId},
      {"module id", SmiFact::kModuleId},
      {"pci/gpu link info/pcie generation/max", SmiFact::kMaxGeneration},
      {"pci/gpu link info/pcie generation/device max", SmiFact::kDeviceMaxGeneration},
      {"pci/gpu link info/pcie generation/host max", SmiFact::kHostMaxGeneration},
      {"pci/gpu link info/pcie generation/current", SmiFact::kGeneration},
      {"pci/gpu link info/link width/max", SmiFact::kMaxWidth},
      {"pci/gpu link info/link width/current", SmiFact::kWidth},
      {"fabric/state", SmiFact::kFabricState},
      {"fabric/status", SmiFact::kFabricStatus},
      {"fabric/clusteruuid", SmiFact::kFabricCluster},
      {"fabric/cliqueid", SmiFact::kFabricClique},
      {"fabric/health/summary", SmiFact::kFabricHealth},
      {"fabric/health/bandwidth", SmiFact::kFabricBandwidth},
      {"fabric/health/route recovery in progress", SmiFact::kFabricRouteRecovery},
      {"fabric/health/route unhealthy", SmiFact::kFabricRouteUnhealthy},
      {"fabric/health/access timeout recovery", SmiFact::kFabricAccessTimeout},
      {"fabric/health/incorrect configuration", SmiFact::kFabricConfiguration},
  };
  return facts;
}

/// Reads the consecutive logs of a text.
///
/// A log begins with "Attached GPUs", a GPU with its bus id. GPUs have numbers only if all attached
/// GPUs have a block, because -i omits some. A block without a known fact belongs to nvidia-smi
/// vgpu or nvlink, whose blocks begin the same way.
class LogsReader {
 public:
  LogsReader(FileNotes& notes, Inventory& host) : notes_(notes), host_(host) {}

  void read();

 private:
  void begin_gpu(const std::string& bus_id, TextSpan where);
  void add_fact(SmiFact fact, TextSpan value);
  void end_log();

  FileNotes& notes_;
  Inventory& host_;
  std::optional<std::int64_t> attached_;
  std::vector<SmiGpuFacts> gpus_;  ///< of the log
  bool is_gpu_ = false;            ///< the last of gpus_ has a known fact
  std::size_t logs_ = 0;
};

void LogsReader::begin_gpu(const std::string& bus_id, TextSpan where) {
  if (!gpus_.empty() && !is_gpu_) gpus_.pop_back();
  if (gpus_.size() == static_cast<std::size_t>(kMostTextGpus)) end_log();
  is_gpu_ = false;
  gpus_.emplace_back(notes_.at(where));
  gpus_.back().add(SmiFact::kBusId, bus_id, notes_.at(where));
}

void LogsReader::add_fact(SmiFact fact, TextSpan value) {
  is_gpu_ = true;
  gpus_.back().add(fact, value.text, notes_.at(value));
}

void LogsReader::end_log() {
  if (!gpus_.empty() && !is_gpu_) gpus_.pop_back();
  if (!gpus_.empty() && ++logs_ > kMostTextLogs) {
    notes_.error(import_codes::kTooMuch, gpus_.front().where(),
                 fmt::format("more than {} logs", kMostTextLogs), "one host");
    gpus_.clear();
  }
  if (notes_.failed()) gpus_.clear();
  std::vector<Device> devices;
  for (const SmiGpuFacts& facts : gpus_) devices.push_back(smi_gpu_of(facts, notes_));
  if (attached_ && !devices.empty()) number_smi_gpus(attached_, notes_, devices);
  add_smi_devices(std::move(devices), notes_, host_);
  gpus_.clear();
  attached_.reset();
}

void LogsReader::read() {
  SmiBlockHandler handler;
  handler.on_top = [&](const std::string& key, TextSpan value) {
    if (key == "attached gpus") {
      end_log();
      attached_ = whole_number(value.text, 0, kMostTextGpus);
    } else if (key == "driver version" && !host_.driver && !is_not_told(value.text)) {
      host_.driver = notes_.stated(printable(value.text));
    }
  };
  handler.on_gpu = [&](const std::string& bus_id, TextSpan where) { begin_gpu(bus_id, where); };
  handler.on_entry = [&](const std::string& path, TextSpan value) {
    const auto known = facts_by_path().find(path);
    if (known != facts_by_path().end()) add_fact(known->second, value);
  };
  scan_smi_blocks(notes_.source()->text, handler);
  end_log();
}

}  // namespace

void read_smi_query_text(FileNotes& notes, Inventory& host) {
  LogsReader(notes, host).read();
  if (notes.failed() || !host.unplaced.empty()) return;
  notes.error(import_codes::kNothingInIt, notes.at(0), "no GPU in a log of nvidia-smi -q",
              "\"GPU 00000000:83:00.0\" and the lines that are indented below it");
}

bool is_smi_query_text(std::string_view text) {
  if (text.find("GPU ") == text.npos) return false;
  bool found = false;
  SmiBlockHandler handler;
  handler.on_entry = [&](const std::string& path, TextSpan) {
    found = found || facts_by_path().count(path) > 0;
  };
  scan_smi_blocks(text, handler);
  return found;
}

}  // namespace vgsim::topology
