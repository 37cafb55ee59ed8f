#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "sim/units.hpp"
#include "topology/input/value.hpp"

namespace vgsim::input {

/// Typed access to values that check() has accepted. Other values throw std::logic_error, a bug of
/// the caller.

[[nodiscard]] Bytes as_bytes(const Value& value);
[[nodiscard]] BytesPerSecond as_rate(const Value& value);
[[nodiscard]] SimTime as_time(const Value& value);
[[nodiscard]] Flops as_flops(const Value& value);
[[nodiscard]] FlopsPerSecond as_flops_rate(const Value& value);

/// A whole number; 4.0 counts as 4.
[[nodiscard]] std::int64_t as_count(const Value& value);
[[nodiscard]] double as_double(const Value& value);
[[nodiscard]] const std::string& as_string(const Value& value);
[[nodiscard]] bool as_bool(const Value& value);

/// The member of an object, or nothing if it is missing.
[[nodiscard]] std::optional<Value> find(const Value& object, std::string_view key);

}  // namespace vgsim::input
