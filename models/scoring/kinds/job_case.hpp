#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "models/scenario/read/document.hpp"
#include "models/scoring/series.hpp"
#include "topology/input/diagnostics.hpp"
#include "topology/input/shapes/shape.hpp"
#include "topology/input/source_file.hpp"

namespace vgsim::scoring {

inline constexpr const char* kTrainingCaseFormat = "vgsim.training-case/1";
inline constexpr const char* kVirtualCaseFormat = "vgsim.virtual-case/1";

/// One measurement of a job in the metric of its series.
struct JobPoint {
  scenario::Document scenario;  ///< complete, with the patches of its series and its own
  std::optional<double> value;  ///< nothing for a prediction only
  /// Others are predicted from it: an anchor, or the reference point of ratios.
  bool given = false;
  std::string left_out;  ///< reason why it is not run; empty if it is

  std::optional<double> flop_per_step;  ///< as counted by the source, for TFLOP/s
  bool at_least = false;                ///< the value is a lower bound
  /// The estimate without a model of virtualization: relative to the given point, or an absolute
  /// value.
  std::optional<double> null_model;
  SourcePlace source;

  [[nodiscard]] Role role() const;
};

/// Points that differ in few properties.
struct JobSeries {
  std::string id;
  std::string metric;
  bool of_one_gpu = false;  ///< the values are rates of one GPU
  std::vector<JobPoint> points;

  [[nodiscard]] bool is_time() const { return metric == "step_time_s"; }
};

/// Measured jobs of one source.
struct JobCase {
  CaseHead head;
  bool is_ratio = false;  ///< points are predicted in proportion to the given one
  std::vector<JobSeries> series;
};

/// Case files of training and virtualization: "machines" by name, a base "scenario", and series of
/// points, each with a merge patch (RFC 7396). "use": {"machine", "hosts", "gpus"} adds that number
/// of hosts of a machine, with that number of GPUs each.
[[nodiscard]] input::Shape training_case_shape();
[[nodiscard]] input::Shape virtual_case_shape();

/// Reads such a file, strictly. Checks the form of patches and of every point's scenario, but does
/// not build them.
[[nodiscard]] tl::expected<JobCase, input::Diagnostics> read_training_case(
    const input::SourcePtr& file);
[[nodiscard]] tl::expected<JobCase, input::Diagnostics> read_virtual_case(
    const input::SourcePtr& file);

}  // namespace vgsim::scoring
