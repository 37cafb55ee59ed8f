#include "tools/cli/score/fit_inputs.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <filesystem>

#include "models/calibration/logs/copies/bandwidth_test_log.hpp"
#include "models/calibration/logs/copies/gpu_copy_log.hpp"
#include "models/calibration/logs/copies/nvbandwidth_log.hpp"
#include "models/calibration/logs/copies/p2p_test_log.hpp"
#include "models/calibration/logs/nccl_tests/nccl_tests_log.hpp"
#include "models/calibration/read/measurement_file.hpp"
#include "models/scoring/fit/collective_subject.hpp"
#include "models/scoring/fit/measurement_subjects.hpp"
#include "models/scoring/fit/training_subject.hpp"
#include "tools/cli/config_files.hpp"
#include "tools/cli/score/case_files.hpp"
#include "tools/cli/score/scored_log.hpp"
#include "topology/input/json_reader.hpp"
#include "topology/input/load_source.hpp"
#include "topology/input/typed.hpp"

namespace vgsim::cli {
namespace {

namespace fs = std::filesystem;
using calibration::Measurement;
using input::Diagnostics;
using input::SourcePtr;
using ReadMeasurement = tl::expected<Measurement, Diagnostics>;

bool looks_like_json(const std::string& text) {
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  return first != std::string::npos && text[first] == '{';
}

/// Logs of measurements of one machine.
struct MeasurementLog {
  bool (*is)(std::string_view text);
  ReadMeasurement (*read)(const SourcePtr& file, Diagnostics& warnings);
};
constexpr MeasurementLog kMeasurementLogs[] = {
    {&calibration::is_nvbandwidth_log, &calibration::read_nvbandwidth_log},
    {&calibration::is_p2p_test_log, &calibration::read_p2p_test_log},
    {&calibration::is_bandwidth_test_log, &calibration::read_bandwidth_test_log},
    {&calibration::is_gpu_copy_log, &calibration::read_gpu_copy_log},
};

/// The declared format of a JSON document; empty if there is none.
std::string format_of(const input::Value& document) {
  const auto format = document.is_object() ? input::find(document, "format") : std::nullopt;
  return format && format->is_string() ? format->string() : std::string();
}

class Reader {
 public:
  Reader(const FitFiles& files, const scenario::Library& library, Diagnostics& diagnostics)
      : files_(files), library_(library), diagnostics_(diagnostics) {}

  FitInputs run() && {
    for (const std::string& path : files_.paths) {
      std::error_code error;
      if (fs::is_directory(path, error)) {
        read_folder(path);
      } else {
        read_file(path, true);
      }
    }
    return std::move(inputs_);
  }

 private:
  void read_folder(const std::string& path) {
    const std::size_t before = inputs_.names.size();
    for (const std::string& file : json_files_below(path, diagnostics_)) read_file(file, false);
    if (inputs_.names.size() == before && !diagnostics_.has_errors()) {
      diagnostics_.error("E111", {}, "", fmt::format("no measurement in \"{}\"", path),
                         "files *.json of vgsim.case/1, vgsim.training-case/1 or "
                         "vgsim.measurement/1");
    }
  }

  /// Other JSON files in a folder are ignored.
  void read_file(const std::string& path, bool is_named) {
    const auto file = input::load_source(path);
    if (!file) return diagnostics_.append(file.error());
    const std::string& text = (*file)->text;
    for (const auto& [is_log, read_log] : kMeasurementLogs) {
      if (!is_log(text)) continue;
      Diagnostics warnings;
      const auto read = read_log(*file, warnings);
      return take(path, read, warnings);
    }
    if (calibration::is_nccl_tests_log(text)) return read_nccl_tests(path);
    if (looks_like_json(text)) return read_json_file(path, *file, is_named);
    diagnostics_.error(
        "E616", {}, "", fmt::format("\"{}\" is of no known kind", path),
        "output of nccl-tests, nvbandwidth, p2pBandwidthLatencyTest or bandwidthTest, "
        "a measured case, or a file of vgsim probe");
  }

  void read_json_file(const std::string& path, const SourcePtr& file, bool is_named) {
    const auto document = input::read_json(file);
    if (!document) return diagnostics_.append(document.error());
    const std::string format = format_of(*document);
    if (format == calibration::kMeasurementFormat) {
      take(path, calibration::read_measurement(file), {});
    } else if (format == scoring::kTrainingCaseFormat) {
      read_training(path, file);
    } else if (format == scoring::kCollectiveCaseFormat || is_named) {
      read_case(path, *document);
    }
  }

  void read_case(const std::string& path, const input::Value& document) {
    auto measured = scoring::read_case(document);
    if (!measured) return diagnostics_.append(measured.error());
    const auto& points = measured->points;
    const bool any = std::any_of(points.begin(), points.end(),
                                 [](const auto& point) { return point.is_measured(); });
    inputs_.names.push_back(measured->head.id);
    if (!any) return leave_out(path, "it has no measured point");
    add(std::make_unique<scenario::CollectiveSubject>(std::move(*measured),
                                                      loader_relative_to(path)));
  }

  void read_training(const std::string& path, const SourcePtr& file) {
    auto measured = scoring::read_training_case(file);
    if (!measured) return diagnostics_.append(measured.error());
    inputs_.names.push_back(measured->head.id);
    for (const auto& series : measured->series) {
      for (const auto& point : series.points) {
        if (!point.left_out.empty())
          leave_out(measured->head.id + ", " + series.id, point.left_out);
      }
    }
    add(std::make_unique<scenario::TrainingSubject>(std::move(*measured),
                                                    loader_relative_to(path)));
  }

  void read_nccl_tests(const std::string& path) {
    if (!files_.scenario) {
      diagnostics_.error(
          "E614", {}, "",
          fmt::format("\"{}\" does not contain the machine that it was measured on", path),
          "--scenario SCENARIO.json, for the output of nccl-tests");
      return;
    }
    auto scored =
        score_log({path, *files_.scenario, files_.layout, false, path + ".case.json"}, library_);
    if (!scored) return diagnostics_.append(scored.error());
    leave_out_warnings(path, scored->warnings);
    inputs_.names.push_back(scored->measured.head.id);
    add(std::make_unique<scenario::CollectiveSubject>(std::move(scored->measured),
                                                      loader_relative_to(path)));
  }

  void take(const std::string& path, const ReadMeasurement& read, const Diagnostics& warnings) {
    if (!read) return diagnostics_.append(read.error());
    leave_out_warnings(path, warnings);
    Measurement measurement = *read;
    if (measurement.name.empty()) measurement.name = fs::path(path).filename().string();
    inputs_.names.push_back(measurement.name);
    inputs_.left_out.insert(inputs_.left_out.end(), measurement.left_out.begin(),
                            measurement.left_out.end());
    auto sorted = scenario::subjects_of(measurement, library_);
    for (auto& subject : sorted.subjects) add(std::move(subject));
    inputs_.left_out.insert(inputs_.left_out.end(), sorted.left_out.begin(), sorted.left_out.end());
  }

  void add(std::unique_ptr<scenario::FitSubject> subject) {
    inputs_.subjects.push_back(std::move(subject));
  }

  void leave_out(const std::string& what, const std::string& why) {
    inputs_.left_out.push_back({what, why});
  }

  void leave_out_warnings(const std::string& path, const Diagnostics& warnings) {
    for (const auto& warning : warnings.items()) {
      leave_out(fmt::format("{}, line {}", path, input::line_column(warning.location).line),
                warning.message);
    }
  }

  const FitFiles& files_;
  const scenario::Library& library_;
  Diagnostics& diagnostics_;
  FitInputs inputs_;
};

}  // namespace

FitInputs read_fit_inputs(const FitFiles& files, const scenario::Library& library,
                          Diagnostics& diagnostics) {
  return Reader(files, library, diagnostics).run();
}

}  // namespace vgsim::cli
