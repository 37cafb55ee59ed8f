#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/units.hpp"
#include "topology/input/diagnostics.hpp"
#include "topology/input/value.hpp"

namespace vgsim::input {

struct ShapeNode;
class Field;

/// What a value in a file may look like. Validation, JSON Schema and documentation are all read
/// from it. An immutable value: cheap to copy, and each change below gives a new one.
class Shape {
 public:
  explicit Shape(ShapeNode node);

  /// Says in one sentence what the value means.
  [[nodiscard]] Shape describe(std::string text) const;
  /// Allows null as well, as merge patches do to remove something.
  [[nodiscard]] Shape nullable() const;
  /// Has a schema file of its own, which those of other shapes refer to.
  [[nodiscard]] Shape published_in(std::string file) const;
  /// The content (shape_node.hpp), for those who generate something from it.
  [[nodiscard]] const ShapeNode& node() const { return *node_; }

 private:
  std::shared_ptr<const ShapeNode> node_;
};

/// One key of an object, and what stands there.
class Field {
 public:
  Field(std::string name, Shape shape);

  [[nodiscard]] Field required() const;
  /// What the key means; goes before the description of its shape.
  [[nodiscard]] Field describe(std::string text) const;
  /// What holds if the key is missing: JSON ("true", "4"), a value of the shape ("2 us"), or words.
  [[nodiscard]] Field default_text(std::string text) const;
  /// Values as JSON, or as text for shapes that are strings. They must fit the shape.
  [[nodiscard]] Field examples(std::vector<std::string> texts) const;
  /// Names that people try instead; they are refused with this name as the suggestion.
  [[nodiscard]] Field aliases(std::vector<std::string> names) const;

  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] const Shape& shape() const { return shape_; }
  [[nodiscard]] bool is_required() const { return required_; }
  [[nodiscard]] const std::string& description() const { return description_; }
  [[nodiscard]] const std::optional<std::string>& default_text() const { return default_; }
  [[nodiscard]] const std::vector<std::string>& examples() const { return examples_; }
  [[nodiscard]] const std::vector<std::string>& aliases() const { return aliases_; }

 private:
  std::string name_;
  Shape shape_;
  bool required_ = false;
  std::string description_;
  std::optional<std::string> default_;
  std::vector<std::string> examples_;
  std::vector<std::string> aliases_;
};

[[nodiscard]] inline Field field(std::string name, Shape shape) {
  return Field(std::move(name), std::move(shape));
}

/// Whatever JSON has: what stands there is checked elsewhere.
[[nodiscard]] Shape any_shape();
/// Any text, also empty.
[[nodiscard]] Shape string_shape();
/// A name: 1 to 200 characters, no control characters.
[[nodiscard]] Shape name_shape();
/// One of the words, written exactly so.
[[nodiscard]] Shape enum_shape(std::vector<std::string> words);

/// Nothing if the text is good, otherwise one sentence saying what was expected.
using TextCheck = std::function<std::optional<std::string>(std::string_view)>;

/// Text of a certain form. `noun` names it: `a PCI address such as "0000:3b:00.0"`. `regex` (ECMA,
/// anchored) goes into the schema and must accept what `check` accepts.
[[nodiscard]] Shape pattern_string(std::string noun, std::string regex, TextCheck check);

[[nodiscard]] Shape boolean_shape();
/// A whole number, limits included. 4.0 is one; 3.7, true and "4" are not.
[[nodiscard]] Shape count_shape(std::int64_t min = 0,
                                std::int64_t max = std::numeric_limits<std::int64_t>::max());
/// Any number, limits included.
[[nodiscard]] Shape number_shape(double min = std::numeric_limits<double>::lowest(),
                                 double max = std::numeric_limits<double>::max());

/// Quantities written as unit strings, limits included.
inline constexpr std::int64_t kNoLimit = std::numeric_limits<std::int64_t>::max();
[[nodiscard]] Shape bytes_shape(Bytes min = Bytes{0}, Bytes max = Bytes{kNoLimit});
[[nodiscard]] Shape rate_shape(BytesPerSecond min = BytesPerSecond{0},
                               BytesPerSecond max = BytesPerSecond{kNoLimit});
[[nodiscard]] Shape time_shape(SimTime min = SimTime{0}, SimTime max = SimTime{kNoLimit});
[[nodiscard]] Shape flops_shape(Flops min = Flops{0}, Flops max = Flops{kNoLimit});
[[nodiscard]] Shape flops_rate_shape(FlopsPerSecond min = FlopsPerSecond{0},
                                     FlopsPerSecond max = FlopsPerSecond{kNoLimit});

inline constexpr std::size_t kMaxItems = 100'000;

[[nodiscard]] Shape array_shape(Shape element, std::size_t min = 0, std::size_t max = kMaxItems);
/// An object with these keys and no others.
[[nodiscard]] Shape object_shape(std::vector<Field> fields);
/// An object whose keys are free names. `key` is a string shape that each key must fit.
[[nodiscard]] Shape map_shape(Shape key, Shape value, std::size_t min = 0,
                              std::size_t max = kMaxItems);
/// The same with name_shape() for the keys, described so: "host name, or a range of them".
[[nodiscard]] Shape map_shape(std::string key_description, Shape value, std::size_t min = 0,
                              std::size_t max = kMaxItems);

/// Any one of several. Alternatives are told apart by the kind of JSON value first, then by a
/// required enum key that all object alternatives share ("kind"), then by the fewest errors.
[[nodiscard]] Shape any_of_shape(std::vector<Shape> alternatives);

/// The shape of a JSON merge patch over such a value: nothing is required, and null may stand
/// anywhere below the top.
[[nodiscard]] Shape patch_of(const Shape& shape);

/// Reports everything in `value` that does not fit. The value is taken as a whole document: if it
/// is an object, the keys "$schema" and "description" (strings) are allowed at its top.
void check(const Value& value, const Shape& shape, Diagnostics& diagnostics);

/// The shape as JSON Schema draft-07, pretty-printed, with a newline at the end; the same text
/// for the same shape. What it cannot say (limits of unit strings, custom checks) it leaves to
/// check(); apart from that both accept the same documents. Throws std::logic_error if a field's
/// example does not fit its shape.
[[nodiscard]] std::string to_json_schema(const Shape& shape, std::string_view title,
                                         std::string_view id);

}  // namespace vgsim::input
