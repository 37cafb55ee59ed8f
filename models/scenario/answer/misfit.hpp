#pragma once

#include <cstdint>
#include <string>

#include "models/calibration/parameters.hpp"
#include "models/scenario/build/prepared.hpp"

namespace vgsim::scenario {

/// What a job splits among its GPUs.
enum class JobKind : std::uint8_t {
  kData,     ///< its data alone
  kSharded,  ///< and its parameters, gradients or optimizer states: ZeRO, FSDP
  kSplit,    ///< and layers, tokens or experts: tensor, pipeline, context and expert parallelism
};

[[nodiscard]] const char* to_string(JobKind kind);  ///< "data parallel"
[[nodiscard]] JobKind kind_of(const PreparedLayout& layout);

/// The parameter that says how far measured iterations of training jobs of this kind lie from
/// predicted ones: less far where the scenario says how fast its GPUs or hosts are. What no
/// constant of the models expresses is in it: frameworks, code and settings that nobody states.
[[nodiscard]] std::string misfit_parameter(const PreparedLayout& layout);
/// What it would be if the scenario said that.
[[nodiscard]] std::string anchored_misfit_parameter(const PreparedLayout& layout);

/// That as a factor on the times of iterations: its interval, and in a draw the value that was
/// drawn.
[[nodiscard]] calibration::Uncertain misfit_of(const PreparedLayout& layout);

}  // namespace vgsim::scenario
