#include "models/scoring/kinds/collective_prediction.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>

#include "models/scenario/answer/model_error.hpp"
#include "models/scenario/answer/run_scenario.hpp"
#include "models/scenario/read/layouts.hpp"
#include "models/scoring/likeness.hpp"
#include "topology/input/binary_size.hpp"
#include "topology/input/suggest.hpp"
#include "topology/look_up.hpp"

namespace vgsim::scoring {
namespace {

using input::Diagnostics;
using scenario::CollectivePoint;
using scenario::Document;
using scenario::JobSpec;
using scenario::Layout;
using scenario::LayoutResult;
using scenario::Library;
using scenario::RunSettings;
using scenario::ScenarioResult;
using scenario::Shared;
using topology::report;

/// A scenario document with its loader.
struct OpenedScenario {
  Document document;
  input::FileLoader load;
};

std::optional<OpenedScenario> open_scenario(const CollectiveCase& measured,
                                            const input::FileLoader& load,
                                            Diagnostics& diagnostics) {
  if (measured.scenario) return OpenedScenario{*measured.scenario, load};
  const std::filesystem::path path = *measured.scenario_file;
  const auto file = load(path.string());
  if (!file) {
    diagnostics.append(file.error());
    report(diagnostics, measured.scenario_origin, "the case's scenario cannot be read");
    return std::nullopt;
  }
  auto document = Document::parse(*file);
  if (!document) {
    diagnostics.append(document.error());
    return std::nullopt;
  }
  return OpenedScenario{std::move(*document),
                        [load, dir = path.parent_path()](const std::string& relative) {
                          return load((dir / relative).string());
                        }};
}

/// The scenario with the measured layout only.
std::optional<Document> with_one_layout(const Document& scenario, const CollectiveCase& measured,
                                        Diagnostics& diagnostics) {
  const std::vector<std::string> names = scenario.layouts();
  if (!measured.layout && names.size() < 2) return scenario;
  const std::string wanted = measured.layout ? **measured.layout : std::string();
  if (std::find(names.begin(), names.end(), wanted) != names.end()) {
    return scenario.with_layouts({wanted});
  }
  report(diagnostics, measured.layout ? measured.layout->origin : measured.scenario_origin,
         measured.layout ? fmt::format("the scenario has no layout \"{}\"", wanted)
                         : std::string("the scenario has several layouts"),
         fmt::format("\"layout\": the one that was measured, of: {}", fmt::join(names, ", ")),
         input::suggest(wanted, names));
  return std::nullopt;
}

/// Checks the requirements of a case beyond a valid scenario.
void check_job(const input::At<JobSpec>& job, Diagnostics& diagnostics) {
  if (job->collective) return;
  report(diagnostics, job, "the job of the case is not a collective", "\"collective\": \"...\"");
}

/// The layout with the sizes of the points.
Shared<Layout> with_sizes(const Layout& layout, const CollectiveCase& measured) {
  auto changed = std::make_shared<Layout>(layout);
  JobSpec& job = changed->job.value;
  job.sizes.clear();
  for (const MeasuredPoint& point : measured.points) job.sizes.push_back(point.size);
  return changed;
}

/// A layout that vSphere cannot power on has no times to compare.
void report_refused(const LayoutResult& layout, const CollectiveCase& measured,
                    Diagnostics& diagnostics) {
  for (const scenario::Warning& warning : layout.warnings) {
    if (warning.verdict != vsphere::Verdict::kRefused) continue;
    report(
        diagnostics, measured.scenario_origin,
        fmt::format("vSphere {} refuses it: {} [{}]", layout.vsphere, warning.text, warning.rule),
        "a layout that was measured");
  }
}

TimeInterval interval_of(const CollectivePoint& point) {
  return {point.time, point.low, point.high};
}

double measured_seconds(const MeasuredPoint& point, double bus_factor) {
  if (point.time) return to_seconds(*point.time);
  const auto bytes = static_cast<double>(point.size.count());
  if (point.algbw) return bytes / static_cast<double>(point.algbw->count());
  return bytes * bus_factor / static_cast<double>(point.busbw->count());
}

/// The tag of a size's range. Latency dominates small messages, bandwidth large ones; sizes in
/// between have no tag. Both meanings of "KB" and "MB" are in the same range.
std::vector<std::string> size_tags(Bytes size) {
  if (size <= Bytes{4096}) return {"small"};
  if (Bytes{64'000} <= size && size <= Bytes{64 << 20}) return {"medium"};
  if (Bytes{256'000'000} <= size) return {"large"};
  return {};
}

Point point_of(const MeasuredPoint& from, const PredictedPoint& predicted) {
  Point point;
  point.label = input::format_binary_size(from.size);
  point.predicted = to_seconds(predicted.time.time);
  point.interval = Interval{to_seconds(predicted.time.low), to_seconds(predicted.time.high)};
  point.tags = size_tags(from.size);
  point.facts = {{"bytes", from.size.count()}};
  if (!from.is_measured()) {
    point.role = Role::kBlind;
    return point;
  }
  const double measured = measured_seconds(from, predicted.bus_factor);
  point.measured = measured;
  point.error = (*point.predicted - measured) / measured;
  return point;
}

}  // namespace

tl::expected<CollectivePrediction, Diagnostics> predict(const CollectiveCase& measured,
                                                        const Library& library,
                                                        const input::FileLoader& load,
                                                        const RunSettings& settings) {
  Diagnostics diagnostics;
  const auto opened = open_scenario(measured, load, diagnostics);
  if (!opened) return tl::unexpected(diagnostics);
  const auto one = with_one_layout(opened->document, measured, diagnostics);
  if (!one) return tl::unexpected(diagnostics);
  const auto read = scenario::read_scenario(*one, library);
  if (!read) return tl::unexpected(read.error());
  const Layout& base = *read->layouts.front();
  check_job(base.job, diagnostics);
  if (diagnostics.has_errors()) return tl::unexpected(diagnostics);

  // The fit records the used parameters itself.
  RunSettings own = settings;
  own.note_inputs = false;
  const auto prepared =
      scenario::prepare({read->name, {with_sizes(base, measured)}}, library, opened->load, own);
  if (!prepared) return tl::unexpected(prepared.error());
  const ScenarioResult result = scenario::run(*prepared, own);
  const LayoutResult& layout = result.layouts.front();
  if (!layout.collective) {
    report_refused(layout, measured, diagnostics);
    return tl::unexpected(diagnostics);
  }
  CollectivePrediction prediction{layout.collective->collective, layout.ranks, layout.machines, {}};
  const auto errors = scenario::error_parameters_of(prepared->layouts.front());
  if (!errors.empty()) {
    prediction.model_error = errors.front();
    prediction.machines_like = scenario::machines_like(prepared->layouts.front(), errors.front());
  }
  prediction.architecture = scenario::architecture_of(prepared->layouts.front());
  prediction.gpus_per_thread = *base.job->gpus_per_thread;
  for (const CollectivePoint& point : layout.collective->points) {
    if (point.time == SimTime{0}) {
      report(diagnostics, measured.scenario_origin,
             "the collective takes no time: nothing to compare", "a job of several ranks");
      return tl::unexpected(diagnostics);
    }
    prediction.points.push_back({interval_of(point), point.busbw_GBps / point.algbw_GBps});
  }
  return prediction;
}

Prediction compare(const CollectiveCase& measured, const CollectivePrediction& predicted) {
  constexpr double kMicroseconds = 1e6;
  MeasuredSeries series{predicted.collective, "time_s", {}};
  for (std::size_t p = 0; p < measured.points.size(); ++p) {
    Point& point = series.points.emplace_back(point_of(measured.points[p], predicted.points.at(p)));
    point.source = {"", p, kMicroseconds};
  }
  return {{std::move(series)},
          {{"ranks", static_cast<std::int64_t>(predicted.ranks)},
           {"nodes", static_cast<std::int64_t>(predicted.nodes)},
           {"model_error", predicted.model_error},
           {"architecture", predicted.architecture}},
          {predicted.nodes > 1 ? "several_nodes" : "one_node",
           tag_of_likeness(predicted.machines_like)}};
}

}  // namespace vgsim::scoring
