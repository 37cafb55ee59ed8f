#include "tools/cli/commands/schema_command.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "models/calibration/read/calibration_file.hpp"
#include "models/calibration/read/measurement_file.hpp"
#include "models/calibration/read/parameter_files.hpp"
#include "models/collectives/nccl/read/releases.hpp"
#include "models/questions/read/advice_request.hpp"
#include "models/questions/read/baseline.hpp"
#include "models/questions/read/sweep.hpp"
#include "models/questions/read/tolerances.hpp"
#include "models/scenario/answer/result_shape.hpp"
#include "models/scenario/read/layout_keys.hpp"
#include "models/scoring/case_kind.hpp"
#include "models/scoring/kinds/case_scenarios.hpp"
#include "models/scoring/read/folds.hpp"
#include "models/scoring/read/stored_score.hpp"
#include "models/scoring/read/thresholds.hpp"
#include "models/training/read/network_file.hpp"
#include "models/vsphere/facts/facts.hpp"
#include "tools/cli/check/scenario_files.hpp"
#include "tools/cli/config_files.hpp"
#include "tools/cli/error_explanations.hpp"
#include "tools/cli/exit_code.hpp"
#include "tools/cli/options/common_options.hpp"
#include "tools/cli/output.hpp"
#include "tools/cli/output_shapes.hpp"
#include "tools/cli/reference/keys_page.hpp"
#include "tools/cli/score/case_files.hpp"
#include "topology/catalog/catalog_shapes.hpp"
#include "topology/importers/topology_file/topology_file.hpp"
#include "topology/input/json_reader.hpp"
#include "topology/input/load_source.hpp"
#include "topology/input/suggest.hpp"

namespace vgsim::cli {
namespace {

struct Schema {
  std::string kind;
  std::string title;
  input::Shape (*shape)();
};

const std::vector<Schema> kFileSchemas = {
    {"scenario", "vgsim scenario", &scenario::scenario_shape},
    {"catalog", "vgsim catalogue file", &topology::catalog_shape},
    {"network", "vgsim network", &training::network_shape},
    {"topology", "vgsim topology of a host", &topology::inventory::topology_shape},
    {"calibration", "vgsim calibration", &calibration::calibration_shape},
    {"measurement", "vgsim measurement", &calibration::measurement_shape},
    {"parameters", "vgsim model parameters", &calibration::parameters_shape},
    {"nccl-releases", "vgsim releases of NCCL", &collectives::nccl::releases_shape},
    {"result", "vgsim result of run", &scenario::result_shape},
    {"check", "vgsim result of check", &check_shape},
    {"comparison", "vgsim result of compare", &comparison_shape},
    {"explanation", "vgsim result of explain", &explanation_shape},
    {"case-patch", "vgsim patch of a measured case", [] { return scoring::case_patch(); }},
    {"sweep", "vgsim sweep", &scenario::sweep_shape},
    {"advice", "vgsim request for advice", &scenario::advice_shape},
    {"baseline", "vgsim baseline of a scenario", &scenario::baseline_shape},
    {"tolerances", "vgsim tolerances of a baseline", &scenario::tolerances_shape},
    {"errors", "vgsim explanations of errors", &errors_shape},
    {"bars", "vgsim thresholds of a score", &scoring::thresholds_shape},
    {"score", "vgsim score", &scoring::score_shape},
    {"training-folds", "vgsim folds of training cases", &scoring::folds_shape},
    {"vsphere-versions", "vgsim versions of vSphere", &vsphere::Versions::shape},
    {"vsphere-profiles", "vgsim vGPU profiles", &vsphere::Profiles::shape},
    {"vsphere-partitions", "vgsim NVSwitch partitions", &vsphere::Partitions::shape},
    {"vsphere-settings", "vgsim advanced settings of VMs", &vsphere::Settings::shape},
    {"vsphere-rules", "vgsim rules of vSphere", &vsphere::rules_shape},
};

/// The "$id" of a schema, as the standard requires: an absolute address that is not fetched.
/// Files refer to each other by relative names and have to be in one folder.
constexpr const char* kSchemaAddress = "https://vgsim.example/schema/";

/// "training-case" of "vgsim.training-case/1".
std::string kind_of_format(const std::string& format) {
  const std::size_t begin = format.find('.') + 1;
  return format.substr(begin, format.find('/') - begin);
}

/// With one for each kind of measured case that is a JSON file.
const std::vector<Schema>& schemas() {
  static const std::vector<Schema> all = [] {
    std::vector<Schema> table = kFileSchemas;
    for (const scoring::CaseKind& kind : scoring::case_kinds()) {
      if (kind.is_table()) continue;
      table.push_back({kind_of_format(kind.format),
                       fmt::format("vgsim measured case of {}", kind.name), kind.shape});
    }
    return table;
  }();
  return all;
}

constexpr const char* kSchemaFooter = R"(
Examples:
  vgsim schema
  vgsim schema catalog -o catalog.schema.json)";

std::vector<std::string> kinds() {
  std::vector<std::string> names;
  for (const Schema& schema : schemas()) names.emplace_back(schema.kind);
  return names;
}

/// The keys used by files of a kind in the configs folder, by pointer.
KeyUses uses_of(const Schema& schema) {
  input::Diagnostics diagnostics;
  KeyUses uses;
  const input::Shape shape = schema.shape();
  for (const std::string& path : json_files_below(config_dir(), diagnostics)) {
    const auto source = input::load_source(path);
    const auto document = source ? input::read_json(*source) : tl::unexpected(source.error());
    if (document && declared_kind(*document) == schema.kind) add_uses(*document, shape, uses);
  }
  return uses;
}

std::string schema_text(const Schema& schema, const std::string& format) {
  if (format == "md") {
    const DescribedElsewhere elsewhere = {{"/job/network", "an object as in a network's file"}};
    return keys_page(schema.shape(), uses_of(schema), elsewhere);
  }
  return input::to_json_schema(schema.shape(), schema.title,
                               fmt::format("{}{}.schema.json", kSchemaAddress, schema.kind));
}

}  // namespace

CLI::App* add_schema_command(CLI::App& app, SchemaOptions& options) {
  CLI::App* command = app.add_subcommand("schema", "print the JSON Schema of a kind of file");
  command
      ->add_option("kind", options.kind,
                   fmt::format("{}; {} by default", fmt::join(kinds(), ", "), options.kind))
      ->type_name("KIND");
  command
      ->add_option("--format", options.format,
                   "json (default), or md: its keys in Markdown, with examples from configs/")
      ->check(CLI::IsMember({"json", "md"}))
      ->type_name("FORMAT");
  add_out_option(*command, options.out);
  command->footer(kSchemaFooter);
  return command;
}

int schema_command(const SchemaOptions& options) {
  const std::string& kind = options.kind;
  const std::vector<std::string> known = kinds();
  for (const Schema& schema : schemas()) {
    if (kind != schema.kind) continue;
    write_result(schema_text(schema, options.format), options.out);
    return kDone;
  }
  const auto near = input::suggest(kind, known);
  write_message(fmt::format("vgsim: no schema \"{}\"{}; there are {}\n", kind,
                            near.empty() ? "" : fmt::format("; did you mean \"{}\"?", near[0]),
                            fmt::join(known, ", ")));
  return kBadInput;
}

}  // namespace vgsim::cli
