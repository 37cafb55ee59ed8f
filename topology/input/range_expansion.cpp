#include <fmt/format.h>

#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "topology/input/error_codes.hpp"
#include "topology/input/merge_patch.hpp"
#include "topology/input/name_ranges.hpp"

namespace vgsim::input {
namespace {

using Names = std::vector<std::string>;

/// Most values that one call copies; protects the memory from a short hostile file.
constexpr std::size_t kMaxCopies = 5'000'000;
/// Most bad strings reported for one key.
constexpr std::size_t kMaxBadStrings = 20;

/// The part of a member to copy for each name of a ranged key.
struct Extent {
  std::size_t values = 0;
  std::size_t ranged_strings = 0;
};

void measure(const Value& value, Extent& extent) {
  ++extent.values;
  if (value.is_string() && has_range(value.string())) ++extent.ranged_strings;
  if (value.is_array()) {
    for (const Value& element : value.elements()) measure(element, extent);
  } else if (value.is_object()) {
    for (const Member& member : value.members()) measure(member.value, extent);
  }
}

std::size_t copies_for(const Value& value, std::size_t names) {
  Extent extent;
  measure(value, extent);
  return extent.ranged_strings == 0 ? names : names * extent.values;
}

/// The expanded strings with ranges inside one ranged member, by their position.
class RangedStrings {
 public:
  RangedStrings(const Member& member, std::size_t count, Diagnostics& diagnostics)
      : key_(member.name), count_(count), diagnostics_(diagnostics) {
    collect(member.value);
  }

  [[nodiscard]] bool good() const { return bad_ == 0; }

  /// The value for the k-th name. Values without ranges are shared, not copied.
  [[nodiscard]] Value take(const Value& value, std::size_t k) const {
    return next(value, k).value_or(value);
  }

 private:
  void collect(const Value& value) {
    if (value.is_string() && has_range(value.string())) {
      ranged_.insert(value.content());
      expand(value);
    }
    const auto collect_inside = [&](const Value& inside) {
      collect(inside);
      if (ranged_.contains(inside.content())) ranged_.insert(value.content());
    };
    if (value.is_array()) {
      for (const Value& element : value.elements()) collect_inside(element);
    } else if (value.is_object()) {
      for (const Member& member : value.members()) {
        if (!has_range(member.name)) collect_inside(member.value);
      }
    }
  }

  void expand(const Value& value) {
    const std::string& text = value.string();
    if (expanded_.contains(text) || bad_ == kMaxBadStrings) return;
    auto names = expand_names(text);
    if (!names) {
      fail(codes::kBadRange, value, names.error(), "a range such as \"esx[01-04]\"");
    } else if (names->size() != 1 && names->size() != count_) {
      fail(codes::kRangeMismatch, value,
           fmt::format("\"{}\" expands to {} names, but its key \"{}\" to {}", text, names->size(),
                       key_, count_),
           "ranges of equal length, or a single name");
    } else {
      expanded_.emplace(text, std::move(*names));
    }
  }

  void fail(const ErrorCode& code, const Value& value, std::string message, std::string expected) {
    ++bad_;
    diagnostics_.error(code.code, value.location(), value.pointer(), std::move(message),
                       std::move(expected));
  }

  /// Nothing if the value is equal for all names.
  std::optional<Value> next(const Value& value, std::size_t k) const {
    if (!ranged_.contains(value.content())) return std::nullopt;
    switch (value.kind()) {
      case Kind::string:
        return next_string(value, k);
      case Kind::array:
        return next_array(value, k);
      case Kind::object:
        return next_object(value, k);
      default:
        return std::nullopt;
    }
  }

  std::optional<Value> next_string(const Value& value, std::size_t k) const {
    const auto found = expanded_.find(value.string());
    if (found == expanded_.end()) return std::nullopt;
    const Names& names = found->second;
    return Value::make_string(names[names.size() == 1 ? 0 : k], value.origin());
  }

  std::optional<Value> next_array(const Value& value, std::size_t k) const {
    std::vector<Value> elements = value.elements();
    bool changed = false;
    for (Value& element : elements) {
      if (auto replaced = next(element, k)) {
        element = std::move(*replaced);
        changed = true;
      }
    }
    if (!changed) return std::nullopt;
    return Value::make_array(std::move(elements), value.origin());
  }

  std::optional<Value> next_object(const Value& value, std::size_t k) const {
    std::vector<Member> members = value.members();
    bool changed = false;
    for (Member& member : members) {
      if (!ranged_.contains(member.value.content()) || has_range(member.name)) continue;
      if (auto replaced = next(member.value, k)) {
        member.value = std::move(*replaced);
        changed = true;
      }
    }
    if (!changed) return std::nullopt;
    return Value::make_object(std::move(members), value.origin());
  }

  std::string key_;
  std::size_t count_;
  Diagnostics& diagnostics_;
  std::size_t bad_ = 0;
  std::unordered_map<std::string, Names> expanded_;
  std::unordered_set<const void*> ranged_;  ///< values that contain one of these; never traversed
};

/// Collects the expanded members and the key that gave each name.
class Expansion {
 public:
  explicit Expansion(Diagnostics& diagnostics) : diagnostics_(diagnostics) {}

  void add(const Member& member) {
    if (!has_range(member.name)) return place(member.name, member, member.value);
    const auto names = expand_names(member.name);
    if (!names)
      return fail(codes::kBadRange, member, names.error(), "a range such as \"esx[01-04]\"");
    copies_ += copies_for(member.value, names->size());
    if (copies_ > kMaxCopies || members_.size() + names->size() > kMaxExpandedNames) {
      return fail(codes::kTooLarge, member, "the ranges of this object expand to too much",
                  fmt::format("at most {} names, and {} values inside them", kMaxExpandedNames,
                              kMaxCopies));
    }
    const RangedStrings strings(member, names->size(), diagnostics_);
    if (!strings.good()) return;
    for (std::size_t k = 0; k < names->size(); ++k) {
      place((*names)[k], member, strings.take(member.value, k));
    }
  }

  Value result(const Value& object) && {
    return Value::make_object(std::move(members_), object.origin());
  }

 private:
  void place(const std::string& name, const Member& from, Value value) {
    const auto [giver, is_new] = givers_.emplace(name, from.name);
    if (is_new) {
      members_.push_back({name, from.key, std::move(value)});
    } else {
      fail(codes::kNameTwice, from,
           fmt::format("\"{}\" gives the name \"{}\", and so does \"{}\"", from.name, name,
                       giver->second),
           "each name once");
    }
  }

  void fail(const ErrorCode& code, const Member& member, std::string message,
            std::string expected) {
    diagnostics_.error(code.code, member.key, member.value.pointer(), std::move(message),
                       std::move(expected));
  }

  Diagnostics& diagnostics_;
  std::size_t copies_ = 0;
  std::vector<Member> members_;
  std::unordered_map<std::string, std::string> givers_;  // By name: the key it came from.
};

}  // namespace

Value expand_object_ranges(const Value& object, Diagnostics& diagnostics) {
  if (!object.is_object()) return object;
  Expansion expansion(diagnostics);
  for (const Member& member : object.members()) expansion.add(member);
  return std::move(expansion).result(object);
}

}  // namespace vgsim::input
