#pragma once

#include <compare>
#include <concepts>
#include <cstdint>
#include <memory>
#include <utility>

#include "sim/units.hpp"
#include "sim/wide.hpp"

namespace vgsim {

/// An exact rational number of unlimited size. Rates, capacities and remaining bytes use it, so
/// that equal flows get equal rates and no error accumulates.
///
/// Numerator and denominator are two machine words while they fit 64 bits, which nearly always
/// holds for the levels and loads of a network (measured on 10,000 random flows: at most 60 bits).
/// Larger numbers use Boost.Multiprecision (sim/exact.hpp) and return to machine words as soon as
/// they fit again. So each number has one representation, and no result is rounded.
class Ratio {
 public:
  struct Big;  ///< see sim/exact.hpp

  Ratio() = default;
  template <std::integral Integer>
  Ratio(Integer value) {  // NOLINT(google-explicit-constructor): whole numbers are ratios
    if (std::in_range<std::int64_t>(value) && !std::cmp_equal(value, INT64_MIN)) {
      numerator_ = static_cast<std::int64_t>(value);
    } else {
      *this = of(static_cast<Wide>(value), 1);
    }
  }
  explicit Ratio(const Big& value);

  /// above / below; below must be positive.
  [[nodiscard]] static Ratio of(Wide above, Wide below);

  Ratio(const Ratio& other) : numerator_(other.numerator_), denominator_(other.denominator_) {
    if (other.big_) copy_big(other);
  }
  Ratio(Ratio&& other) noexcept = default;
  Ratio& operator=(const Ratio& other) {
    if (this != &other) *this = Ratio(other);
    return *this;
  }
  Ratio& operator=(Ratio&& other) noexcept = default;
  ~Ratio() = default;

  [[nodiscard]] Big big() const;
  [[nodiscard]] bool is_zero() const { return !big_ && numerator_ == 0; }

  /// Whether the number is numerator() / denominator() in two machine words, in lowest terms with a
  /// positive denominator.
  [[nodiscard]] bool is_small() const { return !big_; }
  [[nodiscard]] std::int64_t numerator() const { return numerator_; }
  [[nodiscard]] std::int64_t denominator() const { return denominator_; }

  /// Within 4 units in the last place of the number. Two approximations that differ by more have
  /// the order of the numbers.
  [[nodiscard]] double approximate() const {
    if (big_) return to_double(*this);
    return static_cast<double>(numerator_) / static_cast<double>(denominator_);
  }

  Ratio& operator+=(const Ratio& other) { return add(other, 1); }
  Ratio& operator-=(const Ratio& other) { return add(other, -1); }
  Ratio& operator*=(const Ratio& other);
  /// `other` must not be 0.
  Ratio& operator/=(const Ratio& other);

  friend Ratio operator+(Ratio a, const Ratio& b) { return std::move(a += b); }
  friend Ratio operator-(Ratio a, const Ratio& b) { return std::move(a -= b); }
  friend Ratio operator*(Ratio a, const Ratio& b) { return std::move(a *= b); }
  friend Ratio operator/(Ratio a, const Ratio& b) { return std::move(a /= b); }

  friend std::strong_ordering operator<=>(const Ratio& a, const Ratio& b);
  friend bool operator==(const Ratio& a, const Ratio& b);

  /// The nearest double, for output only.
  friend double to_double(const Ratio& value);

 private:
  struct DeleteBig {
    void operator()(Big* big) const noexcept;
  };

  Ratio& add(const Ratio& other, std::int64_t sign);
  bool add_small(const Ratio& other, std::int64_t sign);
  bool multiply_small(std::int64_t above, std::int64_t below);
  void copy_big(const Ratio& other);
  void assign(const Big& value);

  // In lowest terms, denominator positive, magnitudes below 2^63; unspecified while big_ is set.
  std::int64_t numerator_ = 0;
  std::int64_t denominator_ = 1;
  std::unique_ptr<Big, DeleteBig> big_;  // the number when it does not fit the two words
};

[[nodiscard]] double to_double(const Ratio& value);

/// The time `amount` takes at `rate` per second, rounded up to the next picosecond.
/// `rate` must be positive and `amount` not negative. Throws OverflowError past 106 days.
[[nodiscard]] SimTime duration_of(const Ratio& amount, const Ratio& rate_per_second);

/// The amount that `rate_per_second` delivers in `elapsed`, exactly.
[[nodiscard]] Ratio delivered(const Ratio& rate_per_second, SimTime elapsed);

/// Whether delivered(rate_per_second, elapsed) < amount, without reducing fractions.
[[nodiscard]] bool delivers_less(const Ratio& rate_per_second, SimTime elapsed,
                                 const Ratio& amount);

/// The largest short number that is not above `value`, which must not be negative. Short numbers
/// are
///
///     fractions whose denominator is at most kShortDenominator, and
///     numbers of kShortBits significant bits, each worth at least 2^-62.
///
/// Short numbers are unchanged, the order of numbers is kept (a <= b implies shortened(a) <=
/// shortened(b)), and the loss is below 2^-56 of the number or below 2^-62. Numbers of 2^63 and
/// above are unchanged.
[[nodiscard]] Ratio shortened(Ratio value);
/// The same of above / below; below must be positive.
[[nodiscard]] Ratio shortened(Wide above, Wide below);
inline constexpr std::int64_t kShortDenominator = 65536;
inline constexpr int kShortBits = 57;

/// A share given as a decimal in a configuration (0.86), rounded to nine decimals.
[[nodiscard]] Ratio exact_share(double share);

}  // namespace vgsim
