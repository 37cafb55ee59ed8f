#pragma once

#include <compare>
#include <cstdint>
#include <stdexcept>

namespace vgsim {

/// Thrown when an integer quantity leaves the 64-bit range. Quantities never wrap.
class OverflowError : public std::overflow_error {
 public:
  using std::overflow_error::overflow_error;
};

/// An integer count of one unit; `Tag` distinguishes units at compile time.
///
/// Arithmetic is checked: leaving the signed 64-bit range throws OverflowError. Quantities do not
/// convert implicitly to or from other units or plain numbers.
template <class Tag>
class Quantity {
 public:
  constexpr Quantity() = default;
  constexpr explicit Quantity(std::int64_t count) : count_(count) {}

  /// The number of units; the aliases below define the unit.
  [[nodiscard]] constexpr std::int64_t count() const { return count_; }

  constexpr auto operator<=>(const Quantity&) const = default;

  constexpr Quantity& operator+=(Quantity other) {
    if (__builtin_add_overflow(count_, other.count_, &count_)) overflow();
    return *this;
  }
  constexpr Quantity& operator-=(Quantity other) {
    if (__builtin_sub_overflow(count_, other.count_, &count_)) overflow();
    return *this;
  }
  constexpr Quantity& operator*=(std::int64_t factor) {
    if (__builtin_mul_overflow(count_, factor, &count_)) overflow();
    return *this;
  }

  friend constexpr Quantity operator+(Quantity a, Quantity b) { return a += b; }
  friend constexpr Quantity operator-(Quantity a, Quantity b) { return a -= b; }
  friend constexpr Quantity operator*(Quantity a, std::int64_t factor) { return a *= factor; }
  friend constexpr Quantity operator*(std::int64_t factor, Quantity a) { return a *= factor; }

 private:
  [[noreturn]] static void overflow() {
    throw OverflowError("quantity exceeds the signed 64-bit range");
  }

  std::int64_t count_ = 0;
};

/// Bytes; GB is 10^9 bytes, GiB is 2^30.
using Bytes = Quantity<struct BytesTag>;
/// Bytes per second, per direction. Bits are converted on input.
using BytesPerSecond = Quantity<struct BytesPerSecondTag>;
/// Simulated time or a duration, in picoseconds: range 106 days, resolution 1 ps.
using SimTime = Quantity<struct SimTimeTag>;
/// Floating-point operations; a multiply-add counts two.
using Flops = Quantity<struct FlopsTag>;
/// Floating-point operations per second.
using FlopsPerSecond = Quantity<struct FlopsPerSecondTag>;

inline constexpr std::int64_t kPicosecondsPerSecond = 1'000'000'000'000;

/// Seconds as a double, for output only.
[[nodiscard]] constexpr double to_seconds(SimTime time) {
  return static_cast<double>(time.count()) / static_cast<double>(kPicosecondsPerSecond);
}

namespace literals {

constexpr std::int64_t scaled(unsigned long long count, std::int64_t factor) {
  std::int64_t result = 0;
  if (count > static_cast<unsigned long long>(INT64_MAX) ||
      __builtin_mul_overflow(static_cast<std::int64_t>(count), factor, &result)) {
    throw OverflowError("literal exceeds the signed 64-bit range");
  }
  return result;
}

constexpr SimTime operator""_ps(unsigned long long n) { return SimTime{scaled(n, 1)}; }
constexpr SimTime operator""_ns(unsigned long long n) { return SimTime{scaled(n, 1'000)}; }
constexpr SimTime operator""_us(unsigned long long n) { return SimTime{scaled(n, 1'000'000)}; }
constexpr SimTime operator""_ms(unsigned long long n) { return SimTime{scaled(n, 1'000'000'000)}; }
constexpr SimTime operator""_s(unsigned long long n) {
  return SimTime{scaled(n, kPicosecondsPerSecond)};
}

constexpr Bytes operator""_B(unsigned long long n) { return Bytes{scaled(n, 1)}; }
constexpr Bytes operator""_kB(unsigned long long n) { return Bytes{scaled(n, 1'000)}; }
constexpr Bytes operator""_MB(unsigned long long n) { return Bytes{scaled(n, 1'000'000)}; }
constexpr Bytes operator""_GB(unsigned long long n) { return Bytes{scaled(n, 1'000'000'000)}; }
constexpr Bytes operator""_KiB(unsigned long long n) { return Bytes{scaled(n, 1LL << 10)}; }
constexpr Bytes operator""_MiB(unsigned long long n) { return Bytes{scaled(n, 1LL << 20)}; }
constexpr Bytes operator""_GiB(unsigned long long n) { return Bytes{scaled(n, 1LL << 30)}; }

constexpr BytesPerSecond operator""_Bps(unsigned long long n) {
  return BytesPerSecond{scaled(n, 1)};
}
constexpr BytesPerSecond operator""_MBps(unsigned long long n) {
  return BytesPerSecond{scaled(n, 1'000'000)};
}
constexpr BytesPerSecond operator""_GBps(unsigned long long n) {
  return BytesPerSecond{scaled(n, 1'000'000'000)};
}
constexpr BytesPerSecond operator""_Gbitps(unsigned long long n) {
  return BytesPerSecond{scaled(n, 125'000'000)};
}

constexpr Flops operator""_FLOP(unsigned long long n) { return Flops{scaled(n, 1)}; }
constexpr Flops operator""_GFLOP(unsigned long long n) { return Flops{scaled(n, 1'000'000'000)}; }
constexpr FlopsPerSecond operator""_TFLOPps(unsigned long long n) {
  return FlopsPerSecond{scaled(n, 1'000'000'000'000)};
}

}  // namespace literals
}  // namespace vgsim
