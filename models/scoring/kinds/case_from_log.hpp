#pragma once

#include <optional>
#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "models/calibration/logs/nccl_tests/nccl_tests_log.hpp"
#include "models/scoring/kinds/collective_prediction.hpp"
#include "topology/input/diagnostics.hpp"

namespace vgsim::scoring {

/// Options to convert a log to a case.
struct LogCase {
  std::string log;                    ///< file name, for id and source
  std::string scenario;               ///< path, relative to the case
  std::optional<std::string> layout;  ///< of the scenario
  std::string collective;             ///< of the scenario's job; empty if unknown
  bool in_place = false;              ///< which of the two times is used
};

/// The case as `vgsim.case/1`, JSON with a newline at the end. Tables of other collectives are
/// skipped; the median is used for repeated sizes. Errors: no table of the job's collective, tables
/// with different numbers of ranks, no time of the requested kind.
[[nodiscard]] tl::expected<std::string, input::Diagnostics> case_from_log(
    const std::vector<calibration::LogTable>& tables, const LogCase& settings);

/// Reports tables that do not match the scenario: a different number of ranks or, if the log does
/// not name the collective, a different ratio of busbw to algbw. Warns if the threads of the test
/// launched for a different number of GPUs than those of the job.
void check_agreement(const std::vector<calibration::LogTable>& tables,
                     const std::string& collective, const CollectivePrediction& prediction,
                     input::Diagnostics& diagnostics);

}  // namespace vgsim::scoring
