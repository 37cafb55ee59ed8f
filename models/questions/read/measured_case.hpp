#pragma once

#include <optional>
#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "models/scenario/read/document.hpp"
#include "sim/units.hpp"
#include "topology/input/diagnostics.hpp"
#include "topology/input/origin.hpp"
#include "topology/input/shapes/shape.hpp"

namespace vgsim::scenario {

/// How far a case can be trusted: kA the set-up is fully stated and healthy, kB some of it had to
/// be inferred, kC anomalous or misconfigured: shown as a diagnostic, never counted as accuracy.
enum class Grade { kA, kB, kC };

[[nodiscard]] const char* to_string(Grade grade);

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
struct MeasuredCase {
  std::string id;
  std::string title;
  std::string topology_class;  ///< "nvswitch": kind of machine, by which errors are listed
  std::string group;           ///< one machine or document: counts once, however many cases it gave
  Grade grade = Grade::kA;
  bool algorithm_unknown = false;  ///< ring or tree: a time between the two predictions is right
  /// Its scenario, or the path of its file relative to the case's: one of them.
  std::optional<Document> scenario;
  std::optional<std::string> scenario_file;
  input::Origin scenario_origin;
  std::optional<input::At<std::string>> layout;  ///< which of the scenario's, by name
  std::vector<MeasuredPoint> points;
  input::Origin origin;  ///< of its id
};

/// A case file, `vgsim.case/1`.
[[nodiscard]] input::Shape case_shape();

/// Reads the document of a case, strictly. The scenario inside has the form of one, but is not
/// built.
[[nodiscard]] tl::expected<MeasuredCase, input::Diagnostics> read_case(const Document& document);

}  // namespace vgsim::scenario
