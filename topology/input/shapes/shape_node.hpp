#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "topology/input/shapes/shape.hpp"
#include "topology/input/units/unit_strings.hpp"

namespace vgsim::input {

enum class ShapeKind {
  any,
  string,
  words,
  boolean,
  count,
  number,
  quantity,
  array,
  object,
  map,
  any_of
};

/// The content of a Shape. The comments state for which kinds a member is used.
struct ShapeNode {
  ShapeKind kind = ShapeKind::string;
  std::string description;
  bool nullable = false;
  std::string published_in;  ///< schema file in the same directory; empty: none

  std::string noun;   ///< string: its description; empty for any text.
  std::string regex;  ///< string: ECMA, anchored; empty for any text.
  TextCheck check;    ///< string: empty for any text.

  std::vector<std::string> words;  ///< words: those allowed, in the order of the description.

  UnitKind unit = UnitKind::bytes;  ///< quantity
  std::int64_t min = 0;             ///< count, quantity (base units): limits included.
  std::int64_t max = kNoLimit;
  double number_min = 0;  ///< number: limits included.
  double number_max = 0;

  std::size_t min_items = 0;  ///< array, map: limits included.
  std::size_t max_items = kMaxItems;
  std::vector<Shape> children;  ///< array: element; map: key, value; any_of: all.
  std::vector<Field> fields;    ///< object
};

/// `a whole number from 1 to 64`, `one of: "ring", "tree"`, `an object`.
[[nodiscard]] std::string shape_noun(const Shape& shape);

/// The limits of a quantity, exactly: " from 1 GB/s to 10 TB/s"; empty if there are none.
[[nodiscard]] std::string quantity_limits(const ShapeNode& node);

}  // namespace vgsim::input
