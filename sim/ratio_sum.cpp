#include "sim/ratio_sum.hpp"

#include "sim/wide.hpp"

namespace vgsim {

bool RatioSum::add_small(const Ratio& value, std::int64_t times) {
  if (outgrown_ || !value.is_small()) return false;
  Wide term = static_cast<Wide>(value.numerator()) * times;
  if (value.denominator() == denominator_) {
    return !__builtin_add_overflow(numerator_, term, &numerator_);
  }
  const auto common = static_cast<std::int64_t>(greatest_common_divisor(
      static_cast<UnsignedWide>(denominator_), static_cast<UnsignedWide>(value.denominator())));
  const std::int64_t own = value.denominator() / common;
  Wide denominator = 0;
  Wide sum = 0;
  if (__builtin_mul_overflow(denominator_, static_cast<Wide>(own), &denominator) ||
      __builtin_mul_overflow(numerator_, static_cast<Wide>(own), &sum) ||
      __builtin_mul_overflow(term, denominator_ / common, &term) ||
      __builtin_add_overflow(sum, term, &sum)) {
    return false;
  }
  numerator_ = sum;
  denominator_ = denominator;
  return true;
}

void RatioSum::add(const Ratio& value, std::int64_t times) {
  if (add_small(value, times)) return;
  exact_ = ratio();
  outgrown_ = true;
  exact_ += value * times;
}

Ratio RatioSum::ratio() const { return outgrown_ ? exact_ : Ratio::of(numerator_, denominator_); }

Ratio RatioSum::short_share_of_rest(const Ratio& whole, std::int64_t parts) const {
  if (!outgrown_ && whole.is_small()) {
    Wide above = 0;
    Wide below = 0;
    Wide taken = 0;
    if (!__builtin_mul_overflow(denominator_, static_cast<Wide>(whole.numerator()), &above) &&
        !__builtin_mul_overflow(numerator_, static_cast<Wide>(whole.denominator()), &taken) &&
        !__builtin_sub_overflow(above, taken, &above) &&
        !__builtin_mul_overflow(denominator_, static_cast<Wide>(whole.denominator()), &below) &&
        !__builtin_mul_overflow(below, static_cast<Wide>(parts), &below)) {
      return shortened(above, below);
    }
  }
  return shortened((whole - ratio()) / parts);
}

}  // namespace vgsim
