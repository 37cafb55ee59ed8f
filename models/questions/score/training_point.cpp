#include "models/questions/score/training_point.hpp"

#include <memory>
#include <stdexcept>
#include <utility>

#include "models/scenario/answer/run_scenario.hpp"
#include "models/scenario/read/layouts.hpp"
#include "models/scenario/read/library.hpp"

namespace vgsim::scenario {
namespace {

template <class T>
T value_or_throw(tl::expected<T, input::Diagnostics> result) {
  if (!result) throw std::runtime_error(input::render(result.error()));
  return std::move(*result);
}

}  // namespace

MeasuredJob::MeasuredJob(const Document& scenario, const Library& library,
                         const input::FileLoader& load, const RunSettings& settings)
    : library_(library), load_(load), settings_(settings) {
  Scenario read = value_or_throw(read_scenario(scenario, library));
  auto layout = std::make_shared<Layout>(*read.layouts.front());
  layout->idealised.unlimited_memory = true;
  read.layouts = {std::move(layout)};
  prepared_ = value_or_throw(prepare(read, library, load, settings));
}

TrainingRun MeasuredJob::run(std::optional<double> share) const {
  PreparedScenario changed;
  if (share) {
    auto layout = std::make_shared<Layout>(this->layout());
    TrainingSpec& job = layout->job.value.training;
    (has_share_of_products() ? job.matrix_share : job.achieved_share) = *share;
    changed = value_or_throw(
        prepare({prepared_.name, {std::move(layout)}}, library_, load_, settings_, &prepared_));
  }
  ScenarioResult result = scenario::run(share ? changed : prepared_, settings_);
  LayoutResult& only = result.layouts.front();
  if (!only.training) {
    throw std::runtime_error(only.warnings.empty() ? "refused" : only.warnings.front().text);
  }
  const auto& length = layout().job->training.sequence_length;
  return {std::move(*only.training), only.ranks, length ? static_cast<double>(**length) : 1.0};
}

bool MeasuredJob::has_share_of_products() const {
  const TrainingSpec& job = layout().job->training;
  const NetworkSpec& network = **job.network;
  const auto& known = network.described ? *network.described : library_.networks.at(network.name);
  return known.transformer && !job.achieved_share;
}

const std::string& MeasuredJob::precision() const { return *layout().job->training.precision; }

std::string MeasuredJob::gpus() const { return layout().hosts.front().value->said + precision(); }

const Layout& MeasuredJob::layout() const { return *prepared_.layouts.front().placement.layout; }

double in_metric(const TrainingSeries& series, const TrainingPoint& point, const TrainingRun& run) {
  const double seconds = to_seconds(run.training.iteration);
  const auto ranks = static_cast<double>(run.ranks);
  if (series.is_time()) return seconds;
  if (series.metric == "tflops_per_gpu") {
    const double rate = point.flop_per_step ? *point.flop_per_step / seconds / ranks
                                            : run.training.model_flops_per_gpu;
    return rate / 1e12;
  }
  double rate = static_cast<double>(run.training.global_batch) / seconds;
  if (series.metric == "tokens_per_s") rate *= run.stated_tokens;
  return series.of_one_gpu ? rate / ranks : rate;
}

}  // namespace vgsim::scenario
