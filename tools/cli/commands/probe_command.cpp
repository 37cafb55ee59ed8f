#include "tools/cli/commands/probe_command.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <cstdlib>
#include <memory>
#include <stdexcept>
#include <utility>

#include "tools/cli/exit_code.hpp"
#include "tools/cli/options/common_options.hpp"
#include "tools/cli/output.hpp"
#include "tools/cli/text/probe_text.hpp"
#include "tools/cli/text/progress.hpp"
#include "tools/cli/today.hpp"
#include "tools/probe/cuda/cuda_devices.hpp"
#include "tools/probe/probe.hpp"
#include "tools/probe/processes/job_devices.hpp"
#include "tools/probe/processes/job_place.hpp"
#include "tools/text/words.hpp"

namespace vgsim::cli {
namespace {

constexpr const char* kProbeFooter = R"(
Examples:
  vgsim probe --quick
  vgsim probe --name lab -o lab.json)";

constexpr double kQuickSeconds = 50;
constexpr double kFullSeconds = 540;

double seconds_now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// "[#####...............]  25 % after 12 s, about 36 s to go: copy pinned -> gpu0, 1 MiB".
std::string progress_text(const probe::ProbeProgress& progress, double seconds) {
  constexpr std::size_t kWidth = 20;
  const auto full = static_cast<std::size_t>(progress.share * kWidth);
  const double left = progress.share > 0 ? seconds / progress.share - seconds : 0;
  return fmt::format("[{:.<{}}] {:3.0f} % after {:.0f} s, about {:.0f} s to go: {}",
                     std::string(full, '#'), kWidth, progress.share * 100, seconds, left,
                     progress.next);
}

/// "nvidia-h200" of "NVIDIA H200".
std::string name_after(const calibration::MeasuredMachine& machine) {
  if (machine.gpus.empty()) return "no-gpu";
  std::string name;
  for (const char c : machine.gpus.front().name) {
    const bool plain = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    const char lower = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    if (plain || (!name.empty() && name.back() != '-')) name += plain ? lower : '-';
  }
  return name;
}

calibration::Measurement measured(probe::DeviceLayer& devices,
                                  const probe::ProbeSettings& settings) {
  ProgressLine line;
  return probe::probe(devices, settings, seconds_now, [&](const auto& progress) {
    line.show([&](double seconds) { return progress_text(progress, seconds); });
  });
}

/// Runs rank 0 of a job, or a single process.
int lead(const ProbeOptions& options, std::unique_ptr<probe::DeviceLayer> devices,
         const std::optional<probe::JobPlace>& place) {
  probe::ProbeSettings settings;
  settings.quick = options.quick;
  settings.limit_s = options.quick ? kQuickSeconds : kFullSeconds;
  if (options.time_limit) settings.limit_s = to_seconds(*options.time_limit);
  if (place) {
    probe::Listener listener(place->leader_port);
    auto job = std::make_unique<probe::JobDevices>(std::move(devices), *place, listener);
    settings.job = job->job();
    devices = std::move(job);
  }
  calibration::Measurement measurement = measured(*devices, settings);
  measurement.name = options.name.empty() ? name_after(measurement.machine) : options.name;
  measurement.date = today();
  measurement.tool = fmt::format("vgsim probe{}", options.quick ? " --quick" : "");
  write_result(to_json(measurement), options.out);
  write_message(measurement_text(measurement));
  return kDone;
}

}  // namespace

CLI::App* add_probe_command(CLI::App& app, ProbeOptions& options) {
  CLI::App* command = app.add_subcommand(
      "probe", "measure this machine's GPUs: copies, kernels, training steps, collectives");
  command->add_flag("--quick", options.quick, "only the essential ones, in less than a minute");
  command->add_option("--name", options.name, "of the measurement (default: after the GPU)")
      ->type_name("NAME");
  add_time_limit_option(*command, options.time_limit, "for everything (default 9 min; quick 50 s)");
  add_out_option(*command, options.out);
  command->footer(kProbeFooter);
  return command;
}

int probe_command(const ProbeOptions& options) {
  try {
    const auto place = probe::job_place([](const char* name) { return std::getenv(name); });
    auto devices = probe::open_cuda_devices();
    if (!place || place->rank == 0) return lead(options, std::move(devices), place);
    probe::follow(*devices, *place);
    return kDone;
  } catch (const std::invalid_argument& error) {
    write_message(fmt::format("vgsim: the job's environment: {}\n", error.what()));
    return kBadInput;
  } catch (const probe::DeviceError& error) {
    write_message(fmt::format("vgsim: nothing to measure: {}\n", error.what()));
    return kBadInput;
  }
}

}  // namespace vgsim::cli
