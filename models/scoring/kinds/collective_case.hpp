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

/// One message size with at most one measurement. A point without measurement is predicted but not
/// scored.
struct MeasuredPoint {
  Bytes size{};
  std::optional<SimTime> time;
  std::optional<BytesPerSecond> algbw;  ///< size / time
  std::optional<BytesPerSecond> busbw;  ///< algbw times the collective's factor, as in nccl-tests

  [[nodiscard]] bool is_measured() const { return time || algbw || busbw; }
};

/// A collective measured on a machine, with the scenario that describes the machine.
struct CollectiveCase {
  CaseHead head;
  /// Its scenario, or the path of the scenario file relative to the case's file: one of them.
  std::optional<scenario::Document> scenario;
  std::optional<std::string> scenario_file;
  input::Origin scenario_origin;
  std::optional<input::At<std::string>> layout;  ///< name of a layout of the scenario
  std::vector<MeasuredPoint> points;
};

inline constexpr const char* kCollectiveCaseFormat = "vgsim.case/1";

/// A case file.
[[nodiscard]] input::Shape case_shape();

/// Reads the document of a case, strictly. Checks the form of the scenario, but does not build it.
[[nodiscard]] tl::expected<CollectiveCase, input::Diagnostics> read_case(
    const scenario::Document& document);

}  // namespace vgsim::scoring
