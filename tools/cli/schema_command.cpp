#include "tools/cli/schema_command.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "models/calibration/calibration.hpp"
#include "models/calibration/measurement.hpp"
#include "models/calibration/parameters.hpp"
#include "models/collectives/nccl/releases.hpp"
#include "models/scenario/advise/advice_request.hpp"
#include "models/scenario/check/baseline.hpp"
#include "models/scenario/check/tolerances.hpp"
#include "models/scenario/scenario_shape.hpp"
#include "models/scenario/score/bars.hpp"
#include "models/scenario/score/measured_case.hpp"
#include "models/scenario/score/score_file.hpp"
#include "models/scenario/sweep/sweep.hpp"
#include "models/training/network.hpp"
#include "models/vsphere/facts/facts.hpp"
#include "tools/cli/common_options.hpp"
#include "tools/cli/error_explanations.hpp"
#include "tools/cli/exit_code.hpp"
#include "tools/cli/output.hpp"
#include "topology/catalog/catalog_shapes.hpp"
#include "topology/input/suggest.hpp"
#include "topology/inventory/topology_file.hpp"

namespace vgsim::cli {
namespace {

struct Schema {
  const char* kind;
  const char* title;
  input::Shape (*shape)();
};

constexpr Schema kSchemas[] = {
    {"scenario", "vgsim scenario", &scenario::scenario_shape},
    {"catalog", "vgsim catalogue file", &topology::catalog_shape},
    {"network", "vgsim network", &training::network_shape},
    {"topology", "vgsim topology of a host", &topology::inventory::topology_shape},
    {"calibration", "vgsim calibration", &calibration::calibration_shape},
    {"measurement", "vgsim measurement", &calibration::measurement_shape},
    {"parameters", "vgsim model parameters", &calibration::parameters_shape},
    {"nccl-releases", "vgsim releases of NCCL", &collectives::nccl::releases_shape},
    {"sweep", "vgsim sweep", &scenario::sweep_shape},
    {"advice", "vgsim request for advice", &scenario::advice_shape},
    {"baseline", "vgsim baseline of a scenario", &scenario::baseline_shape},
    {"tolerances", "vgsim tolerances of a baseline", &scenario::tolerances_shape},
    {"errors", "vgsim explanations of errors", &errors_shape},
    {"case", "vgsim measured case", &scenario::case_shape},
    {"bars", "vgsim bars of a score", &scenario::bars_shape},
    {"score", "vgsim score", &scenario::score_shape},
    {"vsphere-versions", "vgsim versions of vSphere", &vsphere::Versions::shape},
    {"vsphere-profiles", "vgsim vGPU profiles", &vsphere::Profiles::shape},
    {"vsphere-partitions", "vgsim NVSwitch partitions", &vsphere::Partitions::shape},
    {"vsphere-rules", "vgsim rules of vSphere", &vsphere::rules_shape},
};

constexpr const char* kSchemaFooter = R"(
Examples:
  vgsim schema
  vgsim schema catalog -o catalog.schema.json)";

std::vector<std::string> kinds() {
  std::vector<std::string> names;
  for (const Schema& schema : kSchemas) names.emplace_back(schema.kind);
  return names;
}

}  // namespace

CLI::App* add_schema_command(CLI::App& app, SchemaOptions& options) {
  CLI::App* command = app.add_subcommand("schema", "print the JSON Schema of a kind of file");
  command
      ->add_option("kind", options.kind,
                   fmt::format("{}; {} by default", fmt::join(kinds(), ", "), options.kind))
      ->type_name("KIND");
  add_out_option(*command, options.out);
  command->footer(kSchemaFooter);
  return command;
}

int schema_command(const SchemaOptions& options) {
  const std::string& kind = options.kind;
  const std::vector<std::string> known = kinds();
  for (const Schema& schema : kSchemas) {
    if (kind != schema.kind) continue;
    write_result(
        input::to_json_schema(schema.shape(), schema.title, fmt::format("{}.schema.json", kind)),
        options.out);
    return kDone;
  }
  const auto near = input::suggest(kind, known);
  write_message(fmt::format("vgsim: no schema \"{}\"{}; there are {}\n", kind,
                            near.empty() ? "" : fmt::format("; did you mean \"{}\"?", near[0]),
                            fmt::join(known, ", ")));
  return kBadInput;
}

}  // namespace vgsim::cli
