#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace vgsim::sweep {

/// A layout of a point in a store.
struct LayoutRow {
  std::string name;
  bool refused = false;
  std::vector<std::pair<std::string, double>> metrics;
  std::vector<std::string> rules;
  std::string fingerprint;
};

/// A line of a store.
struct PointRow {
  std::uint64_t index = 0;
  nlohmann::ordered_json set;  ///< values by pointer
  std::vector<LayoutRow> layouts;
  std::string failed;                ///< "input", "limit", "internal"; empty if it did not fail
  std::vector<std::string> reasons;  ///< reasons of the failure
};

/// Reads a line for which is_point() and is_sealed() hold.
[[nodiscard]] PointRow read_point(std::string_view line);

}  // namespace vgsim::sweep
