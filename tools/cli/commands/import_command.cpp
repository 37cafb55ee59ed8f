#include "tools/cli/commands/import_command.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>

#include "models/vsphere/import/alike_hosts.hpp"
#include "models/vsphere/import/cluster_scenario.hpp"
#include "tools/cli/config_files.hpp"
#include "tools/cli/exit_code.hpp"
#include "tools/cli/import/host_text.hpp"
#include "tools/cli/import/import_notes.hpp"
#include "tools/cli/import/import_trace.hpp"
#include "tools/cli/import/imported.hpp"
#include "tools/cli/import/known_server.hpp"
#include "tools/cli/import/planned_scenario.hpp"
#include "tools/cli/import/read_files.hpp"
#include "tools/cli/import/written_mark.hpp"
#include "tools/cli/options/common_options.hpp"
#include "tools/cli/output.hpp"
#include "tools/text/words.hpp"
#include "topology/importers/topology_file/topology_file.hpp"
#include "topology/input/diagnostics.hpp"
#include "topology/input/load_source.hpp"
#include "topology/machine/build_host.hpp"
#include "topology/machine/import_codes.hpp"
#include "topology/machine/json_text.hpp"
#include "topology/machine/unknown_facts.hpp"

namespace vgsim::cli {
namespace {

const std::string kImportExamples = R"(
Examples:
  vgsim import topo.xml topo-m.txt vm.vmx -o host.json --scenario vms.json
  vgsim import vcenter/ --scenario cluster.json
  vgsim import trace.json.gz -o network.json
)";

std::string format_list() {
  std::string text = "\nFormats (--kind):\n";
  for (const ImportFormat& format : import_formats()) {
    text += fmt::format("  {:<11}  {}\n", format.word, format.about);
  }
  text += fmt::format("  {:<11}  {}", "trace",
                      "training job: PyTorch profile (Kineto) or execution trace, Chakra");
  return text;
}

using topology::inventory::Inventory;
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

/// All output of the command, determined before the first byte is written. Equal hosts share a
/// topology file.
class Import {
 public:
  Import(const ImportOptions& options, Inventories inventories, nlohmann::ordered_json planned)
      : options_(options),
        all_(std::move(inventories)),
        planned_(std::move(planned)),
        library_(load_library(config_dir())) {
    if (options.name.empty() || all_.hosts.size() != 1) return;
    all_.hosts.front().name = {options.name, "command line"};
  }

  int write() {
    if (!into_folder() && all_.hosts.size() > 1 && !options_.scenario) {
      write_message(fmt::format(
          "vgsim: the files describe {} hosts: give a folder for their files, such as -o "
          "imported/, or --scenario FILE\n",
          all_.hosts.size()));
      return kBadInput;
    }
    if (all_.hosts.empty() && all_.vms.empty() && planned_.is_null()) return report_measurements();
    fragment_ = vsphere::import::to_scenario(all_.vms, all_.hosts);
    leave_out_unknown_settings();
    leave_out_vms_of_unknown_gpus();
    alike_ = vsphere::import::alike_hosts(all_.hosts);
    names_ = vsphere::import::scenario_names(all_.hosts);
    choose_files();
    if (const auto problem = problem_of_files()) {
      write_message(*problem);
      return kBadInput;
    }
    scenario_ = vsphere::import::cluster_scenario(all_.hosts, fragment_, sources_, planned_);
    write_files();
    write_notes();
    return kDone;
  }

 private:
  /// Settings that no scenario may have.
  void leave_out_unknown_settings() {
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

  [[nodiscard]] bool into_folder() const {
    if (!options_.out) return false;
    std::error_code failed;
    return options_.out->ends_with('/') || fs::is_directory(*options_.out, failed);
  }

  /// Logs of benchmarks describe no host, so nothing is written.
  [[nodiscard]] int report_measurements() const {
    write_notes();
    if (!options_.out) return kDone;
    write_message(
        fmt::format("vgsim: the files are measurements, which describe neither host nor VM: "
                    "nothing is written to {}\n",
                    *options_.out));
    return kBadInput;
  }

  /// The catalogue's server for a host if the files contain only its model.
  [[nodiscard]] const topology::ServerModel* known_server_of(const Inventory& host) const {
    return library_ && has_no_devices(host) ? known_server(host, *library_->catalog) : nullptr;
  }

  /// Lists of VMs do not contain their GPUs, and a VM without GPUs in a scenario gets all of
  /// its host.
  void leave_out_vms_of_unknown_gpus() {
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

  /// The path of the scenario; nothing if none is written.
  [[nodiscard]] std::optional<std::string> scenario_file() const {
    if (options_.scenario || !into_folder()) return options_.scenario;
    return (fs::path(*options_.out) / "scenario.json").string();
  }

  /// Topology files: the named one, or several in a folder, by default next to the scenario.
  void choose_files() {
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

  /// Why an existing file must not be overwritten, or the scenario cannot refer to a topology
  /// file.
  [[nodiscard]] std::optional<std::string> problem_of_files() const {
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

  /// The path of a file relative to the folder of another one.
  static std::string relative_path(const std::string& file, const std::string& other) {
    std::error_code failed;
    const fs::path folder = fs::absolute(other, failed).lexically_normal().parent_path();
    return fs::absolute(file, failed).lexically_normal().lexically_proximate(folder).string();
  }

  void write_files() const {
    const auto scenario = scenario_file();
    if (all_.hosts.empty() && !scenario) {
      return write_result(topology::inventory::to_readable_text(scenario_.json), options_.out);
    }
    if (!options_.out && !scenario) {
      return write_result(to_topology_text(all_.hosts.front()), std::nullopt);
    }
    for (std::size_t h = 0; h < alike_.size(); ++h) {
      if (alike_[h] == h) write_result(to_topology_text(all_.hosts[h]), files_[h]);
    }
    if (scenario) write_result(marked_text(scenario_.json), scenario);
  }

  void write_notes() const {
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
    write_message(notes.text() + input::render(all_.warnings));
  }

  void note_open_points(ImportNotes& notes) const {
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

  /// Whether a table has several hosts, all without NICs.
  [[nodiscard]] bool lack_nics() const {
    if (!planned_.is_object() || !planned_.contains("fabric")) return false;
    const auto& hosts = planned_.at("hosts");
    return std::none_of(hosts.begin(), hosts.end(),
                        [](const auto& host) { return host.contains("nics"); });
  }

  /// " and 3 more that are alike".
  [[nodiscard]] std::string and_alike(std::size_t first) const {
    const auto more = std::count(alike_.begin(), alike_.end(), first) - 1;
    return more > 0 ? fmt::format(" and {} more that are alike", more) : std::string();
  }

  void note_files(ImportNotes& notes) const {
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

  void note_hosts(ImportNotes& notes) const {
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

  const ImportOptions& options_;
  Inventories all_;
  nlohmann::ordered_json planned_;
  tl::expected<scenario::Library, input::Diagnostics> library_;
  vsphere::import::VmFragment fragment_;
  vsphere::import::ClusterScenario scenario_;
  std::vector<std::size_t> alike_;  ///< index of the first host that is equal to each
  std::vector<std::string> names_;  ///< of hosts
  std::vector<std::string> files_;  ///< of hosts
  std::vector<vsphere::import::HostSource> sources_;  ///< of hosts, as the scenario names them
};

}  // namespace

CLI::App* add_import_command(CLI::App& app, ImportOptions& options) {
  CLI::App* command = app.add_subcommand(
      "import",
      "convert dumps of hosts to topology files, VMs to scenario fragments, traces to networks");
  command
      ->add_option("files", options.files,
                   "dumps of hosts and VMs, or folders of them; the format is detected")
      ->required()
      ->type_name("FILE");
  command->add_option("--kind", options.kind, "format of all files, if the content is ambiguous")
      ->type_name("KIND");
  command->add_option("--name", options.name, "of the host or network (default: from the files)")
      ->type_name("NAME");
  add_output_option(*command, "--scenario", options.scenario,
                    "also write a scenario that runs, with the hosts, their VMs and a job");
  command->add_flag("--force", options.force, "overwrite a scenario that was edited");
  command
      ->add_option("--batch", options.batch,
                   "samples of a pass of a trace (default: from the trace)")
      ->check(CLI::Range(std::int64_t{1}, std::int64_t{1'000'000'000}))
      ->type_name("N");
  command
      ->add_option("--gpu", options.gpu,
                   "GPU of a trace, by its catalogue name (default: from the trace)")
      ->type_name("NAME");
  add_out_option(*command, options.out,
                 "write to this file instead of stdout; several hosts: to this folder",
                 Destination::kEither);
  command->footer(kImportExamples + format_list());
  return command;
}

int import_command(const ImportOptions& options) {
  if (is_trace_import(options)) return import_trace(options);
  auto inventories = read_inventories(options.files, options.kind);
  if (!inventories) return report_errors(inventories.error());
  nlohmann::ordered_json planned;
  if (!inventories->planned.empty()) {
    const auto library = load_library(config_dir());
    if (!library) return report_errors(library.error());
    auto table = planned_scenario(inventories->planned, *library->catalog);
    if (!table) return report_errors(table.error());
    planned = std::move(*table);
  }
  return Import(options, std::move(*inventories), std::move(planned)).write();
}

}  // namespace vgsim::cli
