#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "sim/units.hpp"
#include "topology/input/diagnostics.hpp"

namespace vgsim::scenario {

struct Library;

/// A bare collective: its residuals become a correction by size.
struct CollectiveSize {
  std::string collective;
  std::size_t ranks = 0;
  std::size_t machines = 0;
  Bytes size{};
};

/// A measured time, and the model's prediction with some parameters.
struct Observation {
  std::string id;    ///< of the case or measurement
  std::string what;  ///< the point: "1 MiB"
  double measured_s = 0;
  double predicted_s = 0;
  double low_s = 0;  ///< of the prediction's interval; both 0 without one
  double high_s = 0;
  std::optional<CollectiveSize> collective;
};

/// Something that was measured and that the model predicts.
class FitSubject {
 public:
  FitSubject() = default;
  FitSubject(const FitSubject&) = delete;
  FitSubject& operator=(const FitSubject&) = delete;
  virtual ~FitSubject() = default;

  /// The same points in the same order for any parameters. Errors: subjects that cannot be run.
  [[nodiscard]] virtual tl::expected<std::vector<Observation>, input::Diagnostics> observe(
      const Library& library) const = 0;
};

}  // namespace vgsim::scenario
