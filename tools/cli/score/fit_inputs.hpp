#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "models/calibration/measurement.hpp"
#include "models/scoring/fit/observation.hpp"
#include "topology/input/diagnostics.hpp"

namespace vgsim::scenario {
struct Library;
}

namespace vgsim::cli {

/// Files to fit to, and the scenario of the machine that logs of nccl-tests are from.
struct FitFiles {
  std::vector<std::string> paths;  ///< files, or folders of JSON files
  std::optional<std::string> scenario;
  std::optional<std::string> layout;  ///< of that scenario
};

struct FitInputs {
  std::vector<std::unique_ptr<scenario::FitSubject>> subjects;
  std::vector<std::string> names;  ///< of cases, measurements and logs
  std::vector<calibration::LeftOut> left_out;
};

/// Reads measurements of a machine, detected by content: measured cases of collectives and of
/// training, measurements of `vgsim probe`, output of nvbandwidth (text or JSON), of
/// p2pBandwidthLatencyTest and of nccl-tests. Reports unreadable files; unsupported parts are
/// left out.
[[nodiscard]] FitInputs read_fit_inputs(const FitFiles& files, const scenario::Library& library,
                                        input::Diagnostics& diagnostics);

}  // namespace vgsim::cli
