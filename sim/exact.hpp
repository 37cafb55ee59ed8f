#pragma once

#include <boost/multiprecision/cpp_int.hpp>

#include "sim/ratio.hpp"

namespace vgsim {

/// Representation of a Ratio that does not fit in two machine words. The header compiles slowly:
/// only for .cpp files of sim/. Other code uses Ratio.
using Exact = boost::multiprecision::number<boost::multiprecision::cpp_rational_backend,
                                            boost::multiprecision::et_off>;
using Integer = boost::multiprecision::cpp_int;

struct Ratio::Big {
  Exact value;
};

[[nodiscard]] inline Exact exact_of(const Ratio& ratio) { return ratio.big().value; }
[[nodiscard]] inline Ratio ratio_of(const Exact& value) { return Ratio(Ratio::Big{value}); }

[[nodiscard]] inline Integer floor_of(const Exact& value) {
  Integer quotient;
  Integer remainder;
  boost::multiprecision::divide_qr(Integer(boost::multiprecision::numerator(value)),
                                   Integer(boost::multiprecision::denominator(value)), quotient,
                                   remainder);
  return remainder < 0 ? Integer(quotient - 1) : quotient;
}

}  // namespace vgsim
