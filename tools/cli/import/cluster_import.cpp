#include "tools/cli/import/cluster_import.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>

#include "models/vsphere/import/alike_hosts.hpp"
#include "tools/cli/config_files.hpp"
#include "tools/cli/import/host_text.hpp"
#include "tools/cli/import/known_server.hpp"
#include "tools/cli/import/planned_scenario.hpp"
#include "tools/cli/import/written_mark.hpp"
#include "tools/text/words.hpp"
#include "topology/importers/topology_file/topology_file.hpp"
#include "topology/input/load_source.hpp"
#include "topology/machine/build_host.hpp"
#include "topology/machine/json_text.hpp"
#include "topology/machine/unknown_facts.hpp"

// Hosts that are alike share a topology file; VMs are folded to ranges by their hosts. The
// scenario names the files relative to its own folder, so both are chosen first.

namespace vgsim::cli {
namespace {

namespace fs = std::filesystem;

/// "passthrough_static: gpu0, gpu1" of a VM of a scenario.
std::string gpus_text(const nlohmann::ordered_json& vm) {
  const auto gpus = vm.find("gpus");
  if (gpus == vm.end()) return "no GPU";
  std::vector<std::string> parts;
  for (const auto& [key, value] : gpus->items()) {
    if (key == "mode") continue;
    if (!value.is_array()) {
      parts.push_back(value.is_number() ? text::plural(value.get<std::size_t>(), "GPU")
                                        : value.get<std::string>());
    }
    for (const auto& element : value.is_array() ? value : nlohmann::ordered_json::array()) {
      parts.push_back(element.get<std::string>());
    }
  }
  return fmt::format("{}: {}", gpus->at("mode").get<std::string>(), fmt::join(parts, ", "));
}

}  // namespace

ClusterImport::ClusterImport(const ImportOptions& options, Inventories inventories,
                             nlohmann::ordered_json planned)
    : options_(options),
      all_(std::move(inventories)),
      planned_(std::move(planned)),
      library_(load_library(config_dir())) {
  if (options.name.empty() || all_.hosts.size() != 1) return;
  all_.hosts.front().name = {options.name, "command line"};
}

bool ClusterImport::has_machines() const {
  return !all_.hosts.empty() || !all_.vms.empty() || !planned_.is_null();
}

std::optional<std::string> ClusterImport::make() {
  fragment_ = vsphere::import::to_scenario(all_.vms, all_.hosts);
  leave_out_unknown_settings();
  leave_out_vms_of_unknown_gpus();
  alike_ = vsphere::import::alike_hosts(all_.hosts);
  names_ = vsphere::import::scenario_names(all_.hosts);
  choose_files();
  if (auto problem = problem_of_files()) return problem;
  scenario_ = vsphere::import::cluster_scenario(all_.hosts, fragment_, sources_, planned_);
  return std::nullopt;
}

std::vector<ImportedText> ClusterImport::files() const {
  const auto scenario = scenario_file();
  if (all_.hosts.empty() && !scenario) {
    return {{options_.out, topology::inventory::to_readable_text(scenario_.json)}};
  }
  if (!options_.out && !scenario) {
    return {{std::nullopt, to_topology_text(all_.hosts.front())}};
  }
  std::vector<ImportedText> files;
  for (std::size_t h = 0; h < alike_.size(); ++h) {
    if (alike_[h] == h) files.push_back({files_[h], to_topology_text(all_.hosts[h])});
  }
  if (scenario) files.push_back({scenario, marked_text(scenario_.json)});
  return files;
}

ImportNotes ClusterImport::notes() const {
  ImportNotes notes;
  note_open_points(notes);
  note_files(notes);
  note_hosts(notes);
  for (const auto& some : scenario_.vms) {
    notes.add("found", fmt::format("{} {}: {}", some.count == 1 ? "VM" : "VMs", some.names,
                                   gpus_text(some.vm)));
  }
  notes.add("found", all_.found);
  notes.add("assumed", all_.assumed);
  notes.add("assumed", fragment_.assumed);
  if (scenario_file()) notes.add("assumed", scenario_.assumed);
  notes.add("skipped", all_.skipped);
  notes.add("skipped", fragment_.skipped);
  notes.add("next", all_.next);
  if (scenario_file()) notes.add("next", scenario_.next);
  return notes;
}

void ClusterImport::leave_out_unknown_settings() {
  if (!library_) return;
  for (auto& [name, vm] : fragment_.vms.items()) {
    const auto advanced = vm.find("advanced");
    if (advanced == vm.end()) continue;
    for (auto each = advanced->begin(); each != advanced->end();) {
      if (library_->vsphere->settings.find(each.key()) != nullptr) {
        ++each;
        continue;
      }
      fragment_.skipped.push_back(
          fmt::format("{}: the advanced setting {}, which is unknown", name, each.key()));
      each = advanced->erase(each);
    }
    if (advanced->empty()) vm.erase(advanced);
  }
}

bool ClusterImport::into_folder() const {
  if (!options_.out) return false;
  std::error_code failed;
  return options_.out->ends_with('/') || fs::is_directory(*options_.out, failed);
}

const topology::ServerModel* ClusterImport::known_server_of(const Inventory& host) const {
  return library_ && has_no_devices(host) ? known_server(host, *library_->catalog) : nullptr;
}

void ClusterImport::leave_out_vms_of_unknown_gpus() {
  const auto& vms = fragment_.vms;
  const bool known =
      std::any_of(vms.begin(), vms.end(), [](const auto& vm) { return vm.contains("gpus"); });
  const bool listed = std::any_of(all_.hosts.begin(), all_.hosts.end(),
                                  [&](const Inventory& host) { return known_server_of(host); });
  if (vms.empty() || known || !listed) return;
  fragment_.skipped = {
      fmt::format("{}: which of them have GPUs is unknown; the job runs on a host as bare metal",
                  text::plural(vms.size(), "VM"))};
  fragment_.vms = nlohmann::ordered_json::object();
}

std::optional<std::string> ClusterImport::scenario_file() const {
  if (options_.scenario || !into_folder()) return options_.scenario;
  return (fs::path(*options_.out) / "scenario.json").string();
}

void ClusterImport::choose_files() {
  const auto scenario = scenario_file();
  fs::path folder = into_folder() ? fs::path(*options_.out) : fs::path();
  if (!options_.out && scenario) {
    folder = fs::path(*scenario).parent_path() / (fs::path(*scenario).stem().string() + "-hosts");
  }
  for (const std::size_t first : alike_) {
    const bool named = options_.out && !into_folder();
    files_.push_back(named ? *options_.out : (folder / (names_[first] + ".json")).string());
    if (const topology::ServerModel* server = known_server_of(all_.hosts[first])) {
      sources_.push_back({server->id, true});
    } else {
      sources_.push_back({scenario ? relative_path(files_.back(), *scenario) : files_.back()});
    }
  }
}

std::optional<std::string> ClusterImport::problem_of_files() const {
  const auto scenario = scenario_file();
  if (!scenario) return std::nullopt;
  for (std::size_t h = 0; h < files_.size(); ++h) {
    if (sources_[h].is_server || files_[h].ends_with(".json")) continue;
    return fmt::format(
        "vgsim: a scenario names topology files by NAME.json: -o {0}.json instead of {0}\n",
        files_[h]);
  }
  std::error_code failed;
  if (options_.force || !fs::is_regular_file(*scenario, failed)) return std::nullopt;
  const auto there = input::load_source(*scenario);
  if (there && is_unedited((*there)->text)) return std::nullopt;
  return fmt::format(
      "vgsim: {} exists already and was edited since vgsim import wrote it: --force "
      "writes over it\n",
      *scenario);
}

std::string ClusterImport::relative_path(const std::string& file, const std::string& other) {
  std::error_code failed;
  const fs::path folder = fs::absolute(other, failed).lexically_normal().parent_path();
  return fs::absolute(file, failed).lexically_normal().lexically_proximate(folder).string();
}

void ClusterImport::note_open_points(ImportNotes& notes) const {
  if (lack_nics()) {
    notes.add("open",
              "no line of the table names NICs, and hosts without them cannot train together: "
              "the job runs in one of them");
  }
  for (std::size_t h = 0; h < alike_.size(); ++h) {
    const Inventory& host = all_.hosts[h];
    if (alike_[h] != h || !library_ || has_no_devices(host)) continue;
    for (const auto& point : topology::inventory::open_points(host, *library_->catalog)) {
      notes.add(point.is_needed() ? "needs" : "open",
                fmt::format("{}{}: {}", names_[h], and_alike(h), point.text));
    }
  }
}

bool ClusterImport::lack_nics() const {
  if (!planned_.is_object() || !planned_.contains("fabric")) return false;
  const auto& hosts = planned_.at("hosts");
  return std::none_of(hosts.begin(), hosts.end(),
                      [](const auto& host) { return host.contains("nics"); });
}

std::string ClusterImport::and_alike(std::size_t first) const {
  const auto more = std::count(alike_.begin(), alike_.end(), first) - 1;
  return more > 0 ? fmt::format(" and {} more that are alike", more) : std::string();
}

void ClusterImport::note_files(ImportNotes& notes) const {
  constexpr std::size_t kMostFiles = 20;
  std::map<std::string, std::size_t> formats;
  for (const ReadFile& file : all_.files) {
    ++formats[file.format];
    if (all_.files.size() <= kMostFiles) {
      notes.add("read", fmt::format("{}: {}", file.path, file.format));
    }
  }
  if (all_.files.size() <= kMostFiles) return;
  for (const auto& [format, count] : formats) {
    notes.add("read", fmt::format("{} of the format {}", text::plural(count, "file"), format));
  }
}

void ClusterImport::note_hosts(ImportNotes& notes) const {
  for (std::size_t h = 0; h < alike_.size(); ++h) {
    if (alike_[h] != h) continue;
    const Inventory& host = all_.hosts[h];
    const auto same = std::count(alike_.begin(), alike_.end(), h);
    if (same > 1) {
      notes.add("found", fmt::format("{} hosts that are alike, such as {}", same, names_[h]));
    }
    if (library_) notes.add("found", host_facts(host, *library_->catalog));
    const topology::ServerModel* server = known_server_of(host);
    if (server != nullptr) notes.add("assumed", server_assumptions(host, *server));
    notes.add("assumed", host.assumed);
    notes.add("skipped", host.skipped);
    notes.add("unknown", topology::inventory::unknown_facts(host));
  }
}

tl::expected<nlohmann::ordered_json, input::Diagnostics> planned_part(
    const Inventories& inventories) {
  if (inventories.planned.empty()) return nlohmann::ordered_json();
  const auto library = load_library(config_dir());
  if (!library) return tl::unexpected(library.error());
  return planned_scenario(inventories.planned, *library->catalog);
}

}  // namespace vgsim::cli
