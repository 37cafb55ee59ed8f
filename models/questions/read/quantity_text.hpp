#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "topology/input/units/unit_strings.hpp"

namespace vgsim::scenario {

/// A quantity as it is written, whatever it measures.
struct WrittenQuantity {
  input::UnitKind kind = input::UnitKind::bytes;
  std::string unit;        ///< "Gbit/s"
  std::int64_t count = 0;  ///< of base units

  /// The same in another unit of its kind.
  [[nodiscard]] double in_unit(const std::string& name) const;
};

/// Reads "25 Gbit/s", "64 GiB", "2 us": a unit belongs to one kind only. Nothing if it is none.
[[nodiscard]] std::optional<WrittenQuantity> read_quantity(const std::string& text);

/// That many units, to six significant digits: "57.4349 Gbit/s". Where the unit cannot state such a
/// value exactly (a fraction of a GiB is no whole number of bytes), in the largest smaller unit
/// that can, to within a millionth: "1482910 KiB".
[[nodiscard]] std::string quantity_text(input::UnitKind kind, const std::string& unit,
                                        double number);

/// Rounded to six significant digits.
[[nodiscard]] double six_digits(double number);

}  // namespace vgsim::scenario
