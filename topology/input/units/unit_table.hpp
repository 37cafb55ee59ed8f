#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "topology/input/units/unit_strings.hpp"

namespace vgsim::input {

/// One unit: worth numerator / denominator of the base unit.
struct Unit {
  std::string_view name;
  std::int64_t numerator;
  std::int64_t denominator = 1;
  bool preferred = true;  ///< Not an alternative spelling of a preferred one.
};

/// The units and texts of one kind of quantity.
struct UnitTable {
  std::string_view noun;        ///< "a size"
  std::string_view example;     ///< "25 MiB"
  std::span<const Unit> units;  ///< Accepted units; the base unit first.
  std::size_t output_units;     ///< Number of leading units used for output, in ascending order.
  std::string_view base_noun;   ///< "bytes"
  std::array<std::string_view, 2> forgotten;    ///< Endings that users omit: "b/s" in "25 g".
  /// Readings offered for a bare number; empty ones are none.
  std::array<std::string_view, 3> usual_units;
};

[[nodiscard]] const UnitTable& unit_table(UnitKind kind);

}  // namespace vgsim::input
