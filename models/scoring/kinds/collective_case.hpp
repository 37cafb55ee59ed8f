#pragma once

#include <optional>
#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "models/scenario/read/document.hpp"
#include "models/scoring/series.hpp"
#include "sim/units.hpp"
#include "topology/input/diagnostics.hpp"
#include "topology/input/origin.hpp"
#include "topology/input/shapes/shape.hpp"

namespace vgsim::scoring {

/// One message size. At most one of the measurements is given; without any the point is predicted
/// and not scored.
struct MeasuredPoint {
  Bytes size{};
  std::optional<SimTime> time;
  std::optional<BytesPerSecond> algbw;  ///< size over time
  std::optional<BytesPerSecond>
      busbw;  ///< algbw times the collective's factor, as nccl-tests has it

  [[nodiscard]] bool is_measured() const { return time || algbw || busbw; }
};

/// A collective that somebody measured on a machine, with the scenario that describes the machine.
struct CollectiveCase {
  CaseHead head;
  bool algorithm_unknown = false;  ///< ring or tree: a time between the two predictions is right
  /// Its scenario, or the path of its file relative to the case's: one of them.
  std::optional<scenario::Document> scenario;
  std::optional<std::string> scenario_file;
  input::Origin scenario_origin;
  std::optional<input::At<std::string>> layout;  ///< which of the scenario's, by name
  std::vector<MeasuredPoint> points;
};

inline constexpr const char* kCollectiveCaseFormat = "vgsim.case/1";

/// A case file.
[[nodiscard]] input::Shape case_shape();

/// Reads the document of a case, strictly. The scenario inside has the form of one, but is not
/// built.
[[nodiscard]] tl::expected<CollectiveCase, input::Diagnostics> read_case(
    const scenario::Document& document);

}  // namespace vgsim::scoring
