#include <fmt/format.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "models/traces/trace_file.hpp"
#include "models/vsphere/import/vm_scenario.hpp"
#include "tools/cli/commands/commands.hpp"
#include "tools/cli/config_files.hpp"
#include "tools/cli/exit_code.hpp"
#include "tools/cli/import/host_text.hpp"
#include "tools/cli/import/import_notes.hpp"
#include "tools/cli/import/import_trace.hpp"
#include "tools/cli/import/known_server.hpp"
#include "tools/cli/import/read_files.hpp"
#include "tools/cli/output.hpp"
#include "tools/text/words.hpp"
#include "topology/importers/nccl/inventory_host.hpp"
#include "topology/importers/topology_file/topology_file.hpp"
#include "topology/input/diagnostics.hpp"
#include "topology/input/load_source.hpp"
#include "topology/inventory/import_codes.hpp"
#include "topology/inventory/json_text.hpp"
#include "topology/inventory/not_told.hpp"

namespace vgsim::cli {
namespace {

using topology::inventory::Inventory;
namespace fs = std::filesystem;

/// A file that comes of an import.
struct Made {
  std::string name;  ///< in a folder
  std::string text;
};

/// `places`: of each host the file that describes it or, where none does, its server.
std::string scenario_text(const std::vector<Inventory>& hosts,
                          const vsphere::import::VmFragment& fragment,
                          const std::vector<nlohmann::ordered_json>& places) {
  nlohmann::ordered_json scenario = {{"name", "imported"}};
  const auto names = vsphere::import::scenario_names(hosts);
  for (std::size_t h = 0; h < hosts.size(); ++h) {
    const std::string version = vsphere::import::vsphere_version(hosts[h]);
    if (!version.empty()) scenario["vsphere"] = version;
  }
  if (hosts.size() > 1) scenario["fabric"] = {{"kind", "single-switch"}};
  for (std::size_t h = 0; h < hosts.size(); ++h) {
    scenario["hosts"][names[h]] = places[h];
  }
  if (!fragment.vms.empty()) scenario["vms"] = fragment.vms;
  return topology::inventory::to_readable_text(scenario);
}

/// "passthrough_static: gpu0, gpu1" of a VM of a scenario.
std::string gpus_text(const nlohmann::ordered_json& vm) {
  const auto gpus = vm.find("gpus");
  if (gpus == vm.end()) return "no GPU";
  std::vector<std::string> parts;
  for (const auto& [key, value] : gpus->items()) {
    if (key == "mode") continue;
    if (!value.is_array()) {
      parts.push_back(value.is_number() ? plural(value.get<std::size_t>(), "GPU")
                                        : value.get<std::string>());
    }
    for (const auto& element : value.is_array() ? value : nlohmann::ordered_json::array()) {
      parts.push_back(element.get<std::string>());
    }
  }
  return fmt::format("{}: {}", gpus->at("mode").get<std::string>(), fmt::join(parts, ", "));
}

/// Everything that the command writes, worked out before the first byte is written.
class Import {
 public:
  Import(const Options& options, Inventories inventories)
      : options_(options), all_(std::move(inventories)), library_(load_library(config_dir())) {
    if (options.import.name.empty() || all_.hosts.size() != 1) return;
    all_.hosts.front().name = {options.import.name, "command line"};
  }

  int write() {
    fragment_ = vsphere::import::to_scenario(all_.vms, all_.hosts);
    if (const auto problem = output_problem()) {
      write_message(*problem);
      return kBadInput;
    }
    if (all_.hosts.empty() && all_.vms.empty()) return tell_of_measurements();
    if (into_folder()) {
      write_folder();
    } else if (all_.hosts.empty()) {
      write_result(scenario_text({}, fragment_, {}), options_.out);
    } else {
      write_result(to_topology_text(all_.hosts.front()), options_.out);
      if (options_.import.scenario) {
        write_scenario({place_of(all_.hosts.front(), fs::path(*options_.out).filename().string())},
                       *options_.import.scenario);
      }
    }
    tell();
    return kDone;
  }

 private:
  [[nodiscard]] bool into_folder() const {
    if (!options_.out) return false;
    std::error_code failed;
    return options_.out->ends_with('/') || fs::is_directory(*options_.out, failed);
  }

  [[nodiscard]] std::optional<std::string> output_problem() const {
    if (all_.hosts.size() > 1 && !into_folder()) {
      return fmt::format(
          "vgsim: the files describe {} hosts: give a folder for their files, such as -o "
          "imported/\n",
          all_.hosts.size());
    }
    if (options_.import.scenario && !options_.out) {
      return std::string("vgsim: --scenario needs -o, the topology file that it names\n");
    }
    return std::nullopt;
  }

  /// Logs of benchmarks describe no host: there is nothing to write, only to tell.
  [[nodiscard]] int tell_of_measurements() const {
    tell();
    if (!options_.out) return kDone;
    write_message(
        fmt::format("vgsim: the files are measurements, which describe neither host nor VM: "
                    "nothing is written to {}\n",
                    *options_.out));
    return kBadInput;
  }

  /// The server that stands for a host of which the files tell the name of the machine alone.
  [[nodiscard]] const topology::ServerModel* stands_for(const Inventory& host) const {
    return library_ && tells_no_devices(host) ? known_server(host, library_->catalog) : nullptr;
  }

  [[nodiscard]] nlohmann::ordered_json place_of(const Inventory& host,
                                                const std::string& file) const {
    const topology::ServerModel* server = stands_for(host);
    if (server == nullptr) return nlohmann::ordered_json::object({{"topology", file}});
    return nlohmann::ordered_json::object({{"server", server->id}});
  }

  void write_scenario(const std::vector<nlohmann::ordered_json>& places,
                      const std::string& file) const {
    write_result(scenario_text(all_.hosts, fragment_, places), file);
  }

  void write_folder() const {
    fs::create_directories(*options_.out);
    const fs::path folder(*options_.out);
    std::vector<nlohmann::ordered_json> places;
    const auto names = vsphere::import::scenario_names(all_.hosts);
    for (std::size_t h = 0; h < all_.hosts.size(); ++h) {
      const std::string file = names[h] + ".json";
      places.push_back(place_of(all_.hosts[h], file));
      write_result(to_topology_text(all_.hosts[h]), (folder / file).string());
    }
    write_scenario(places, options_.import.scenario.value_or((folder / "scenario.json").string()));
  }

  void tell() const {
    ImportNotes notes;
    for (const Inventory& host : all_.hosts) {
      if (!library_ || tells_no_devices(host)) continue;
      for (const auto& point : topology::inventory::open_points(host, library_->catalog)) {
        const std::string name = host.name ? host.name->value + ": " : std::string();
        notes.add(point.is_needed() ? "needs" : "open", name + point.text);
      }
    }
    for (const ReadFile& file : all_.files)
      notes.add("read", fmt::format("{}: {}", file.path, file.format));
    for (const Inventory& host : all_.hosts) {
      if (library_) notes.add("found", host_facts(host, library_->catalog));
      const topology::ServerModel* server = stands_for(host);
      if (server == nullptr) continue;
      notes.add("assumed", server_assumptions(host, *server));
    }
    for (const auto& [name, vm] : fragment_.vms.items()) {
      notes.add("found", fmt::format("VM {}: {}", name, gpus_text(vm)));
    }
    notes.add("found", all_.found);
    for (const Inventory& host : all_.hosts) {
      notes.add("assumed", host.assumed);
      notes.add("skipped", host.skipped);
      const auto missing = topology::inventory::not_told(host);
      notes.add("not told", missing);
    }
    notes.add("assumed", all_.assumed);
    notes.add("assumed", fragment_.assumed);
    notes.add("skipped", all_.skipped);
    notes.add("skipped", fragment_.skipped);
    notes.add("next", all_.next);
    write_message(notes.text() + input::render(all_.warnings));
  }

  const Options& options_;
  Inventories all_;
  tl::expected<scenario::Library, input::Diagnostics> library_;
  vsphere::import::VmFragment fragment_;
};

}  // namespace

int import_command(const Options& options) {
  const ImportOptions& wanted = options.import;
  input::Diagnostics special;
  for (const std::string& file : wanted.files) {
    if (!input::special_file(file)) continue;
    special.append(input::load_source(file).error());
  }
  if (special.has_errors()) return report_errors(special);
  if (is_trace_import(wanted)) return import_trace(options);
  auto inventories = read_inventories(wanted.files, wanted.kind);
  if (!inventories) return report_errors(inventories.error());
  return Import(options, std::move(*inventories)).write();
}

}  // namespace vgsim::cli
