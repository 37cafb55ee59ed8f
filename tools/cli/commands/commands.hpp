#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "models/scenario/build/run_settings.hpp"
#include "sim/units.hpp"

namespace vgsim::cli {

enum class Format { kText, kJson };

/// What `vgsim score` is asked for.
struct ScoreOptions {
  std::vector<std::string> paths;          ///< case files, folders of them, or tables of kernels
  std::optional<std::string> baseline;     ///< earlier score
  std::optional<std::string> output;       ///< file for this score
  std::optional<std::string> bars;         ///< what must be reached
  std::optional<std::string> predictions;  ///< file for the predicted times
  std::optional<std::string> calibration;  ///< a file of one, or its name in the configs folder
  std::optional<std::string> only_class;
  std::optional<std::string> only_case;
  bool keep_going = false;  ///< score what can be run although some cases cannot
  bool uncalibrated = false;
  std::uint64_t draws = 0;                ///< of training, for intervals
  std::optional<std::string> folds;       ///< constants of a cross-validation
  std::optional<std::string> log;         ///< of nccl-tests, instead of cases
  std::optional<std::string> scenario;    ///< of the log
  std::optional<std::string> layout;      ///< of that scenario
  std::optional<std::string> write_case;  ///< file for the case that the log makes
  bool in_place = false;                  ///< which times of the log count
};

/// What `vgsim nccl` is about, as written; the command reads it.
struct NcclOptions {
  std::string topology;     ///< file
  std::string hosts = "1";  ///< how many such hosts
  std::string version = "newest";
  std::vector<std::string> environment;  ///< "NCCL_P2P_LEVEL=SYS"
  std::string sizes;                     ///< empty: the usual ones
};

/// What `vgsim import` and `export` read.
struct ImportOptions {
  std::vector<std::string> files;       ///< or folders of them
  std::optional<std::string> kind;      ///< of all files; else by their content
  std::string name;                     ///< of what is made of them; empty: as they say
  std::optional<std::string> scenario;  ///< file for the scenario that names the topology file
  std::optional<std::int64_t> batch;    ///< samples of a pass
  std::optional<std::string> gpu;       ///< of the catalogue, that ran a trace
  bool force = false;                   ///< write over a scenario that somebody has changed
};

/// What `vgsim export` writes.
struct ExportOptions {
  std::string as;                          ///< "nccl", "dot", "graphml", "json"
  std::optional<std::string> vm;           ///< of a scenario: what its guest would see
  std::optional<std::string> layout;       ///< of that scenario
  std::vector<std::string> guest_bus_ids;  ///< of its GPUs, then of its NICs, in the guest
};

/// What `vgsim calibrate` fits, and to what.
struct CalibrateOptions {
  std::vector<std::string> paths;       ///< measurements, cases, logs, or folders of JSON files
  std::optional<std::string> scenario;  ///< that logs of nccl-tests were measured on
  std::optional<std::string> layout;    ///< of that scenario
  std::string name;                     ///< of the calibration
  std::string date;                     ///< empty: today
  double held_back = 0.25;              ///< share of the points
};

/// What `vgsim probe` does.
struct ProbeOptions {
  std::string name;  ///< of the measurement; empty: after the first GPU
  bool quick = false;
};

/// What the user asked for; each command reads the part that concerns it.
struct Options {
  Format format = Format::kText;
  std::optional<std::string> out;      ///< file instead of stdout
  std::string scenario;                ///< run, validate, place
  std::vector<std::string> set;        ///< run, validate, place: "POINTER=VALUE"
  std::vector<std::string> layouts;    ///< run, validate, place: only these; empty: all
  bool quiet = false;                  ///< run: no progress
  bool full = false;                   ///< run, validate, place: more than one screen
  std::optional<std::string> trace;    ///< run: file for what happens in an iteration
  scenario::RunSettings settings;      ///< run
  std::optional<SimTime> time_limit;   ///< run, probe: of real time
  std::optional<std::uint64_t> draws;  ///< run: of the uncertain parameters; else as time allows
  ScoreOptions score;                  ///< score
  NcclOptions nccl;
  ImportOptions import;
  ExportOptions exported;
  CalibrateOptions calibrate;
  ProbeOptions probe;
};

/// Each returns an ExitCode and has written its result or its messages.
[[nodiscard]] int run_command(const Options& options);
[[nodiscard]] int validate_command(const Options& options);
[[nodiscard]] int score_command(const Options& options);
[[nodiscard]] int place_command(const Options& options);
[[nodiscard]] int nccl_command(const Options& options);
[[nodiscard]] int calibrate_command(const Options& options);
[[nodiscard]] int import_command(const Options& options);
[[nodiscard]] int export_command(const Options& options);
[[nodiscard]] int probe_command(const Options& options);

}  // namespace vgsim::cli
