#include "tools/cli/options/measuring_options.hpp"

#include <CLI/CLI.hpp>
#include <string>

#include "tools/cli/options/common_options.hpp"
#include "tools/cli/options/run_options.hpp"

namespace vgsim::cli {
namespace {

constexpr const char* kProbeFooter = R"(
Examples:
  vgsim probe --quick
  vgsim probe --name lab -o lab.json)";

constexpr const char* kCalibrateFooter = R"(
Examples:
  vgsim calibrate measured/ --name my-hosts
  vgsim calibrate all_reduce.log --scenario my-host.json --name my-hosts)";

}  // namespace

CLI::App* add_probe_command(CLI::App& app, Options& options) {
  ProbeOptions& probe = options.probe;
  CLI::App* command = app.add_subcommand(
      "probe", "measure this machine's GPUs: copies, kernels, training steps, collectives");
  command->add_flag("--quick", probe.quick, "the essential ones, in less than a minute");
  command->add_option("--name", probe.name, "of the measurement (default: after the GPU)")
      ->type_name("NAME");
  add_time_limit_option(*command, options, "for everything (default 9 min; quick 50 s)");
  add_out_option(*command, options.out);
  command->footer(kProbeFooter);
  return command;
}

CLI::App* add_calibrate_command(CLI::App& app, Options& options) {
  CalibrateOptions& wanted = options.calibrate;
  CLI::App* command = app.add_subcommand(
      "calibrate", "fit the model's parameters to measurements of your machines");
  command
      ->add_option(
          "measurements", wanted.paths,
          "of vgsim probe; measured cases of collectives or training; output of nvbandwidth, "
          "p2pBandwidthLatencyTest or nccl-tests; or folders of JSON files")
      ->required()
      ->type_name("FILE");
  command->add_option("--scenario", wanted.scenario, "that output of nccl-tests was measured on")
      ->type_name("SCENARIO.json");
  command->add_option("--layout", wanted.layout, "of that scenario")->type_name("NAME");
  command->add_option("--name", wanted.name, "of the calibration")
      ->required()
      ->check(CLI::Validator(
          [](const std::string& name) {
            const bool plain = name.find_first_not_of(
                                   "abcdefghijklmnopqrstuvwxyz"
                                   "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.") == std::string::npos;
            return plain ? std::string() : "expected letters, digits, \"-\", \"_\" and \".\"";
          },
          "NAME"))
      ->type_name("NAME");
  command
      ->add_option("--hold-back", wanted.held_back,
                   "share of the points that prove the fit instead (default 0.25)")
      ->check(CLI::Range(0.0, 0.9))
      ->type_name("SHARE");
  command->add_option("--date", wanted.date, "of the measurements (default today)")
      ->type_name("DATE");
  add_out_option(*command, options.out,
                 "write to this file (default configs/calibrations/NAME.json)");
  command->footer(kCalibrateFooter);
  return command;
}

}  // namespace vgsim::cli
