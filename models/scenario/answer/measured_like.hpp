#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "models/scenario/build/prepared.hpp"
#include "models/scenario/run/result.hpp"

namespace vgsim::scenario {

/// The parameters with the errors of the models that predict a layout's time.
[[nodiscard]] std::vector<std::string> error_parameters_of(const PreparedLayout& layout);

/// The architecture of a layout's first GPU: "hopper"; empty for an unknown GPU.
[[nodiscard]] std::string architecture_of(const PreparedLayout& layout);

/// The number of measured machines behind a parameter of a model's error whose GPUs have the
/// layout's architecture.
[[nodiscard]] std::size_t machines_like(const PreparedLayout& layout, const std::string& parameter);

/// The measured machines behind these errors; nothing of errors that the scenario's own
/// measurements replace.
[[nodiscard]] std::vector<MeasuredLike> measured_like(const PreparedLayout& layout);

}  // namespace vgsim::scenario
