#include "topology/input/typed.hpp"

#include <cmath>
#include <stdexcept>

#include "topology/input/units/unit_strings.hpp"

namespace vgsim::input {
namespace {

template <class T>
T must(const Parsed<T>& parsed) {
  if (!parsed) throw std::logic_error("quantity used without a check: expected " + parsed.error());
  return *parsed;
}

}  // namespace

Bytes as_bytes(const Value& value) { return must(parse_bytes(value.string())); }

BytesPerSecond as_rate(const Value& value) { return must(parse_bytes_per_second(value.string())); }

SimTime as_time(const Value& value) { return must(parse_sim_time(value.string())); }

Flops as_flops(const Value& value) { return must(parse_flops(value.string())); }

FlopsPerSecond as_flops_rate(const Value& value) {
  return must(parse_flops_per_second(value.string()));
}

std::int64_t as_count(const Value& value) {
  if (value.kind() == Kind::integer) return value.integer();
  const double number = value.number();
  constexpr double kTwoTo63 = 9223372036854775808.0;
  if (std::trunc(number) != number || number < -kTwoTo63 || number >= kTwoTo63) {
    throw std::logic_error("count used without a check");
  }
  return static_cast<std::int64_t>(number);
}

double as_double(const Value& value) { return value.number(); }

const std::string& as_string(const Value& value) { return value.string(); }

bool as_bool(const Value& value) { return value.boolean(); }

std::optional<Value> find(const Value& object, std::string_view key) {
  if (!object.is_object()) throw std::logic_error("JSON value is not an object");
  const Member* member = object.member(key);
  return member == nullptr ? std::nullopt : std::optional(member->value);
}

}  // namespace vgsim::input
