#include "topology/input/decoder.hpp"

#include "topology/input/json_reader.hpp"
#include "topology/input/shapes/shape_check.hpp"
#include "topology/input/typed.hpp"

namespace vgsim::input {
namespace {

/// A decoder that returns the content of a value of that shape.
template <class T>
Decoder<T> plain(Shape shape, T (*as)(const Value&)) {
  return {std::move(shape), [as](const Value& value, Diagnostics&) { return as(value); }};
}

}  // namespace

Decoder<bool> boolean() { return plain<bool>(boolean_shape(), &as_bool); }

Decoder<std::int64_t> count(std::int64_t min, std::int64_t max) {
  return plain<std::int64_t>(count_shape(min, max), &as_count);
}

Decoder<double> number(double min, double max) {
  return plain<double>(number_shape(min, max), &as_double);
}

Decoder<Bytes> bytes(Bytes min, Bytes max) {
  return plain<Bytes>(bytes_shape(min, max), &as_bytes);
}

Decoder<BytesPerSecond> rate(BytesPerSecond min, BytesPerSecond max) {
  return plain<BytesPerSecond>(rate_shape(min, max), &as_rate);
}

Decoder<SimTime> time(SimTime min, SimTime max) {
  return plain<SimTime>(time_shape(min, max), &as_time);
}

Decoder<std::string> name() {
  return {name_shape(), [](const Value& value, Diagnostics&) { return value.string(); }};
}

Decoder<Value> as_written(Shape shape) {
  return {std::move(shape), [](const Value& value, Diagnostics&) { return value; }};
}

bool fits(const Value& value, const Shape& shape) {
  Diagnostics found;
  check_value(value, shape, false, found);
  return !found.has_errors();
}

std::optional<Value> fitting_value(const std::string& text, const Shape& shape) {
  const auto json = read_json(make_source("text", text));
  if (json && fits(*json, shape)) return *json;
  Value string = Value::make_string(text);
  return fits(string, shape) ? std::optional(std::move(string)) : std::nullopt;
}

}  // namespace vgsim::input
