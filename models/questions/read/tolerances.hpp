#pragma once

#include <map>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

#include "topology/input/diagnostics.hpp"
#include "topology/input/shapes/shape.hpp"
#include "topology/input/source_file.hpp"

namespace vgsim::scenario {

/// Allowed relative differences of figures from a baseline (0.01 is 1 %).
struct Tolerances {
  struct Entry {
    double share = 0.0;
    input::Location location;  ///< of the figure's name in the file
    std::string pointer;
  };

  double fallback = 0.0;                 ///< for all other figures; 0: no change allowed
  std::map<std::string, Entry> figures;  ///< by name; "busbw_GBps" applies to every size

  /// The tolerance of a figure: by its name, its name without "@size", or the fallback.
  [[nodiscard]] double of(const std::string& figure) const;
};

[[nodiscard]] input::Shape tolerances_shape();

/// Reads {"default": "0.1 %", "iteration_time_s": "1 %", "busbw_GBps@1 GiB": "2 %"}.
[[nodiscard]] tl::expected<Tolerances, input::Diagnostics> read_tolerances(
    const input::SourcePtr& file);

/// Reports entries for unknown figures.
void check_names(const Tolerances& tolerances, const std::vector<std::string>& known,
                 input::Diagnostics& diagnostics);

}  // namespace vgsim::scenario
