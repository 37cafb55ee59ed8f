#include "sim/ratio.hpp"

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <utility>

#include "sim/exact.hpp"

namespace vgsim {
namespace {

constexpr std::int64_t kLargest = std::numeric_limits<std::int64_t>::max();

bool fits(Wide value) { return value <= kLargest && value >= -kLargest; }

struct Fraction {
  std::int64_t above;
  std::int64_t below;
  bool exact = false;  ///< equal to the number
};

/// The largest fraction that is not above part / whole, which is below 1, and whose denominator is
/// at most kShortDenominator.
///
/// Searches the Stern-Brocot tree: part / whole stays between two neighbouring fractions, at first
/// 0/1 and 1/1. Alternately each bound moves towards the other as far as part / whole and the
/// largest denominator allow. to_lower and to_upper are the distances from the bounds, in units of
/// 1 / (whole * denominator of the bound).
template <typename Integer>
Fraction lower_neighbour(const Integer& part, const Integer& whole) {
  const auto steps = [](const Integer& wanted, const Fraction& moved, const Fraction& other) {
    const std::int64_t most = (kShortDenominator - moved.below) / other.below;
    return wanted < static_cast<std::uint64_t>(most) ? static_cast<std::int64_t>(wanted) : most;
  };
  Fraction lower{0, 1};
  Fraction upper{1, 1};
  Integer to_lower = part;
  Integer to_upper = whole - part;
  for (;;) {
    const std::int64_t up = steps(Integer(to_lower / to_upper), lower, upper);
    lower = {lower.above + up * upper.above, lower.below + up * upper.below};
    to_lower -= to_upper * static_cast<std::uint64_t>(up);
    if (to_lower == 0) return {lower.above, lower.below, true};
    const std::int64_t down = steps(Integer((to_upper - 1) / to_lower), upper, lower);
    upper = {upper.above + down * lower.above, upper.below + down * lower.below};
    to_upper -= to_lower * static_cast<std::uint64_t>(down);
    if (lower.below + upper.below > kShortDenominator) return lower;
  }
}

/// shortened(above / below) for values below 2^63; below is at most half the range of Integer.
template <typename Integer>
Ratio shorten(const Integer& above, const Integer& below) {
  const auto whole = static_cast<std::int64_t>(Integer(above / below));
  const Integer part = above % below;
  if (part == 0) return whole;
  const auto [numerator, denominator, exact] = lower_neighbour(part, below);
  if (exact) {
    return Ratio::of(static_cast<Wide>(whole) * denominator + numerator, denominator);
  }
  Integer rest = part;
  std::uint64_t binary = 0;
  int bits = whole == 0 ? 0 : 64 - std::countl_zero(static_cast<std::uint64_t>(whole));
  int places = 0;
  for (; places < 62 && bits < kShortBits; ++places) {
    rest += rest;
    binary += binary;
    if (rest >= below) {
      rest -= below;
      ++binary;
    }
    if (bits > 0 || binary > 0) ++bits;
  }
  const auto scale = Wide{1} << places;
  const bool in_bits = static_cast<Wide>(binary) * denominator > scale * numerator;
  return in_bits ? Ratio::of(whole * scale + static_cast<Wide>(binary), scale)
                 : Ratio::of(static_cast<Wide>(whole) * denominator + numerator, denominator);
}

}  // namespace

void Ratio::DeleteBig::operator()(Big* big) const noexcept { delete big; }

Ratio::Ratio(const Big& value) { assign(value); }

void Ratio::copy_big(const Ratio& other) { big_.reset(new Big(*other.big_)); }

Ratio Ratio::of(Wide above, Wide below) {
  const auto magnitude = static_cast<UnsignedWide>(above < 0 ? -above : above);
  const auto common =
      static_cast<Wide>(greatest_common_divisor(magnitude, static_cast<UnsignedWide>(below)));
  Ratio result;
  if (fits(above / common) && fits(below / common)) {
    result.numerator_ = static_cast<std::int64_t>(above / common);
    result.denominator_ = static_cast<std::int64_t>(below / common);
  } else {
    result.assign({Exact(Integer(above / common), Integer(below / common))});
  }
  return result;
}

/// Numbers of one machine word are read from Boost's representation directly, which is faster.
void Ratio::assign(const Big& value) {
  const auto& above_word = value.value.backend().data().numerator().backend();
  const auto& below_word = value.value.backend().data().denominator().backend();
  if (above_word.size() == 1 && below_word.size() == 1 && *above_word.limbs() <= kLargest &&
      *below_word.limbs() <= kLargest) {
    const auto magnitude = static_cast<std::int64_t>(*above_word.limbs());
    numerator_ = above_word.sign() ? -magnitude : magnitude;
    denominator_ = static_cast<std::int64_t>(*below_word.limbs());
    big_.reset();
    return;
  }
  const auto above = boost::multiprecision::numerator(value.value);
  const auto below = boost::multiprecision::denominator(value.value);
  if (boost::multiprecision::abs(above) > kLargest || below > kLargest) {
    big_.reset(new Big(value));
    return;
  }
  numerator_ = static_cast<std::int64_t>(above);
  denominator_ = static_cast<std::int64_t>(below);
  big_.reset();
}

Ratio::Big Ratio::big() const {
  if (big_) return *big_;
  return {denominator_ == 1 ? Exact(numerator_) : Exact(numerator_, denominator_)};
}

/// Adds in machine words, as in Knuth, TAOCP 2, 4.5.1. Returns false when the sum does not fit.
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
  assign({exact_of(*this) + exact_of(other) * sign});
  return *this;
}

/// Multiplies by above / below, in lowest terms and below positive. Returns false when the product
/// does not fit.
bool Ratio::multiply_small(std::int64_t above, std::int64_t below) {
  const std::int64_t across = denominator_ == 1 ? 1 : std::gcd(above, denominator_);
  const std::int64_t down = below == 1 ? 1 : std::gcd(numerator_, below);
  const Wide product = static_cast<Wide>(numerator_ / down) * (above / across);
  const Wide divisor = static_cast<Wide>(denominator_ / across) * (below / down);
  if (!fits(product) || !fits(divisor)) return false;
  numerator_ = static_cast<std::int64_t>(product);
  denominator_ = static_cast<std::int64_t>(divisor);
  return true;
}

Ratio& Ratio::operator*=(const Ratio& other) {
  if (!big_ && !other.big_ && multiply_small(other.numerator_, other.denominator_)) return *this;
  assign({exact_of(*this) * exact_of(other)});
  return *this;
}

Ratio& Ratio::operator/=(const Ratio& other) {
  if (!big_ && !other.big_ && other.numerator_ != 0) {
    const bool negative = other.numerator_ < 0;
    if (multiply_small(negative ? -other.denominator_ : other.denominator_,
                       negative ? -other.numerator_ : other.numerator_)) {
      return *this;
    }
  }
  assign({exact_of(*this) / exact_of(other)});
  return *this;
}

std::strong_ordering operator<=>(const Ratio& a, const Ratio& b) {
  if (a.big_ || b.big_) {
    const int order = exact_of(a).compare(exact_of(b));
    return order <=> 0;
  }
  return static_cast<Wide>(a.numerator_) * b.denominator_ <=>
         static_cast<Wide>(b.numerator_) * a.denominator_;
}

bool operator==(const Ratio& a, const Ratio& b) {
  if (a.big_ || b.big_) return a.big_ && b.big_ && a.big_->value == b.big_->value;
  return a.numerator_ == b.numerator_ && a.denominator_ == b.denominator_;
}

double to_double(const Ratio& value) {
  constexpr std::int64_t kWholeInDouble = std::int64_t{1} << 53;
  const auto whole = [](std::int64_t number) {
    return number <= kWholeInDouble && number >= -kWholeInDouble;
  };
  if (value.is_small() && whole(value.numerator()) && whole(value.denominator())) {
    return static_cast<double>(value.numerator()) / static_cast<double>(value.denominator());
  }
  return static_cast<double>(exact_of(value));
}

/// Uses machine words while the products fit.
SimTime duration_of(const Ratio& amount, const Ratio& rate_per_second) {
  if (amount.is_small() && rate_per_second.is_small()) {
    Wide above = static_cast<Wide>(amount.numerator()) * kPicosecondsPerSecond;
    const Wide below = static_cast<Wide>(amount.denominator()) * rate_per_second.numerator();
    if (!__builtin_mul_overflow(above, static_cast<Wide>(rate_per_second.denominator()), &above)) {
      const Wide ticks = above / below + (above % below > 0 ? 1 : 0);
      if (ticks > kLargest) throw OverflowError("simulated time exceeds 106 days");
      return SimTime{static_cast<std::int64_t>(ticks)};
    }
  }
  const Integer ticks =
      -floor_of(-exact_of(amount) * kPicosecondsPerSecond / exact_of(rate_per_second));
  if (ticks > kLargest) throw OverflowError("simulated time exceeds 106 days");
  return SimTime{static_cast<std::int64_t>(ticks)};
}

Ratio delivered(const Ratio& rate_per_second, SimTime elapsed) {
  return rate_per_second * Ratio::of(elapsed.count(), kPicosecondsPerSecond);
}

bool delivers_less(const Ratio& rate_per_second, SimTime elapsed, const Ratio& amount) {
  if (rate_per_second.is_small() && amount.is_small()) {
    Wide delivered = static_cast<Wide>(rate_per_second.numerator()) * elapsed.count();
    Wide wanted = static_cast<Wide>(amount.numerator()) * rate_per_second.denominator();
    if (!__builtin_mul_overflow(delivered, static_cast<Wide>(amount.denominator()), &delivered) &&
        !__builtin_mul_overflow(wanted, static_cast<Wide>(kPicosecondsPerSecond), &wanted)) {
      return delivered < wanted;
    }
  }
  const Exact rate = exact_of(rate_per_second);
  const Exact work = exact_of(amount);
  return numerator(rate) * elapsed.count() * denominator(work) <
         numerator(work) * denominator(rate) * kPicosecondsPerSecond;
}

Ratio shortened(Wide above, Wide below) {
  if (fits(above) && fits(below)) {
    if (below == 1) return static_cast<std::int64_t>(above);
    return shorten(static_cast<std::uint64_t>(above), static_cast<std::uint64_t>(below));
  }
  if (above / below > kLargest) return Ratio::of(above, below);
  return shorten(static_cast<UnsignedWide>(above), static_cast<UnsignedWide>(below));
}

Ratio shortened(Ratio value) {
  if (value.is_small()) return shortened(Wide{value.numerator()}, Wide{value.denominator()});
  const Exact exact = exact_of(value);
  const Integer above = boost::multiprecision::numerator(exact);
  const Integer below = boost::multiprecision::denominator(exact);
  return above / below > kLargest ? value : shorten<Integer>(above, below);
}

Ratio exact_share(double share) {
  constexpr std::int64_t kResolution = 1'000'000'000;
  return Ratio::of(std::llround(share * static_cast<double>(kResolution)), kResolution);
}

}  // namespace vgsim
