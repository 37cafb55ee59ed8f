#pragma once

#include <cstdint>
#include <memory>

#include "sim/exact.hpp"
#include "sim/wide.hpp"

namespace vgsim {

/// An exact rational number that is quick while it is small.
///
/// It behaves like Exact. While numerator and denominator fit 64 bits they are kept in two machine
/// words, which is nearly always so for the levels and loads of a network (measured on 10,000
/// random flows: at most 60 bits); when an operation outgrows that, the number moves to an Exact
/// and back as soon as it fits again. So each number has one form, and no result is ever rounded.
class Ratio {
 public:
  Ratio() = default;
  explicit Ratio(std::int64_t value);
  explicit Ratio(const Exact& value);

  /// above / below; below must be positive.
  [[nodiscard]] static Ratio of(Wide above, Wide below);

  Ratio(const Ratio& other);
  Ratio(Ratio&& other) noexcept = default;
  Ratio& operator=(const Ratio& other);
  Ratio& operator=(Ratio&& other) noexcept = default;
  ~Ratio() = default;

  [[nodiscard]] Exact exact() const;
  [[nodiscard]] bool is_zero() const { return !big_ && numerator_ == 0; }

  /// Whether the number is kept in two machine words: numerator() / denominator(), in lowest
  /// terms, the denominator positive.
  [[nodiscard]] bool is_small() const { return !big_; }
  [[nodiscard]] std::int64_t numerator() const { return numerator_; }
  [[nodiscard]] std::int64_t denominator() const { return denominator_; }

  /// Within 4 units in the last place of the number, so that two approximations further apart
  /// than that tell which number is larger.
  [[nodiscard]] double approximate() const {
    if (big_) return to_double(*big_);
    return static_cast<double>(numerator_) / static_cast<double>(denominator_);
  }

  Ratio& operator+=(const Ratio& other) { return add(other, 1); }
  Ratio& operator-=(const Ratio& other) { return add(other, -1); }
  Ratio& operator*=(std::int64_t factor);
  /// `divisor` must be positive.
  Ratio& operator/=(std::int64_t divisor);

  friend Ratio operator-(Ratio a, const Ratio& b) { return std::move(a -= b); }
  friend Ratio operator*(Ratio a, std::int64_t factor) { return std::move(a *= factor); }
  friend Ratio operator/(Ratio a, std::int64_t divisor) { return std::move(a /= divisor); }

  friend bool operator<(const Ratio& a, const Ratio& b);
  friend bool operator==(const Ratio& a, const Ratio& b);

 private:
  Ratio& add(const Ratio& other, std::int64_t sign);
  bool add_small(const Ratio& other, std::int64_t sign);
  void assign(const Exact& value);

  // In lowest terms, denominator positive, magnitudes below 2^63; meaningless while big_ is set.
  std::int64_t numerator_ = 0;
  std::int64_t denominator_ = 1;
  std::unique_ptr<Exact> big_;  // the number when it does not fit the two words
};

}  // namespace vgsim
