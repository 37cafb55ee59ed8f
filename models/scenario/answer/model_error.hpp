#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "models/calibration/uncertain.hpp"
#include "models/scenario/build/prepared.hpp"
#include "models/scenario/build/run_settings.hpp"
#include "models/scenario/run/result.hpp"

namespace vgsim::scenario {

struct Library;

/// The kind of parallelism of a job.
enum class JobKind : std::uint8_t {
  kDataParallel,   ///< only its data
  kSharded,        ///< also its parameters, gradients or optimizer states: ZeRO, FSDP
  kModelParallel,  ///< also layers, tokens or experts: tensor, pipeline, context and expert
                   ///< parallelism
};

[[nodiscard]] const char* to_string(JobKind kind);  ///< "data parallel"
/// The parameter with its model error without measurements: "data_parallel_model_error".
[[nodiscard]] std::string model_error_name(JobKind kind);
[[nodiscard]] JobKind kind_of(const PreparedLayout& layout);

/// Factors on parts of an iteration: measured over predicted times. They cover effects outside the
/// model: frameworks, code and unstated settings.
struct ErrorFactors {
  double passes = 1.0;         ///< all but exposed communication
  double communication = 1.0;  ///< exposed communication: the model error of collectives
};

/// Part of the variance of a model error, with a separate cause. Layouts with the same cause have
/// the same deviation, which cancels in their difference; the deviations of others are independent.
struct ErrorCause {
  std::string name;
  double share = 1.0;  ///< those of one error add up to 1
};

/// A parameter that describes one of these factors.
struct ModelError {
  std::string parameter;
  std::string anchored;  ///< the parameter used with measured GPUs or hosts; empty: none
  double ErrorFactors::*part = nullptr;
  std::vector<ErrorCause> causes;
  std::vector<ErrorCause> anchored_causes = {};  ///< of `anchored`
};

/// GPU models of a job without a measured training job on them or on similar ones.
[[nodiscard]] std::vector<const topology::GpuModel*> unmeasured_gpus(const Placement& placement,
                                                                     const Library& library);

/// The model errors of a training job: smaller if the scenario contains measurements of its GPUs or
/// hosts; none for idealised parts; one more for unmeasured GPUs.
[[nodiscard]] std::vector<ModelError> model_errors_of(const PreparedLayout& layout);

/// Their product, at one end of their intervals.
[[nodiscard]] ErrorFactors error_factors_at(const PreparedLayout& layout,
                                            double calibration::Uncertain::*end);

/// Their product in a draw. `parameters` has their intervals.
[[nodiscard]] ErrorFactors drawn_error_factors(const PreparedLayout& layout,
                                               const calibration::Parameters& parameters,
                                               const ParameterDraw& draw);

/// Factor on the time of an iteration with these model errors. No part becomes faster than the
/// operations at the GPUs' peak or the exposed traffic at line rate, and the whole not faster than
/// its busiest link.
[[nodiscard]] double slowdown_by(const TrainingResult& training, const ErrorFactors& factors);

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
