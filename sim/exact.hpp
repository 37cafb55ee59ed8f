#pragma once

#include <boost/multiprecision/cpp_int.hpp>

#include "sim/units.hpp"

namespace vgsim {

/// An exact rational number of unlimited size: rates and remaining bytes are kept in it, so that
/// equal flows get equal rates and nothing drifts. Only completion times are rounded.
using Exact = boost::multiprecision::number<boost::multiprecision::cpp_rational_backend,
                                            boost::multiprecision::et_off>;

/// The time `amount` takes at `rate` per second, rounded up to the next picosecond.
/// `rate` must be positive and `amount` not negative. Throws OverflowError past 106 days.
[[nodiscard]] SimTime duration_of(const Exact& amount, const Exact& rate_per_second);

/// What `rate_per_second` delivers in `elapsed`, exactly.
[[nodiscard]] Exact delivered(const Exact& rate_per_second, SimTime elapsed);

/// The nearest double, for output only.
[[nodiscard]] double to_double(const Exact& value);

/// A share given as a decimal in a configuration (0.86), read to nine decimals.
[[nodiscard]] Exact exact_share(double share);

}  // namespace vgsim
