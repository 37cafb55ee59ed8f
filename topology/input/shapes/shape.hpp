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

/// The accepted form of a value in a file, the basis of validation, JSON Schema and documentation.
/// An immutable value: cheap to copy; the functions below return a modified copy.
class Shape {
 public:
  explicit Shape(ShapeNode node);

  /// Adds a sentence that describes the value.
  [[nodiscard]] Shape describe(std::string text) const;
  /// Also allows null, which removes something in a merge patch.
  [[nodiscard]] Shape nullable() const;
  /// Publishes the schema in a separate file, to which other schemas refer.
  [[nodiscard]] Shape published_in(std::string file) const;
  /// The content (shape_node.hpp), for generators.
  [[nodiscard]] const ShapeNode& node() const { return *node_; }

 private:
  std::shared_ptr<const ShapeNode> node_;
};

/// A key of an object and the shape of its value.
class Field {
 public:
  Field(std::string name, Shape shape);

  [[nodiscard]] Field required() const;
  [[nodiscard]] Field optional() const;
  /// The meaning of the key; precedes the description of its shape.
  [[nodiscard]] Field describe(std::string text) const;
  /// The default: JSON ("true", "4"), a value of the shape ("2 us"), or words.
  [[nodiscard]] Field default_text(std::string text) const;
  /// Values as JSON, or as text for string shapes. They must match the shape.
  [[nodiscard]] Field examples(std::vector<std::string> texts) const;
  /// Common wrong names; they are rejected with this name as the suggestion.
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

/// Any JSON; its content is checked elsewhere.
[[nodiscard]] Shape any_shape();
/// Any text, including the empty one.
[[nodiscard]] Shape string_shape();
/// A name: 1 to 200 characters, no control characters.
[[nodiscard]] Shape name_shape();
/// Exactly one of the words.
[[nodiscard]] Shape enum_shape(std::vector<std::string> words);

/// Nothing if the text is valid, otherwise a sentence about the expected form.
using TextCheck = std::function<std::optional<std::string>(std::string_view)>;

/// Text of a certain form. `noun` describes it: `a PCI address such as "0000:3b:00.0"`. `regex`
/// (ECMA, anchored) is for the schema and must accept all texts that `check` accepts.
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
/// An object with free names as keys. Each key must match the string shape `key`.
[[nodiscard]] Shape map_shape(Shape key, Shape value, std::size_t min = 0,
                              std::size_t max = kMaxItems);
/// The same with name_shape() for the keys and this description: "host name, or a range of them".
[[nodiscard]] Shape map_shape(std::string key_description, Shape value, std::size_t min = 0,
                              std::size_t max = kMaxItems);

/// One of several shapes. Alternatives are distinguished by the kind of JSON value, then by a
/// required enum key that all object alternatives share ("kind"), then by the fewest errors.
[[nodiscard]] Shape any_of_shape(std::vector<Shape> alternatives);

/// The shape of a JSON merge patch for such a value: nothing is required, and null is allowed
/// everywhere below the root.
[[nodiscard]] Shape patch_of(const Shape& shape);

/// Reports everything in `value` that does not match. The value is a whole document: an object may
/// have the keys "$schema" and "description" (strings) at its root.
void check(const Value& value, const Shape& shape, Diagnostics& diagnostics);

/// The shape as JSON Schema draft-07, pretty-printed, with a newline at the end; deterministic.
/// Limits of unit strings and custom checks cannot be expressed and remain to check(); otherwise
/// both accept the same documents. Throws std::logic_error if an example of a field does not match
/// its shape.
[[nodiscard]] std::string to_json_schema(const Shape& shape, std::string_view title,
                                         std::string_view id);

}  // namespace vgsim::input
