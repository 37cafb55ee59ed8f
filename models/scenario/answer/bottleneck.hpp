#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <utility>
#include <vector>

#include "models/scenario/run/result.hpp"

namespace vgsim::scenario {

struct ErrorFactors;

/// The largest part of a layout's time. All screens, reports, files, checks and the studio use it.
struct Limit {
  enum class Kind {
    kLink,        ///< LayoutResult::bottleneck, a link or the cores of a host
    kGpus,        ///< GPUs are computing
    kLatency,     ///< exposed communication, without a link that is busy for most of it
    kTimeSlices,  ///< exposed communication while other vGPUs use the same GPUs
    kStages,      ///< the largest part of a job simulated by pipeline stage
  };
  Kind kind = Kind::kLatency;
  std::string what =
      {};  ///< one word: "GPUs", "nic", "latency", "time slices", "other stages", "tensor"
  double share = 0.0;  ///< of the iteration or the largest collective, 0 to 1; 0: negligible
};

/// The layout must have been simulated.
[[nodiscard]] Limit limit_of(const LayoutResult& layout);

/// Whether the same part is the largest one in a draw, with errors of the model. Of links the share
/// is not simulated again: it follows the time in which GPUs do not compute.
[[nodiscard]] bool is_limit_in(const TrainingResult& drawn, const ErrorFactors& factors,
                               const LayoutResult& predicted);

/// The form of result files: {"kind": "GPUs", "share": 0.92}, with "resource" and "slot" where it
/// is a link, and with the number of "draws" and of those that "agree".
[[nodiscard]] nlohmann::ordered_json to_json(const Limit& limit, const LayoutResult& layout);

/// Reads it from a layout of a saved result; `what` is "refused" or "-" if there is none.
[[nodiscard]] Limit saved_limit(const nlohmann::ordered_json& layout);

/// Share of the iteration, 0 to 1.
[[nodiscard]] double share_of(SimTime part, const TrainingResult& training);

/// Parts of the time of a job simulated by pipeline stage, largest first.
[[nodiscard]] std::vector<std::pair<SimTime, std::string>> parts_of_stages(
    const TrainingResult& training);

}  // namespace vgsim::scenario
