#include "models/scoring/kinds/measured_job.hpp"

#include <cmath>
#include <memory>
#include <stdexcept>
#include <utility>

#include "models/scenario/answer/run_scenario.hpp"
#include "models/scenario/read/layouts.hpp"
#include "models/scenario/read/library.hpp"

namespace vgsim::scoring {
namespace {

using scenario::Layout;
using scenario::LayoutResult;
using scenario::Library;
using scenario::RunSettings;
using scenario::TrainingSpec;

template <class T>
T value_or_throw(tl::expected<T, input::Diagnostics> result) {
  if (!result) throw std::runtime_error(input::render(result.error()));
  return std::move(*result);
}

}  // namespace

MeasuredJob::MeasuredJob(const scenario::Document& scenario, const Library& library,
                         const input::FileLoader& load, const RunSettings& settings)
    : library_(library),
      load_(load),
      settings_(settings),
      scenario_(value_or_throw(scenario::read_scenario(scenario, library))) {
  auto layout = std::make_shared<Layout>(*scenario_.layouts.front());
  layout->idealised.unlimited_memory = true;  // the measured job ran
  layout->idealised.any_support = true;
  layout_ = std::move(layout);
}

LayoutResult MeasuredJob::run(scenario::Shared<Layout> layout) {
  scenario_.layouts = {std::move(layout)};
  last_ = value_or_throw(
      scenario::prepare(scenario_, library_, load_, settings_, last_ ? &*last_ : nullptr));
  scenario::ScenarioResult result = scenario::run(*last_, settings_);
  LayoutResult& only = result.layouts.front();
  if (only.refused) {
    throw std::runtime_error(only.warnings.empty() ? "refused" : only.warnings.front().text);
  }
  return std::move(only);
}

LayoutResult MeasuredJob::run() { return run(layout_); }

scenario::ErrorFactors MeasuredJob::drawn_errors() const {
  if (!settings_.draw) return {};
  return scenario::drawn_error_factors(last_->layouts.front(), library_.parameters,
                                       *settings_.draw);
}

double MeasuredJob::drawn_slowdown(const LayoutResult& result) const {
  return result.training ? scenario::slowdown_by(*result.training, drawn_errors()) : 1.0;
}

TrainingRun MeasuredJob::train(const SlowdownFactors& factors) {
  auto layout = std::make_shared<Layout>(*layout_);
  TrainingSpec& job = layout->job.value.training;
  job.compute_factor *= factors.passes;
  job.launch_factor *= factors.launches;
  LayoutResult result = run(std::move(layout));
  if (!result.training) throw std::runtime_error("the job does not train a network");
  const auto& length = layout_->job->training.sequence_length;
  const scenario::PreparedLayout& ran = last_->layouts.front();
  return {std::move(*result.training),
          scenario::kind_of(ran),
          {drawn_errors(), scenario::error_factors_at(ran, &calibration::Uncertain::low),
           scenario::error_factors_at(ran, &calibration::Uncertain::high)},
          result.ranks,
          result.hosts,
          scenario::architecture_of(ran),
          scenario::machines_like(ran, scenario::model_error_name(scenario::kind_of(ran))),
          length ? static_cast<double>(**length) : 1.0};
}

bool MeasuredJob::is_fused_transformer() const {
  const TrainingSpec& job = layout_->job->training;
  const scenario::NetworkSpec& network = **job.network;
  const auto& known = network.described ? *network.described : library_.networks->at(network.name);
  const bool is_fused = job.tuned.value_or(!job.flash_attention || job.flash_attention->on);
  return known.transformer.has_value() && is_fused;
}

const std::string& MeasuredJob::precision() const { return *layout_->job->training.precision; }

std::string MeasuredJob::gpus() const { return layout_->hosts.front().value->said + precision(); }

double in_metric(const JobSeries& series, const JobPoint& point, const TrainingRun& run) {
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

}  // namespace vgsim::scoring
