#pragma once

#include <cstdint>

#include "sim/ratio.hpp"

namespace vgsim {

/// An exact sum of ratios that is reduced to lowest terms only on request. Nothing is rounded: a
/// sum that does not fit in machine words becomes a Ratio.
class RatioSum {
 public:
  /// Adds value x times.
  void add(const Ratio& value, std::int64_t times);

  /// (whole - sum) / parts, shortened; parts must be positive and the dividend not negative.
  [[nodiscard]] Ratio short_share_of_rest(const Ratio& whole, std::int64_t parts) const;

  [[nodiscard]] Ratio ratio() const;
  /// Whether both sums have the same numerator and denominator, unreduced. Equal sums may differ in
  /// them.
  [[nodiscard]] bool has_same_terms(const RatioSum& other) const {
    return !outgrown_ && !other.outgrown_ && numerator_ == other.numerator_ &&
           denominator_ == other.denominator_;
  }

 private:
  bool add_small(const Ratio& value, std::int64_t times);

  Wide numerator_ = 0;
  Wide denominator_ = 1;
  bool outgrown_ = false;
  Ratio exact_;  // the sum, when it does not fit in the words
};

}  // namespace vgsim
