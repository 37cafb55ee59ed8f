#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <utility>
#include <vector>

#include "models/scenario/run/result.hpp"

namespace vgsim::scenario {

/// What takes most of a layout's time. The one answer to that question: screens, reports, files,
/// checks and the studio show this.
struct Limit {
  enum class Kind {
    kLink,     ///< LayoutResult::bottleneck, a link or the cores of a host
    kGpus,     ///< they compute
    kLatency,  ///< communication is exposed, and no link is busy for most of that
    kTurns,    ///< the same, for other vGPUs of the same GPUs
    kStages,   ///< the largest part of a job whose ranks are followed by pipeline stage
  };
  Kind kind = Kind::kLatency;
  std::string what =
      {};              ///< in a word: "GPUs", "nic", "latency", "turns", "other stages", "tensor"
  double share = 0.0;  ///< of the iteration or the largest collective; 0: of no share worth naming
};

/// Of a layout that was simulated.
[[nodiscard]] Limit limit_of(const LayoutResult& layout);

/// As results hold it: {"kind": "GPUs", "share": 0.92}, with "resource" and "slot" where it is a
/// link.
[[nodiscard]] nlohmann::ordered_json to_json(const Limit& limit, const LayoutResult& layout);

/// Reads it from a layout of a saved result; what is "refused" or not kept is named in `what`.
[[nodiscard]] Limit saved_limit(const nlohmann::ordered_json& layout);

/// Of the iteration, 0 to 1.
[[nodiscard]] double share_of(SimTime part, const TrainingResult& training);

/// Of a job whose ranks are followed by pipeline stage: what takes time, the most first.
[[nodiscard]] std::vector<std::pair<SimTime, std::string>> parts_of_stages(
    const TrainingResult& training);

}  // namespace vgsim::scenario
