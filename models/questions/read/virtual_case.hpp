#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "models/scenario/build/run_settings.hpp"
#include "models/scenario/read/document.hpp"
#include "topology/input/diagnostics.hpp"
#include "topology/input/file_loader.hpp"
#include "topology/input/shapes/shape.hpp"
#include "topology/input/source_file.hpp"

namespace vgsim::scenario {

struct Library;

inline constexpr const char* kVirtualCaseFormat = "vgsim.virtual-case/1";

/// One measurement, in the metric of its series.
struct VirtualPoint {
  Document scenario;            ///< complete: with the patches of its series and its own
  std::optional<double> value;  ///< nothing for a prediction only
  bool given = false;           ///< the others of its series are predicted from it
  bool at_least = false;        ///< the value is a lower bound
  /// What somebody would say who knows nothing of virtualization: over the given point, or as the
  /// value is.
  std::optional<double> null_model;
  std::string left_out;       ///< why it is not run; empty if it is
  std::string source_series;  ///< where it stands in the source
  std::size_t source_point = 0;
};

struct VirtualSeries {
  std::string id;
  std::string metric;  ///< "samples_per_s", "step_time_s", "training_s", "busbw_GBps", "stun_s"
  double source_factor = 1.0;  ///< value in the source's unit over this one's
  std::vector<VirtualPoint> points;

  /// Whether less of it is better.
  [[nodiscard]] bool is_time() const;
};

/// What was measured of virtual machines, or of parts of a GPU, in one source.
struct VirtualCase {
  std::string id;
  std::string kind;  ///< "pair", "share", "mig", "stun", "nic" or "p2p"
  std::string grade;
  double noise = 0;       ///< relative spread of the measurements
  bool is_ratio = false;  ///< points are predicted in proportion to the given one
  std::vector<VirtualSeries> series;
};

/// A case file: as one of training (see training_case.hpp), and what may be any job.
[[nodiscard]] input::Shape virtual_case_shape();

/// Reads such a file, strictly.
[[nodiscard]] tl::expected<VirtualCase, input::Diagnostics> read_virtual_case(
    const input::SourcePtr& file);

/// What became of a point.
struct VirtualScore {
  std::optional<double> predicted;  ///< in the series' metric; nothing where it could not be run
  std::string failure;              ///< why not

  /// Relative; nothing where nothing was predicted or measured, and for a given point. 0 where a
  /// lower bound is kept.
  [[nodiscard]] static std::optional<double> error(const VirtualPoint& point,
                                                   const std::optional<double>& predicted);
};

/// Predicts all points of a case, by series.
[[nodiscard]] std::vector<std::vector<VirtualScore>> score_virtual(const VirtualCase& measured,
                                                                   const Library& library,
                                                                   const input::FileLoader& load,
                                                                   const RunSettings& settings);

/// What the null model says of a point, in the series' metric.
[[nodiscard]] std::optional<double> null_of(const VirtualCase& measured,
                                            const VirtualSeries& series, const VirtualPoint& point);

}  // namespace vgsim::scenario
