#include "models/questions/score/training_point.hpp"

#include <stdexcept>

#include "models/scenario/answer/run_scenario.hpp"
#include "topology/input/json_reader.hpp"
#include "topology/input/merge_patch.hpp"
#include "topology/input/typed.hpp"

namespace vgsim::scenario {
namespace {

/// What was measured did fit, whatever the memory model says.
const input::Value& without_memory_limit() {
  static const input::Value patch =
      input::read_json(input::make_source("", R"({"idealise": {"memory": "unlimited"}})")).value();
  return patch;
}

}  // namespace

TrainingRun run_training(const input::Value& scenario, const Library& library,
                         const input::FileLoader& load, const RunSettings& settings) {
  // Whoever fits parameters notes for itself which of them are used.
  RunSettings own = settings;
  own.note_inputs = false;
  const auto result =
      run_scenario(input::merge_patch(scenario, without_memory_limit()), library, load, own);
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
  if (series.is_time()) return seconds;
  if (series.metric == "tflops_per_gpu") {
    const double rate = point.flop_per_step ? *point.flop_per_step / seconds / ranks
                                            : run.training.model_flops_per_gpu;
    return rate / 1e12;
  }
  double rate = static_cast<double>(run.training.global_batch) / seconds;
  if (series.metric == "tokens_per_s") {
    const auto length = input::find(*input::find(point.scenario, "job"), "sequence_length");
    rate *= length ? input::as_double(*length) : 1.0;
  }
  return series.of_one_gpu ? rate / ranks : rate;
}

}  // namespace vgsim::scenario
