#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

#include "sim/units.hpp"

namespace vgsim::input {

/// The quantities that a configuration can state, each with its own units.
enum class UnitKind { bytes, bytes_per_second, time, flops, flops_per_second };

/// A quantity, or a sentence about the expected form and the possible readings.
template <class T>
using Parsed = tl::expected<T, std::string>;

/// Reads `<decimal number> <unit>`; one blank between them, or none. No sign, no exponent.
///
/// Arithmetic is exact: a value that is not a whole number of base units (byte, byte per second,
/// picosecond, operation) is an error and never rounded. Prefixes k M G T P are powers of 1000;
/// Ki Mi Gi Ti Pi are powers of 1024. "KB", "64 G", "25 GBps", a missing unit, a negative or a
/// value beyond 64 bits are errors.
[[nodiscard]] Parsed<Bytes> parse_bytes(std::string_view text);  ///< "25 MiB", "1.36 GB".
/// "600 GB/s", "1 GiB/s"; bits as "25 Gbit/s", "25 Gb/s" or "25 Gbps"; a port as "25 GbE".
[[nodiscard]] Parsed<BytesPerSecond> parse_bytes_per_second(std::string_view text);
/// "300 ps", "2 us" (or µs), "1.5 ms", "10 s", "1 min", "2 h".
[[nodiscard]] Parsed<SimTime> parse_sim_time(std::string_view text);
[[nodiscard]] Parsed<Flops> parse_flops(std::string_view text);  ///< "8.2 GFLOP".
/// "312 TFLOP/s"; "312 TFLOPS" means the same.
[[nodiscard]] Parsed<FlopsPerSecond> parse_flops_per_second(std::string_view text);

/// Any of the above, as a count of base units.
[[nodiscard]] Parsed<std::int64_t> parse_quantity(UnitKind kind, std::string_view text);

/// For output: four significant digits at most, ties to even, decimal prefixes, always a unit.
/// The result can be parsed again. Negative values get a minus sign, for differences.
[[nodiscard]] std::string format_bytes(Bytes value);                ///< "1.36 GB".
[[nodiscard]] std::string format_rate(BytesPerSecond value);        ///< "600 GB/s".
[[nodiscard]] std::string format_time(SimTime value);               ///< "870.4 ms", "1.5 min".
[[nodiscard]] std::string format_flops(Flops value);                ///< "8.2 GFLOP".
[[nodiscard]] std::string format_flops_rate(FlopsPerSecond value);  ///< "312 TFLOP/s".
[[nodiscard]] std::string format_quantity(UnitKind kind, std::int64_t count);

/// Description of such a value: `a rate such as "25 GB/s"`.
[[nodiscard]] std::string unit_noun(UnitKind kind);

/// The grammar as an ECMA regular expression, anchored at both ends.
[[nodiscard]] std::string unit_regex(UnitKind kind);

}  // namespace vgsim::input
