#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <csignal>
#include <exception>
#include <functional>
#include <new>
#include <string>
#include <utility>
#include <vector>

#include "sim/engine.hpp"
#include "sim/units.hpp"
#include "tools/cli/advise_command.hpp"
#include "tools/cli/check_command.hpp"
#include "tools/cli/commands.hpp"
#include "tools/cli/common_options.hpp"
#include "tools/cli/compare_command.hpp"
#include "tools/cli/completion_command.hpp"
#include "tools/cli/doctor_command.hpp"
#include "tools/cli/exit_code.hpp"
#include "tools/cli/explain_command.hpp"
#include "tools/cli/man_command.hpp"
#include "tools/cli/output.hpp"
#include "tools/cli/report_command.hpp"
#include "tools/cli/run_options.hpp"
#include "tools/cli/score_options.hpp"
#include "tools/cli/sweep_command.hpp"
#include "tools/cli/topology_options.hpp"
#include "tools/cli/version.hpp"
#include "topology/input/suggest.hpp"
#include "topology/input/unit_strings.hpp"

namespace vgsim::cli {
namespace {

constexpr const char* kExamples = R"(
Examples:
  vgsim run configs/scenarios/bert-large-4xr750xa.json
  vgsim run scenario.json --format json > result.json
  vgsim compare scenario.json
  vgsim validate scenario.json
  vgsim explain scenario.json
  vgsim explain mmio-too-small
  vgsim advise request.json
  vgsim report scenario.json -o report.html
  vgsim sweep sweep.json --out runs/
  vgsim check configs/scenarios --baseline baselines/
  vgsim score tests/cases
  vgsim score --from-log all_reduce.log --scenario scenario.json
  vgsim catalog gpus a100-pcie-80gb
  vgsim probe --quick -o host.json
  vgsim calibrate measured/ --name my-hosts
  vgsim import topo.xml topo-m.txt vm.vmx -o host.json --scenario scenario.json
  vgsim show host.json
  vgsim export scenario.json --vm train01 --as nccl -o topo.xml
  vgsim nccl topo.xml --hosts 4 --env NCCL_ALGO=Ring

Exit codes: 0 done, 1 an expectation failed, 2 bad input or usage, 3 a bug in vgsim,
4 a limit stopped it.)";

void add_output_options(CLI::App& command, Options& options) {
  add_format_option(command, options.format);
  add_out_option(command, options.out);
}

CLI::App* add_scenario_command(CLI::App& app, const char* name, const char* about,
                               Options& options) {
  CLI::App* command = app.add_subcommand(name, about);
  command->add_option("scenario", options.scenario, "scenario file (JSON)")
      ->required()
      ->type_name("SCENARIO.json");
  add_output_options(*command, options);
  add_set_option(*command, options.set);
  add_full_option(*command, options.full);
  return command;
}

CLI::App* add_nccl_command(CLI::App& app, Options& options) {
  NcclOptions& nccl = options.nccl;
  CLI::App* command =
      app.add_subcommand("nccl", "show what NCCL would decide on hosts of a topology file");
  command
      ->add_option("topology", nccl.topology,
                   "file written by NCCL (NCCL_TOPO_DUMP_FILE) or by vgsim import")
      ->required()
      ->type_name("TOPO.xml");
  command->add_option("--hosts", nccl.hosts, "number of such hosts (default 1)")->type_name("N");
  command->add_option("--nccl-version", nccl.version, "release, 2.10 to 2.30 (default newest)")
      ->type_name("V");
  command->add_option("--env", nccl.environment, "variable of NCCL's environment; may be repeated")
      ->type_name("NAME=VALUE")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  command->add_option("--sizes", nccl.sizes, "buffer sizes, such as \"8 B .. 8 GiB x2\"")
      ->type_name("SIZES");
  add_output_options(*command, options);
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
  command
      ->add_option("-o,--out", options.out,
                   "write to this file (default configs/calibrations/NAME.json)")
      ->type_name("FILE");
  return command;
}

CLI::App* add_probe_command(CLI::App& app, Options& options) {
  ProbeOptions& probe = options.probe;
  CLI::App* command = app.add_subcommand(
      "probe", "measure this machine's GPUs: copies, kernels, training steps, collectives");
  command->add_flag("--quick", probe.quick, "the essential ones, in less than a minute");
  command->add_option("--name", probe.name, "of the measurement (default: after the GPU)")
      ->type_name("NAME");
  add_time_limit_option(*command, options, "for everything (default 9 min; quick 50 s)");
  command->add_option("-o,--out", options.out, "write to this file instead of stdout")
      ->type_name("FILE");
  return command;
}

CLI::App* add_catalog_command(CLI::App& app, Options& options) {
  CLI::App* command = app.add_subcommand("catalog", "list the known parts, with sources");
  command->add_option("kind", options.kind, "kind of part")->type_name("KIND");
  command->add_option("name", options.name, "one part")->type_name("NAME");
  add_output_options(*command, options);
  return command;
}

CLI::App* add_schema_command(CLI::App& app, Options& options) {
  CLI::App* command = app.add_subcommand("schema", "print the JSON Schema of a kind of file");
  command
      ->add_option("kind", options.kind,
                   "scenario (default), catalog, network, calibration, measurement, parameters, "
                   "topology, nccl-releases, case, bars, score, vsphere-versions, "
                   "vsphere-profiles, vsphere-partitions or vsphere-rules")
      ->type_name("KIND");
  add_out_option(*command, options.out);
  return command;
}

/// The first word that is no option, if it names no command.
std::string unknown_command(const CLI::App& app, int argc, char** argv) {
  if (argc < 2 || argv[1][0] == '-') return {};
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    if (command->get_name() == argv[1]) return {};
  }
  return argv[1];
}

int report_usage(const CLI::App& app, const CLI::ParseError& error, int argc, char** argv) {
  if (error.get_exit_code() == 0) return app.exit(error);  // --help, --version
  const std::string word = unknown_command(app, argc, argv);
  if (word.empty()) {
    write_message(fmt::format("vgsim: {}\nSee vgsim --help.\n", error.what()));
    return kBadInput;
  }
  std::vector<std::string> known;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    known.push_back(command->get_name());
  }
  const auto near = input::suggest(word, known);
  write_message(fmt::format("vgsim: unknown command \"{}\"{}\nSee vgsim --help.\n", word,
                            near.empty() ? "" : fmt::format("; did you mean \"{}\"?", near[0])));
  return kBadInput;
}

/// The commands that have options of their own kind.
struct MoreOptions {
  CompareOptions compare;
  ExplainOptions explain;
  AdviseOptions advise;
  SweepOptions sweep;
  ReportOptions report;
  CheckOptions check;
  DoctorOptions doctor;
  CompletionOptions completion;
  ManOptions man;
};

int dispatch(int argc, char** argv) {
  CLI::App app("Simulates training jobs on vSphere GPU clusters.", "vgsim");
  app.set_version_flag("--version", fmt::format("vgsim {}", version()));
  app.require_subcommand(1);
  app.footer(kExamples);
  Options options;
  MoreOptions more;
  std::vector<std::pair<const CLI::App*, std::function<int()>>> commands;
  const auto add = [&](const CLI::App* command, std::function<int()> run) {
    commands.emplace_back(command, std::move(run));
  };
  CLI::App* run = add_scenario_command(
      app, "run", "simulate a scenario and show its layouts side by side", options);
  add_run_options(*run, options);
  add_quiet_option(*run, options.quiet);
  add(run, [&] { return run_command(options); });
  add(add_compare_command(app, more.compare), [&] { return compare_command(more.compare); });
  add(add_scenario_command(app, "validate", "check a scenario without simulating it", options),
      [&] { return validate_command(options); });
  add(add_scenario_command(app, "place",
                           "show where vSphere puts the VMs of a scenario, one after the other",
                           options),
      [&] { return place_command(options); });
  add(add_explain_command(app, more.explain), [&] { return explain_command(more.explain); });
  add(add_advise_command(app, more.advise), [&] { return advise_command(more.advise); });
  add(add_sweep_command(app, more.sweep), [&] { return sweep_command(more.sweep); });
  add(add_report_command(app, more.report), [&] { return report_command(more.report); });
  add(add_catalog_command(app, options), [&] { return catalog_command(options); });
  CLI::App* score = add_score_command(app, options);
  add_format_option(*score, options.format);
  add(score, [&] { return score_command(options); });
  add(add_check_command(app, more.check), [&] { return check_command(more.check); });
  add(add_probe_command(app, options), [&] { return probe_command(options); });
  add(add_calibrate_command(app, options), [&] { return calibrate_command(options); });
  add(add_import_command(app, options), [&] { return import_command(options); });
  add(add_show_command(app, options), [&] { return show_command(options); });
  add(add_export_command(app, options), [&] { return export_command(options); });
  add(add_nccl_command(app, options), [&] { return nccl_command(options); });
  add(add_schema_command(app, options), [&] { return schema_command(options); });
  add(add_doctor_command(app, more.doctor), [&] { return doctor_command(more.doctor); });
  add(add_completion_command(app, more.completion),
      [&] { return completion_command(app, more.completion); });
  add(add_man_command(app, more.man), [&] { return man_command(app, more.man); });
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return report_usage(app, error, argc, argv);
  }
  for (const auto& [command, run_it] : commands) {
    if (command->parsed()) return run_it();
  }
  return kBadInput;
}

int guarded(int argc, char** argv) {
  try {
    return dispatch(argc, argv);
  } catch (const OutputError& error) {
    write_message(fmt::format("vgsim: {}\n", error.what()));
    return kBadInput;
  } catch (const OverflowError& error) {
    write_message(fmt::format("vgsim: a quantity is too large to simulate: {}\n", error.what()));
    return kLimitReached;
  } catch (const LimitExceeded& error) {
    write_message(fmt::format("vgsim: {}\n", error.what()));
    return kLimitReached;
  } catch (const Stalled& error) {
    write_message(fmt::format(
        "vgsim: the job never ends: from {} on it waits for links that carry nothing (a fault "
        "without an end, or a link of rate 0)\n",
        input::format_time(error.at())));
    return kLimitReached;
  } catch (const std::bad_alloc&) {
    write_message("vgsim: out of memory\n");
    return kLimitReached;
  } catch (const std::exception& error) {
    write_message(fmt::format("vgsim: internal error, please report it: {}\n", error.what()));
    return kInternalError;
  }
}

}  // namespace
}  // namespace vgsim::cli

int main(int argc, char** argv) {
  std::signal(SIGPIPE, SIG_IGN);
  return vgsim::cli::guarded(argc, argv);
}
