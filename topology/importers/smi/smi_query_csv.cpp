#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "topology/importers/smi/smi_gpu_facts.hpp"
#include "topology/importers/smi/smi_lines.hpp"
#include "topology/importers/smi/smi_merge.hpp"
#include "topology/importers/smi/smi_parts.hpp"
#include "topology/machine/import_codes.hpp"

namespace vgsim::topology {
namespace {

constexpr std::size_t kMostCsvRows = 4096;

const std::map<std::string_view, SmiFact>& facts_by_property() {
  static const std::map<std::string_view, SmiFact> facts = {
      {"index", SmiFact::kIndex},
      {"pci.bus_id", SmiFact::kBusId},
      {"gpu_bus_id", SmiFact::kBusId},
      {"name", SmiFact::kName},
      {"gpu_name", SmiFact::kName},
      {"uuid", SmiFact::kUuid},
      {"gpu_uuid", SmiFact::kUuid},
      {"pci.device_id", SmiFact::kDeviceId},
      {"pci.sub_device_id", SmiFact::kSubsystemId},
      {"pci.baseclass", SmiFact::kBaseClass},
      {"pci.subclass", SmiFact::kSubClass},
      {"compute_cap", SmiFact::kComputeCapability},
      {"memory.total", SmiFact::kMemory},
      {"mig.mode.current", SmiFact::kMig},
      {"platform.module_id", SmiFact::kModuleId},
      {"pcie.link.gen.max", SmiFact::kMaxGeneration},
      {"pcie.link.gen.gpumax", SmiFact::kDeviceMaxGeneration},
      {"pcie.link.gen.hostmax", SmiFact::kHostMaxGeneration},
      {"pcie.link.gen.current", SmiFact::kGeneration},
      {"pcie.link.gen.gpucurrent", SmiFact::kGeneration},
      {"pcie.link.width.max", SmiFact::kMaxWidth},
      {"pcie.link.width.current", SmiFact::kWidth},
      {"fabric.state", SmiFact::kFabricState},
      {"fabric.status", SmiFact::kFabricStatus},
      {"fabric.clusteruuid", SmiFact::kFabricCluster},
      {"fabric.cliqueid", SmiFact::kFabricClique},
      {"fabric.health.summary", SmiFact::kFabricHealth},
      {"fabric.health.bandwidth", SmiFact::kFabricBandwidth},
      {"fabric.health.route_recovery_in_progress", SmiFact::kFabricRouteRecovery},
      {"fabric.health.route_unhealthy", SmiFact::kFabricRouteUnhealthy},
      {"fabric.health.access_timeout_recovery", SmiFact::kFabricAccessTimeout},
      {"fabric.health.incorrect_configuration", SmiFact::kFabricConfiguration},
  };
  return facts;
}

/// "memory.total" for "memory.total [MiB]"; empty for other texts.
std::string property_of(std::string_view field) {
  const std::string_view name = trimmed(field.substr(0, field.find('[')));
  const bool good = !name.empty() && std::ranges::all_of(name, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '.';
  });
  return good ? lower_case(name) : std::string();
}

/// The properties in a header line; empty if it is not the header of a list of GPUs. Lists of
/// processes and of retired pages also contain GPUs.
std::vector<std::string> header_of(TextSpan line) {
  if (line.text.find(',') == line.text.npos) return {};
  std::vector<std::string> properties;
  bool identifies = false;
  for (const TextSpan& field : fields_of(line, ',')) {
    properties.push_back(property_of(field.text));
    const std::string& property = properties.back();
    if (property.empty() || property == "pid" || property == "retired_pages.address") return {};
    const auto fact = facts_by_property().find(property);
    identifies =
        identifies || (fact != facts_by_property().end() &&
                       (fact->second == SmiFact::kIndex || fact->second == SmiFact::kBusId ||
                        fact->second == SmiFact::kUuid));
  }
  return identifies ? properties : std::vector<std::string>{};
}

/// The header defines the columns, in any order and number; units are in brackets after a name. A
/// file can contain several lists, also of processes: a list is read if it identifies GPUs and is
/// not one of those. A row with another number of fields ends the list.
class CsvReader {
 public:
  CsvReader(FileNotes& notes, Inventory& host) : notes_(notes), host_(host) {}

  void read();
  [[nodiscard]] std::size_t rows() const { return rows_; }

 private:
  bool read_row(TextSpan line);
  void tell_host(const std::string& property, std::string_view value);

  FileNotes& notes_;
  Inventory& host_;
  std::vector<std::string> header_;
  std::vector<Device> devices_;
  std::size_t rows_ = 0;
};

void CsvReader::tell_host(const std::string& property, std::string_view value) {
  if (is_not_told(value)) return;
  if (property == "driver_version" && !host_.driver) {
    host_.driver = notes_.stated(printable(value));
  }
  if (property == "hostname" && !host_.name) host_.name = notes_.stated(printable(value));
}

bool CsvReader::read_row(TextSpan line) {
  const auto fields = fields_of(line, ',');
  if (header_.empty() || fields.size() != header_.size()) return false;
  if (++rows_ > kMostCsvRows) {
    notes_.error(import_codes::kTooMuch, notes_.at(line.offset),
                 fmt::format("more than {} GPUs", kMostCsvRows), "one host");
    return false;
  }
  SmiGpuFacts facts(notes_.at(line.offset));
  for (std::size_t i = 0; i < fields.size(); ++i) {
    const auto fact = facts_by_property().find(header_[i]);
    if (fact != facts_by_property().end()) {
      facts.add(fact->second, fields[i].text, notes_.at(fields[i]));
    } else {
      tell_host(header_[i], fields[i].text);
    }
  }
  devices_.push_back(smi_gpu_of(facts, notes_));
  return true;
}

void CsvReader::read() {
  SmiLines lines(notes_.source()->text);
  while (const auto line = lines.next()) {
    if (trimmed(line->text).empty()) continue;
    std::vector<std::string> header = header_of(*line);
    if (!header.empty()) {
      header_ = std::move(header);
    } else if (!read_row(*line)) {
      header_.clear();
    }
    if (rows_ > kMostCsvRows) return;
  }
  add_smi_devices(std::move(devices_), notes_, host_);
}

}  // namespace

void read_smi_query_csv(FileNotes& notes, Inventory& host) {
  CsvReader reader(notes, host);
  reader.read();
  if (reader.rows() > 0) return;
  notes.error(import_codes::kNothingInIt, notes.at(0), "no GPU in a list of nvidia-smi --query-gpu",
              "a header line that names index, pci.bus_id or uuid, and a line for each GPU");
}

bool is_smi_query_csv(std::string_view text) {
  const auto has = [&](const char* word) { return text.find(word) != text.npos; };
  if (!has("index") && !has("uuid") && !has("bus_id")) return false;
  SmiLines lines(text);
  std::size_t columns = 0;  // of the last header
  while (const auto line = lines.next()) {
    if (trimmed(line->text).empty()) continue;
    const std::size_t named = header_of(*line).size();
    if (named == 0 && columns > 0 && fields_of(*line, ',').size() == columns) return true;
    columns = named;
  }
  return false;
}

}  // namespace vgsim::topology
