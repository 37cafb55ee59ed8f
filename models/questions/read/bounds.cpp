#include "models/questions/read/bounds.hpp"

#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "models/questions/read/quantity_text.hpp"
#include "sim/portable_math.hpp"

namespace vgsim::scenario {
namespace {

using input::Kind;
using input::Value;

/// The largest whole numbers that a double represents exactly.
constexpr std::int64_t kLargestWhole = std::int64_t{1} << 53;

bool is_number(const Value& value) {
  return value.kind() == Kind::integer || value.kind() == Kind::number;
}

bool is_whole(const Value& value) {
  return value.kind() == Kind::integer && value.integer() <= kLargestWhole &&
         value.integer() >= -kLargestWhole;
}

void report(const Value& at, std::string message, std::string expected,
            input::Diagnostics& diagnostics) {
  diagnostics.error("E641", at.location(), at.pointer(), std::move(message), std::move(expected));
}

}  // namespace

Bounds::Bounds(Value low, Value high, Scale scale)
    : low_(std::move(low)), high_(std::move(high)), scale_(scale) {}

std::optional<Bounds> Bounds::read(const Value& low, const Value& high, Scale scale,
                                   input::Diagnostics& diagnostics) {
  Bounds bounds(low, high, scale);
  if (is_number(low) && is_number(high)) {
    bounds.whole_ = is_whole(low) && is_whole(high);
    bounds.from_ = low.number();
    bounds.to_ = high.number();
  } else {
    const auto from = low.is_string() ? read_quantity(low.string()) : std::nullopt;
    const auto to = high.is_string() ? read_quantity(high.string()) : std::nullopt;
    if (!from || !to || from->kind != to->kind) {
      report(high,
             fmt::format("{} and {} have different units", input::as_written(low),
                         input::as_written(high)),
             "two numbers, or two quantities such as \"25 Gbit/s\" and \"400 Gbit/s\"",
             diagnostics);
      return std::nullopt;
    }
    bounds.unit_ = from->kind;
    bounds.unit_name_ = from->unit;
    bounds.from_ = from->in_unit(from->unit);
    bounds.to_ = to->in_unit(from->unit);
  }
  if (!(bounds.from_ < bounds.to_)) {
    report(high, fmt::format("{} is not above {}", input::as_written(high), input::as_written(low)),
           "the lower bound first", diagnostics);
    return std::nullopt;
  }
  if (scale == Scale::kLog && !(bounds.from_ > 0.0)) {
    report(low, fmt::format("{} on a logarithmic scale", input::as_written(low)), "bounds above 0",
           diagnostics);
    return std::nullopt;
  }
  return bounds;
}

double Bounds::number_at(double share) const {
  if (scale_ == Scale::kLinear) return from_ + (to_ - from_) * share;
  const double log_from = portable_log(from_);
  return portable_exp(log_from + (portable_log(to_) - log_from) * share);
}

Value Bounds::at(double share, bool fractions) const {
  if (share <= 0.0) return low_;
  if (share >= 1.0) return high_;
  const double number = number_at(share);
  if (unit_) {
    return Value::make_string(quantity_text(*unit_, unit_name_, number), low_.origin());
  }
  if (whole_ && !fractions) return Value::make_integer(std::llround(number), low_.origin());
  return Value::make_number(six_digits(number), false, low_.origin());
}

input::Shape bound_shape() {
  return input::any_of_shape(
      {input::number_shape(),
       input::pattern_string("a quantity such as \"25 Gbit/s\"", "^[0-9].*$",
                             [](std::string_view text) -> std::optional<std::string> {
                               if (read_quantity(std::string(text))) return std::nullopt;
                               return "a quantity such as \"25 Gbit/s\", \"2 us\" or \"64 GiB\"";
                             })});
}

}  // namespace vgsim::scenario
