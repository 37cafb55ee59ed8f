#include "models/scoring/fit/measurement_subjects.hpp"

#include <fmt/format.h>

#include <map>
#include <nlohmann/json.hpp>
#include <tuple>

#include "models/scenario/read/library.hpp"
#include "models/scoring/fit/collective_subject.hpp"
#include "models/scoring/fit/device_prediction.hpp"
#include "models/scoring/fit/device_subject.hpp"
#include "models/scoring/fit/probe_networks.hpp"
#include "models/scoring/fit/training_subject.hpp"

namespace vgsim::scenario {
namespace {

using calibration::CollectiveCall;
using calibration::Measured;
using calibration::Measurement;
using calibration::TrainingStep;
using nlohmann::json;

std::string time_text(double seconds) {
  return fmt::format(
      "{} ps", static_cast<std::int64_t>(seconds * static_cast<double>(kPicosecondsPerSecond)));
}

/// Loads texts by their names.
input::FileLoader loader_of(const std::map<std::string, std::string>& texts) {
  return [texts](const std::string& path) -> tl::expected<input::SourcePtr, input::Diagnostics> {
    const auto found = texts.find(path);
    if (found != texts.end()) return input::make_source(path, found->second);
    input::Diagnostics diagnostics;
    diagnostics.error("E111", {}, "", fmt::format("a measurement has no file \"{}\"", path));
    return tl::unexpected(diagnostics);
  };
}

constexpr const char* kTopology = "topology.xml";

/// A host with one GPU, named by the scenario.
constexpr const char* kOneGpu = R"(<system version="1">
<cpu numaid="0" arch="x86_64" vendor="GenuineIntel" familyid="6" modelid="143">
<pci busid="0000:01:00.0" class="0x030200" link_speed="32.0 GT/s PCIe" link_width="16">
<gpu dev="0" sm="90" rank="0" gdr="1"/></pci></cpu></system>)";

class Sorter {
 public:
  Sorter(const Measurement& measurement, const Library& library)
      : measurement_(measurement), library_(library), alone_(measurement) {
    alone_.results.clear();
    alone_.left_out.clear();
  }

  MeasurementSubjects run() && {
    for (const Measured& result : measurement_.results) add(result);
    if (!alone_.results.empty()) {
      found_.subjects.push_back(std::make_unique<DeviceSubject>(std::move(alone_)));
    }
    for (auto& [key, points] : sweeps_) add_sweep(points);
    return std::move(found_);
  }

 private:
  void leave_out(const Measured& result, std::string why) {
    found_.left_out.push_back({describe(result.work), std::move(why)});
  }

  void add(const Measured& result) {
    if (const auto* step = std::get_if<TrainingStep>(&result.work)) {
      add_step(result, *step);
    } else if (const auto* call = std::get_if<CollectiveCall>(&result.work)) {
      add_call(result, *call);
    } else {
      add_device_work(result);
    }
  }

  /// A result far above the catalogue's limit was measured on a different part: for example a GPU
  /// with NVLink-C2C to its host.
  void add_device_work(const Measured& result) {
    constexpr double kFarFaster = 1.5;
    const auto predicted = predicted_seconds(result.work, measurement_.machine, library_);
    if (!predicted) return leave_out(result, predicted.error());
    const bool is_launch = std::holds_alternative<calibration::Launch>(result.work);
    if (!is_launch && *predicted > kFarFaster * result.timing.median_s) {
      return leave_out(result, "faster than the catalogue's part allows");
    }
    alone_.results.push_back(result);
  }

  void add_step(const Measured& result, const TrainingStep& step) {
    const auto* model =
        step.gpu < measurement_.machine.gpus.size()
            ? library_.catalog->gpu_by_driver_name(measurement_.machine.gpus[step.gpu].name)
            : nullptr;
    if (model == nullptr) return leave_out(result, "the catalogue lacks the GPU");
    const ProbeJob job = job_of(step);
    scoring::JobPoint point;
    const json host = {{"topology", fmt::format("nccl:{}", kTopology)},
                       {"gpus", "1 x " + model->id}};
    const json scenario = {
        {"name", "probe"}, {"hosts", {{"host", host}}}, {"job", json::parse(job.job)}};
    point.scenario = Document::parse(input::make_source("probe.json", scenario.dump())).value();
    point.value = result.timing.median_s;
    scoring::JobSeries series;
    series.id = step.network;
    series.metric = "step_time_s";
    series.points = {point};
    scoring::JobCase measured;
    measured.head.id = measurement_.name;
    measured.series = {series};
    found_.subjects.push_back(std::make_unique<TrainingSubject>(
        std::move(measured), loader_of({{kProbeNetworkFile, job.network}, {kTopology, kOneGpu}})));
  }

  using Sweep = std::tuple<std::string, std::vector<std::size_t>, std::string, std::string>;

  void add_call(const Measured& result, const CollectiveCall& call) {
    if (call.machines > 1) {
      return leave_out(result, "the fabric between the machines is unknown");
    }
    if (measurement_.machine.nccl_topology.empty()) {
      return leave_out(result, "the measurement lacks NCCL's topology of the machine");
    }
    sweeps_[{call.collective, call.gpus, call.algorithm.value_or(""), call.protocol.value_or("")}]
        .push_back(&result);
  }

  /// The sizes of one collective as a case.
  void add_sweep(const std::vector<const Measured*>& points) {
    const auto& call = std::get<CollectiveCall>(points.front()->work);
    json ranks = json::array();
    for (const std::size_t gpu : call.gpus) ranks.push_back(fmt::format("host/gpu{}", gpu));
    json nccl = json::object();
    if (!measurement_.machine.nccl.empty()) nccl["version"] = measurement_.machine.nccl;
    if (call.algorithm) nccl["NCCL_ALGO"] = *call.algorithm;
    if (call.protocol) nccl["NCCL_PROTO"] = *call.protocol;
    json document = {
        {"format", "vgsim.case/1"},
        {"id", measurement_.name},
        {"title", describe(points.front()->work)},
        {"class", "probed"},
        {"group", measurement_.name},
        {"grade", "A"},
        {"source",
         {{"url", measurement_.tool},
          {"date", measurement_.date.empty() ? "unknown" : measurement_.date}}},
        {"scenario",
         {{"name", measurement_.name},
          {"hosts", {{"host", {{"topology", fmt::format("nccl:{}", kTopology)}}}}},
          {"job", {{"collective", call.collective}, {"ranks", ranks}, {"nccl", nccl}}}}},
        {"points", json::array()}};
    for (const Measured* point : points) {
      const auto size = std::get<CollectiveCall>(point->work).size;
      document["points"].push_back({{"size", fmt::format("{} B", size.count())},
                                    {"time", time_text(point->timing.median_s)}});
    }
    const auto text = Document::parse(input::make_source(measurement_.name, document.dump()));
    auto measured = text ? scoring::read_case(*text)
                         : tl::expected<scoring::CollectiveCase, input::Diagnostics>(
                               tl::unexpected(text.error()));
    if (!measured) return leave_out(*points.front(), input::render(measured.error()));
    found_.subjects.push_back(std::make_unique<CollectiveSubject>(
        std::move(*measured), loader_of({{kTopology, measurement_.machine.nccl_topology}})));
  }

  const Measurement& measurement_;
  const Library& library_;
  Measurement alone_;  ///< with the results of single GPUs
  std::map<Sweep, std::vector<const Measured*>> sweeps_;
  MeasurementSubjects found_;
};

}  // namespace

MeasurementSubjects subjects_of(const Measurement& measurement, const Library& library) {
  return Sorter(measurement, library).run();
}

}  // namespace vgsim::scenario
