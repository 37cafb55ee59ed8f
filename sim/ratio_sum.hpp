#pragma once

#include <cstdint>

#include "sim/ratio.hpp"

namespace vgsim {

/// An exact sum of ratios that is brought to lowest terms only when it is asked for. Nothing is
/// ever rounded: a sum that outgrows its machine words moves to a Ratio.
class RatioSum {
 public:
  /// Adds value x times.
  void add(const Ratio& value, std::int64_t times);

  /// (whole - sum) / parts, shortened; parts must be positive and what is divided not negative.
  [[nodiscard]] Ratio short_share_of_rest(const Ratio& whole, std::int64_t parts) const;

  [[nodiscard]] Ratio ratio() const;
  /// Whether the other sum is the same fraction in the same words: then it is equal. Equal sums may
  /// be written differently.
  [[nodiscard]] bool is_written_like(const RatioSum& other) const {
    return !outgrown_ && !other.outgrown_ && numerator_ == other.numerator_ &&
           denominator_ == other.denominator_;
  }

 private:
  bool add_small(const Ratio& value, std::int64_t times);

  Wide numerator_ = 0;
  Wide denominator_ = 1;
  bool outgrown_ = false;
  Ratio exact_;  // the sum, once it has outgrown the words
};

}  // namespace vgsim
