#pragma once

#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "topology/input/decoder.hpp"

namespace vgsim::input {

/// How a value is stored in a member: with or without its origin. Lists and optional members are
/// empty without a value.
template <class M>
struct Slot {
  using Read = M;
  static constexpr bool can_be_empty = false;
  static void put(M& member, Read read, const Value&, bool) { member = std::move(read); }
};
template <class T>
struct Slot<At<T>> {
  using Read = T;
  static constexpr bool can_be_empty = false;
  static void put(At<T>& member, Read read, const Value& from, bool given) {
    member = {std::move(read), from.origin(), given};
  }
};
template <class T>
struct Slot<std::vector<T>> {
  using Read = std::vector<T>;
  static constexpr bool can_be_empty = true;
  static void put(std::vector<T>& member, Read read, const Value&, bool) {
    member = std::move(read);
  }
};
template <class M>
struct Slot<std::optional<M>> {
  using Read = typename Slot<M>::Read;
  static constexpr bool can_be_empty = true;
  static void put(std::optional<M>& member, Read read, const Value& from, bool given) {
    Slot<M>::put(member.emplace(), std::move(read), from, given);
  }
};

/// A key of an object in a file and the member of `Owner` for its value: the only definition of
/// name, unit, range, default, help and aliases.
template <class Owner>
class Key {
 public:
  template <class M>
  Key(std::string name, M Owner::*member, Decoder<typename Slot<M>::Read> decoder)
      : field_(std::move(name), decoder.shape),
        read_([member, read = std::move(decoder.read)](Owner& owner, const Value& value, bool given,
                                                       Diagnostics& diagnostics) {
          Slot<M>::put(owner.*member, read(value, diagnostics), value, given);
        }),
        can_be_empty_(Slot<M>::can_be_empty) {}

  /// A key of a part of the owner that has no separate object in the file.
  template <class Part>
  Key(Part Owner::*part, const Key<Part>& key)
      : field_(key.field_),
        read_([part, read = key.read_](Owner& owner, const Value& value, bool given,
                                       Diagnostics& diagnostics) {
          read(owner.*part, value, given, diagnostics);
        }),
        can_be_empty_(key.can_be_empty_),
        otherwise_(key.otherwise_) {}

  [[nodiscard]] Key required() const { return with(field_.required()); }
  [[nodiscard]] Key describe(std::string text) const {
    return with(field_.describe(std::move(text)));
  }
  [[nodiscard]] Key examples(std::vector<std::string> texts) const {
    return with(field_.examples(std::move(texts)));
  }
  [[nodiscard]] Key aliases(std::vector<std::string> names) const {
    return with(field_.aliases(std::move(names)));
  }
  /// The default value, as it would be written: "true", "4", "2 us".
  [[nodiscard]] Key default_value(const std::string& text) const {
    Key changed = with(field_.default_text(text));
    changed.otherwise_ = fitting_value(text, field_.shape());
    if (!changed.otherwise_) {
      throw std::logic_error("default " + text + " of \"" + field_.name() + "\" does not fit");
    }
    return changed;
  }
  /// The default in words, for a member that is empty then.
  [[nodiscard]] Key default_text(std::string words) const {
    return with(field_.default_text(std::move(words)));
  }

  [[nodiscard]] const Field& field() const { return field_; }

  /// Whether a missing key has a default, or is not allowed.
  [[nodiscard]] bool is_always_read() const {
    return field_.is_required() || otherwise_ || can_be_empty_ ||
           fits(Value::make_object({}), field_.shape());
  }

  /// Reads the key of `object`, or its default. A missing record is read as one without keys.
  void read(Owner& owner, const Value& object, Diagnostics& diagnostics) const {
    if (const Member* given = object.member(field_.name())) {
      read_(owner, given->value, true, diagnostics);
    } else if (otherwise_) {
      read_(owner, otherwise_->moved_to(object.origin()), false, diagnostics);
    } else if (!can_be_empty_) {
      read_(owner, Value::make_object({}, object.origin()), false, diagnostics);
    }
  }

 private:
  template <class>
  friend class Key;

  [[nodiscard]] Key with(Field field) const {
    Key changed = *this;
    changed.field_ = std::move(field);
    return changed;
  }

  Field field_;
  std::function<void(Owner&, const Value&, bool given, Diagnostics&)> read_;
  bool can_be_empty_ = false;
  std::optional<Value> otherwise_;
};

template <class Owner>
using Keys = std::vector<Key<Owner>>;

template <class Owner, class M>
[[nodiscard]] Key<Owner> key(std::string name, M Owner::*member,
                             Decoder<typename Slot<M>::Read> decoder) {
  return Key<Owner>(std::move(name), member, std::move(decoder));
}

/// Adds the keys of a part of the owner to its own keys.
template <class Owner, class Part>
void add_keys(Keys<Owner>& keys, Part Owner::*part, const Keys<Part>& more) {
  for (const Key<Part>& each : more) keys.emplace_back(part, each);
}

template <class Owner>
void add_keys(Keys<Owner>& keys, const Keys<Owner>& more) {
  keys.insert(keys.end(), more.begin(), more.end());
}

/// The shape and reader of a record with these keys. `verify` reports combinations of keys that are
/// not allowed.
///
/// Throws std::logic_error if an optional key has neither a default nor a member that can be empty,
/// and is not a record.
template <class Owner>
[[nodiscard]] Decoder<Owner> record(
    Keys<Owner> keys,
    std::function<void(const Owner&, const Value&, Diagnostics&)> verify = nullptr) {
  std::vector<Field> fields;
  for (const Key<Owner>& each : keys) {
    if (!each.is_always_read()) {
      throw std::logic_error("\"" + each.field().name() + "\" may be missing, without a default");
    }
    fields.push_back(each.field());
  }
  return {object_shape(std::move(fields)), [keys = std::move(keys), verify = std::move(verify)](
                                               const Value& value, Diagnostics& diagnostics) {
            Owner owner{};
            for (const Key<Owner>& each : keys) each.read(owner, value, diagnostics);
            if (verify) verify(owner, value, diagnostics);
            return owner;
          }};
}

}  // namespace vgsim::input
