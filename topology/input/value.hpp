#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "topology/input/origin.hpp"

namespace vgsim::input {

struct Member;

enum class Kind { null, boolean, integer, number, string, array, object };

/// A JSON value with its origin.
///
/// Values are immutable and cheap to copy: a copy shares the content. Numbers without fraction and
/// exponent that fit 64 bits are `integer`, all others `number`. Accessors of another kind than
/// the value's throw std::logic_error: test kind() first, or check() the value and use typed.hpp.
/// The reader limits the depth, so recursion over a value is safe.
class Value {
 public:
  Value();  ///< null, without an origin.
  static Value make_null(Origin origin = {});
  static Value make_boolean(bool value, Origin origin = {});
  static Value make_integer(std::int64_t value, Origin origin = {});
  /// `written_as_integer`: the text had neither fraction nor exponent but exceeds 64 bits.
  static Value make_number(double value, bool written_as_integer = false, Origin origin = {});
  static Value make_string(std::string value, Origin origin = {});
  static Value make_array(std::vector<Value> elements, Origin origin = {});
  /// Throws std::logic_error if two members have the same name.
  static Value make_object(std::vector<Member> members, Origin origin = {});

  [[nodiscard]] Kind kind() const;
  [[nodiscard]] bool is_null() const { return kind() == Kind::null; }
  [[nodiscard]] bool is_string() const { return kind() == Kind::string; }
  [[nodiscard]] bool is_array() const { return kind() == Kind::array; }
  [[nodiscard]] bool is_object() const { return kind() == Kind::object; }

  [[nodiscard]] bool boolean() const;
  [[nodiscard]] std::int64_t integer() const;
  /// For an integer or a number; an integer is rounded to the nearest double.
  [[nodiscard]] double number() const;
  [[nodiscard]] bool written_as_integer() const;
  [[nodiscard]] const std::string& string() const;
  [[nodiscard]] const std::vector<Value>& elements() const;  ///< Of an array.
  [[nodiscard]] const std::vector<Member>& members() const;  ///< Of an object, in file order.

  /// The member with that name, or nullptr; also nullptr if this is not an object.
  [[nodiscard]] const Member* member(std::string_view name) const;

  /// Identity of the shared content, valid while one copy exists.
  [[nodiscard]] const void* content() const { return node_.get(); }

  [[nodiscard]] const Origin& origin() const;
  /// The same content with another origin.
  [[nodiscard]] Value moved_to(Origin origin) const;
  [[nodiscard]] const Location& location() const { return origin().location; }
  /// JSON pointer in the file of location().
  [[nodiscard]] std::string pointer() const { return to_pointer(origin().path); }

 private:
  struct Node;
  explicit Value(std::shared_ptr<const Node> node);

  std::shared_ptr<const Node> node_;
};

/// One entry of an object.
struct Member {
  std::string name;
  Location key;  ///< The key in the file, with its quotes.
  Value value;
};

/// Members of an object that do not share their content with those of the previous object, provided
/// that others do and both have the same keys in the same order: the differences of entries from
/// one range. Nothing for other objects.
[[nodiscard]] std::optional<std::vector<const Member*>> members_not_shared(const Value& before,
                                                                           const Value& value);

/// JSON without blanks, keys in byte order, numbers in their shortest form: equal texts mean equal
/// documents, independent of the order of keys.
[[nodiscard]] std::string to_canonical_string(const Value& value);

/// A string unquoted, other values as JSON: for display.
[[nodiscard]] std::string as_written(const Value& value);

/// A string as a JSON literal, with its quotes.
[[nodiscard]] std::string to_json_string(std::string_view text);

}  // namespace vgsim::input
