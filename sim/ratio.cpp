#include "sim/ratio.hpp"

#include <cstdint>
#include <limits>
#include <numeric>
#include <utility>

namespace vgsim {
namespace {

constexpr std::int64_t kLargest = std::numeric_limits<std::int64_t>::max();

bool fits(Wide value) { return value <= kLargest && value >= -kLargest; }

}  // namespace

Ratio::Ratio(std::int64_t value) { assign(Exact(value)); }

Ratio::Ratio(const Exact& value) { assign(value); }

Ratio Ratio::of(Wide above, Wide below) {
  const auto magnitude = static_cast<UnsignedWide>(above < 0 ? -above : above);
  const auto common =
      static_cast<Wide>(greatest_common_divisor(magnitude, static_cast<UnsignedWide>(below)));
  Ratio result;
  if (fits(above / common) && fits(below / common)) {
    result.numerator_ = static_cast<std::int64_t>(above / common);
    result.denominator_ = static_cast<std::int64_t>(below / common);
  } else {
    result.assign(Exact(to_integer(above / common), to_integer(below / common)));
  }
  return result;
}

Ratio::Ratio(const Ratio& other)
    : numerator_(other.numerator_),
      denominator_(other.denominator_),
      big_(other.big_ ? std::make_unique<Exact>(*other.big_) : nullptr) {}

Ratio& Ratio::operator=(const Ratio& other) {
  if (this != &other) *this = Ratio(other);
  return *this;
}

/// Boost's numbers of one machine word are read directly: this runs once for each link of a
/// cluster.
void Ratio::assign(const Exact& value) {
  const auto& above_word = value.backend().data().numerator().backend();
  const auto& below_word = value.backend().data().denominator().backend();
  if (above_word.size() == 1 && below_word.size() == 1 && *above_word.limbs() <= kLargest &&
      *below_word.limbs() <= kLargest) {
    const auto magnitude = static_cast<std::int64_t>(*above_word.limbs());
    numerator_ = above_word.sign() ? -magnitude : magnitude;
    denominator_ = static_cast<std::int64_t>(*below_word.limbs());
    big_.reset();
    return;
  }
  using boost::multiprecision::abs;
  const auto above = boost::multiprecision::numerator(value);
  const auto below = boost::multiprecision::denominator(value);
  if (abs(above) > kLargest || below > kLargest) {
    big_ = std::make_unique<Exact>(value);
    return;
  }
  numerator_ = static_cast<std::int64_t>(above);
  denominator_ = static_cast<std::int64_t>(below);
  big_.reset();
}

Exact Ratio::exact() const {
  if (big_) return *big_;
  return denominator_ == 1 ? Exact(numerator_) : Exact(numerator_, denominator_);
}

/// Adds in machine words, as in Knuth, TAOCP 2, 4.5.1; false when the sum does not fit.
bool Ratio::add_small(const Ratio& other, std::int64_t sign) {
  const std::int64_t common =
      denominator_ == 1 || other.denominator_ == 1 ? 1 : std::gcd(denominator_, other.denominator_);
  const std::int64_t rest = denominator_ / common;
  const Wide sum = static_cast<Wide>(numerator_) * (other.denominator_ / common) +
                   static_cast<Wide>(other.numerator_) * sign * rest;
  const std::int64_t shared =
      common == 1 ? 1 : std::gcd(static_cast<std::int64_t>(sum % common), common);
  const Wide above = sum / shared;
  const Wide below = static_cast<Wide>(rest) * (other.denominator_ / shared);
  if (!fits(above) || !fits(below)) return false;
  numerator_ = static_cast<std::int64_t>(above);
  denominator_ = static_cast<std::int64_t>(below);
  return true;
}

Ratio& Ratio::add(const Ratio& other, std::int64_t sign) {
  if (!big_ && !other.big_ && add_small(other, sign)) return *this;
  assign(exact() + other.exact() * sign);
  return *this;
}

Ratio& Ratio::operator*=(std::int64_t factor) {
  if (factor == 1) return *this;
  if (!big_ && factor >= -kLargest) {
    const std::int64_t common = denominator_ == 1 ? 1 : std::gcd(factor, denominator_);
    const Wide above = static_cast<Wide>(numerator_) * (factor / common);
    if (fits(above)) {
      numerator_ = static_cast<std::int64_t>(above);
      denominator_ /= common;
      return *this;
    }
  }
  assign(exact() * factor);
  return *this;
}

Ratio& Ratio::operator/=(std::int64_t divisor) {
  if (divisor == 1) return *this;
  if (!big_) {
    const std::int64_t common = std::gcd(numerator_, divisor);
    const Wide below = static_cast<Wide>(denominator_) * (divisor / common);
    if (fits(below)) {
      numerator_ /= common;
      denominator_ = static_cast<std::int64_t>(below);
      return *this;
    }
  }
  assign(exact() / divisor);
  return *this;
}

bool operator<(const Ratio& a, const Ratio& b) {
  if (a.big_ || b.big_) return a.exact() < b.exact();
  return static_cast<Wide>(a.numerator_) * b.denominator_ <
         static_cast<Wide>(b.numerator_) * a.denominator_;
}

bool operator==(const Ratio& a, const Ratio& b) {
  if (a.big_ || b.big_) return a.big_ && b.big_ && *a.big_ == *b.big_;
  return a.numerator_ == b.numerator_ && a.denominator_ == b.denominator_;
}

}  // namespace vgsim
