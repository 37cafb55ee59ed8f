#pragma once

#include <optional>
#include <string>

#include "topology/input/diagnostics.hpp"
#include "topology/input/shapes/shape.hpp"
#include "topology/input/units/unit_strings.hpp"
#include "topology/input/value.hpp"

namespace vgsim::scenario {

/// Spacing of values between two bounds.
enum class Scale { kLinear, kLog };

/// Two bounds of one kind, and values between them: whole numbers, numbers, or quantities of one
/// dimension such as "25 Gbit/s" and "12.5 GB/s".
class Bounds {
 public:
  /// Reads two values of bound_shape(). Errors (E641): bounds of different kinds, the second not
  /// above the first, or bounds not above 0 on a logarithmic scale.
  [[nodiscard]] static std::optional<Bounds> read(const input::Value& low, const input::Value& high,
                                                  Scale scale, input::Diagnostics& diagnostics);

  /// Both bounds are written without fraction or exponent, so values between them are whole
  /// numbers.
  [[nodiscard]] bool whole() const { return whole_; }
  [[nodiscard]] const input::Value& low() const { return low_; }
  [[nodiscard]] const input::Value& high() const { return high_; }

  /// The value at `share` of the way, from 0 to 1; the bounds themselves as written. Numbers and
  /// quantities have six significant digits; quantities have the unit of the lower bound, or a
  /// smaller one if that cannot represent the value exactly. `fractions`: also between whole
  /// numbers.
  [[nodiscard]] input::Value at(double share, bool fractions = false) const;

 private:
  Bounds(input::Value low, input::Value high, Scale scale);

  [[nodiscard]] double number_at(double share) const;

  input::Value low_;
  input::Value high_;
  Scale scale_;
  bool whole_ = false;
  std::optional<input::UnitKind> unit_;  ///< for quantities
  std::string unit_name_;                ///< of the lower bound
  double from_ = 0.0;                    ///< quantities: in that unit
  double to_ = 0.0;
};

/// A number, or a quantity with its unit.
[[nodiscard]] input::Shape bound_shape();

}  // namespace vgsim::scenario
