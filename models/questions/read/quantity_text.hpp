#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "topology/input/units/unit_strings.hpp"

namespace vgsim::scenario {

/// A quantity as written, of any kind.
struct WrittenQuantity {
  input::UnitKind kind = input::UnitKind::bytes;
  std::string unit;        ///< "Gbit/s"
  std::int64_t count = 0;  ///< of base units

  /// Converts to another unit of its kind.
  [[nodiscard]] double in_unit(const std::string& name) const;
};

/// Reads "25 Gbit/s", "64 GiB", "2 us": each unit belongs to one kind. Nothing for other texts.
[[nodiscard]] std::optional<WrittenQuantity> read_quantity(const std::string& text);

/// A quantity as text, with six significant digits: "57.4349 Gbit/s". If the unit cannot represent
/// the value exactly (a fraction of a GiB is not a whole number of bytes), the largest smaller unit
/// that can, to within a millionth: "1482910 KiB".
[[nodiscard]] std::string quantity_text(input::UnitKind kind, const std::string& unit,
                                        double number);

/// Rounded to six significant digits.
[[nodiscard]] double six_digits(double number);

}  // namespace vgsim::scenario
