#pragma once

#include <functional>
#include <string>

#include "models/scenario/run/result.hpp"

namespace vgsim::cli {

/// Adds a row of a training table: its label, and what it says of a layout.
using AddTrainingRow =
    std::function<void(const std::string& label,
                       const std::function<std::string(const scenario::TrainingResult&)>& text)>;

/// The rows of what training takes beside time, as far as any layout has them: failures, GPU-hours,
/// energy, money.
void economy_rows(const scenario::ScenarioResult& result, const AddTrainingRow& add);

}  // namespace vgsim::cli
