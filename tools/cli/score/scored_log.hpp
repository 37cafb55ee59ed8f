#pragma once

#include <optional>
#include <string>
#include <tl/expected.hpp>

#include "models/scoring/kinds/collective_prediction.hpp"
#include "topology/input/diagnostics.hpp"

namespace vgsim::scenario {
struct Library;
}

namespace vgsim::cli {

/// Output of nccl-tests, and the scenario of the machine.
struct MeasuredLog {
  std::string log;                    ///< file
  std::string scenario;               ///< file
  std::optional<std::string> layout;  ///< of the scenario
  bool in_place = false;              ///< use in-place times
  std::string case_path;              ///< of the case made from the log
};

struct ScoredLog {
  scoring::CollectiveCase measured;
  scoring::ScoredCase scored;
  std::string case_text;  ///< as `vgsim.case/1`
  input::Diagnostics warnings;
};

/// Compares a log with the prediction for its scenario. Errors: unreadable files, logs of
/// another collective or number of ranks.
[[nodiscard]] tl::expected<ScoredLog, input::Diagnostics> score_log(
    const MeasuredLog& measured, const scenario::Library& library);

}  // namespace vgsim::cli
