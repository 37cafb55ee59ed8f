#include "models/questions/score/training_point.hpp"

#include <stdexcept>

#include "models/scenario/answer/run_scenario.hpp"

namespace vgsim::scenario {

TrainingRun run_training(nlohmann::json scenario, const Library& library,
                         const input::FileLoader& load, const RunSettings& settings) {
  if (!scenario.contains("name")) scenario["name"] = "case";
  scenario["idealise"]["memory"] = "unlimited";
  // Whoever fits parameters notes for itself which of them are used.
  RunSettings own = settings;
  own.note_inputs = false;
  const auto result =
      run_scenario(input::make_source("case.json", scenario.dump()), library, load, own);
  if (!result) throw std::runtime_error(input::render(result.error()));
  const LayoutResult& layout = result->layouts.at(0);
  if (!layout.training) {
    throw std::runtime_error(layout.warnings.empty() ? "refused" : layout.warnings.front().text);
  }
  return {*layout.training, layout.ranks};
}

double in_metric(const TrainingSeries& series, const TrainingPoint& point, const TrainingRun& run) {
  const double seconds = to_seconds(run.training.iteration);
  const auto ranks = static_cast<double>(run.ranks);
  if (series.metric == "step_time_s") return seconds;
  if (series.metric == "tflops_per_gpu") {
    const double rate = point.flop_per_step ? *point.flop_per_step / seconds / ranks
                                            : run.training.model_flops_per_gpu;
    return rate / 1e12;
  }
  double rate = static_cast<double>(run.training.global_batch) / seconds;
  if (series.metric == "tokens_per_s") {
    rate *= point.scenario.at("job").value("sequence_length", 1.0);
  }
  return series.of_one_gpu ? rate / ranks : rate;
}

}  // namespace vgsim::scenario
