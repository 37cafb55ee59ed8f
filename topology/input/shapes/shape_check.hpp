#pragma once

#include <string>

#include "topology/input/diagnostics.hpp"
#include "topology/input/shapes/shape.hpp"

namespace vgsim::input {

/// The parts of check(). Each reports its errors.
/// `at_top`: the value is the whole document, so "$schema" and "description" are allowed.

/// `at_top`: the value is the whole document, so "$schema" and "description" are allowed.
void check_value(const Value& value, const Shape& shape, bool at_top, Diagnostics& diagnostics);

/// For shapes of kind string, words, boolean, count, number and quantity.
void check_scalar(const Value& value, const Shape& shape, Diagnostics& diagnostics);

void check_any_of(const Value& value, const Shape& shape, bool at_top, Diagnostics& diagnostics);

/// Whether the shape accepts this kind of JSON value, regardless of its content.
[[nodiscard]] bool kind_fits(const Value& value, const Shape& shape);

/// Short description of a value: `the number 3.7`, `the text "4"`, `an object`.
[[nodiscard]] std::string found_text(const Value& value);

/// A number as in the file, or else in its shortest form; cut after 40 bytes.
[[nodiscard]] std::string number_text(const Value& value);

void report_wrong_kind(const Value& value, const Shape& shape, Diagnostics& diagnostics);

}  // namespace vgsim::input
