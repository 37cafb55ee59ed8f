#pragma once

#include <optional>
#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "models/calibration/logs/nccl_tests/nccl_tests_log.hpp"
#include "models/scoring/kinds/collective_prediction.hpp"
#include "topology/input/diagnostics.hpp"

namespace vgsim::scoring {

/// How a log becomes a case.
struct LogCase {
  std::string log;                    ///< file name, for id and source
  std::string scenario;               ///< path, relative to the case
  std::optional<std::string> layout;  ///< of the scenario
  std::string collective;             ///< of the scenario's job; empty if that is not known
  bool in_place = false;              ///< which of the two times counts
};

/// The case as `vgsim.case/1`, JSON with a newline at the end. Tables of other collectives than
/// the job's are left out; of a size that stands there several times the median counts. Errors: no
/// table of the job's collective, tables of different numbers of ranks, no time of that kind.
[[nodiscard]] tl::expected<std::string, input::Diagnostics> case_from_log(
    const std::vector<calibration::LogTable>& tables, const LogCase& settings);

/// Reports tables that cannot be of the scenario: another number of ranks, or of a collective with
/// another ratio of busbw to algbw, where the log does not name it; and warns where the threads of
/// the test launched for another number of GPUs than those of the job.
void check_agreement(const std::vector<calibration::LogTable>& tables,
                     const std::string& collective, const CollectivePrediction& prediction,
                     input::Diagnostics& diagnostics);

}  // namespace vgsim::scoring
