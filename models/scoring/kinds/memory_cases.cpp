#include <string>
#include <utility>
#include <vector>

#include "models/scenario/answer/run_scenario.hpp"
#include "models/scenario/read/layout_keys.hpp"
#include "models/scoring/case_kind.hpp"
#include "topology/input/json_reader.hpp"
#include "topology/input/record.hpp"

namespace vgsim::scoring {
namespace {

using namespace input;

constexpr const char* kMemoryCaseFormat = "vgsim.memory-case/1";

struct PeakKeys {
  std::string name;
  std::optional<Bytes> peak;
  Value scenario;
};

struct MemoryKeys {
  Value format;
  At<std::string> id;
  std::string title;
  std::string grade;
  Value source;
  std::vector<PeakKeys> points;
};

const Decoder<MemoryKeys>& memory_decoder() {
  static const auto peak = record<PeakKeys>({
      key("name", &PeakKeys::name, name()).required(),
      key("peak", &PeakKeys::peak, bytes(Bytes{1}))
          .describe("most that a GPU had in use; without it the point is predicted and not scored"),
      key("scenario", &PeakKeys::scenario, as_written(scenario::scenario_shape())).required(),
  });
  static const auto decoder = record<MemoryKeys>({
      key("format", &MemoryKeys::format, as_written(enum_shape({kMemoryCaseFormat}))).required(),
      key("id", &MemoryKeys::id, name()).required(),
      key("title", &MemoryKeys::title, name()).required(),
      key("grade", &MemoryKeys::grade, name()).required(),
      key("source", &MemoryKeys::source, as_written(any_shape())).required(),
      key("points", &MemoryKeys::points, list(peak, 1)).required(),
  });
  return decoder;
}

/// What the fullest GPU of a training job needs.
double needed_bytes(const PeakKeys& from, const scenario::Library& library,
                    const FileLoader& load) {
  const auto result = scenario::validate_scenario(scenario::Document(from.scenario), library, load);
  if (!result) throw std::runtime_error(render(result.error()));
  const auto& memory = result->layouts.front().memory;
  if (!memory) throw std::runtime_error("the job trains no network");
  return memory->needed;
}

Point peak_point(const PeakKeys& from, const scenario::Library& library, const FileLoader& load) {
  Point point;
  point.label = from.name;
  point.role = from.peak ? Role::kScored : Role::kBlind;
  if (from.peak) point.measured = static_cast<double>(from.peak->count());
  try {
    point.predicted = needed_bytes(from, library, load);
    if (point.measured) point.error = *point.predicted / *point.measured - 1;
  } catch (const std::runtime_error& error) {
    point.failure = error.what();
  }
  return point;
}

tl::expected<Case, Diagnostics> read_memory_case(const CaseFile& file) {
  const auto document = read_json(file.source);
  if (!document) return tl::unexpected(document.error());
  Diagnostics diagnostics;
  check(*document, memory_decoder().shape, diagnostics);
  if (diagnostics.has_errors()) return tl::unexpected(diagnostics);
  const MemoryKeys read = memory_decoder().read(*document, diagnostics);
  if (diagnostics.has_errors()) return tl::unexpected(diagnostics);
  CaseHead head{*read.id,   read.title,        *read.id, "",
                read.grade, read.grade != "C", {},       read.id.origin};
  return Case{std::move(head), [read, load = file.load](const PredictionSettings& settings) {
                MeasuredSeries series{"peaks", "bytes", {}};
                for (const PeakKeys& each : read.points) {
                  series.points.push_back(peak_point(each, settings.library, load));
                  series.points.back().source.point = series.points.size() - 1;
                }
                return Prediction{{std::move(series)}, {}, {}};
              }};
}

}  // namespace

CaseKind memory_cases() {
  return {.name = "memory",
          .format = kMemoryCaseFormat,
          .shape = [] { return memory_decoder().shape; },
          .read = &read_each<read_memory_case>,
          .weighting = Weighting::kPoints,
          .parts = {kAll},
          .columns = {"points", "signed", "median", "p90", "worst", "at", "not run"},
          .legend = "errors are of the most that a GPU of a training job has in use"};
}

}  // namespace vgsim::scoring
