#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "models/scenario/read/library.hpp"

namespace vgsim::generated {

/// Something that must not be.
struct Violation {
  std::string invariant;  ///< "utilization above 1"
  std::string detail;     ///< where, and by how much
};

/// How much is looked at beside one run.
struct Depth {
  std::uint64_t draws = 0;
  bool screens = false;  ///< both texts of run, with the search for the best change
  bool report = false;   ///< the report and its studies
  bool twice = false;    ///< once more without symmetry: the same
  bool threads = false;  ///< draws on one processor and on two: the same
};

/// A part of all that, which differs from scenario to scenario, so that many together see all.
[[nodiscard]] Depth depth_of(std::uint64_t number);
[[nodiscard]] Depth whole_depth();

struct Examined {
  std::string outcome;  ///< "ran", "refused" (by vSphere), "invalid", "limit"
  std::vector<Violation> violations;
};

/// Runs a scenario as `vgsim run` does and checks all of its output. `path`: its location,
/// relative to which it names files.
[[nodiscard]] Examined examine(const std::string& text, const std::string& path,
                               const scenario::Library& library, const Depth& depth);

[[nodiscard]] nlohmann::ordered_json to_json(const Examined& examined);

}  // namespace vgsim::generated
