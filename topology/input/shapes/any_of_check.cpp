#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <string>
#include <vector>

#include "topology/input/error_codes.hpp"
#include "topology/input/shapes/shape_check.hpp"
#include "topology/input/shapes/shape_node.hpp"

namespace vgsim::input {
namespace {

const Field* find_field(const Shape& shape, const std::string& name) {
  const std::vector<Field>& fields = shape.node().fields;
  const auto found = std::find_if(fields.begin(), fields.end(),
                                  [&name](const Field& field) { return field.name() == name; });
  return found == fields.end() ? nullptr : &*found;
}

/// A key such as "kind" that all object alternatives have with different words.
struct Discriminator {
  std::string name;
  std::vector<std::string> words;  ///< The words of all alternatives, without duplicates.
};

std::optional<Discriminator> find_discriminator(const std::vector<Shape>& candidates) {
  for (const Field& field : candidates.front().node().fields) {
    Discriminator result{field.name(), {}};
    const auto tells = [&result](const Shape& candidate) {
      const Field* same = find_field(candidate, result.name);
      if (same == nullptr || !same->is_required()) return false;
      if (same->shape().node().kind != ShapeKind::words) return false;
      for (const std::string& word : same->shape().node().words) {
        const bool known =
            std::find(result.words.begin(), result.words.end(), word) != result.words.end();
        if (!known) result.words.push_back(word);
      }
      return true;
    };
    if (std::all_of(candidates.begin(), candidates.end(), tells)) return result;
  }
  return std::nullopt;
}

bool all_objects(const std::vector<Shape>& candidates) {
  return std::all_of(candidates.begin(), candidates.end(), [](const Shape& candidate) {
    return candidate.node().kind == ShapeKind::object;
  });
}

/// Keeps the alternatives that the discriminating key selects. If it selects none, reports that and
/// keeps none.
void select_by_key(const Value& value, const Discriminator& key, std::vector<Shape>& candidates,
                   Diagnostics& diagnostics) {
  const Member* member = value.member(key.name);
  const Shape words = enum_shape(key.words);
  Diagnostics wrong;
  if (member == nullptr) {
    wrong.error(codes::kMissingKey.code, {value.location().source, value.location().offset, 1},
                value.pointer(), fmt::format("missing key \"{}\"", key.name),
                fmt::format("\"{}\": {}", key.name, shape_noun(words)));
  } else {
    check_scalar(member->value, words, wrong);
  }
  diagnostics.append(wrong);
  const auto is_out = [&](const Shape& candidate) {
    if (wrong.has_errors()) return true;
    Diagnostics here;
    check_scalar(member->value, find_field(candidate, key.name)->shape(), here);
    return here.has_errors();
  };
  candidates.erase(std::remove_if(candidates.begin(), candidates.end(), is_out), candidates.end());
}

/// Moves quantities first for text that begins with a digit: "64 KB".
void put_likely_first(const Value& value, std::vector<Shape>& candidates) {
  const bool digit = value.is_string() && !value.string().empty() && value.string()[0] >= '0' &&
                     value.string()[0] <= '9';
  if (!digit) return;
  std::stable_partition(candidates.begin(), candidates.end(), [](const Shape& candidate) {
    return candidate.node().kind == ShapeKind::quantity;
  });
}

/// Reports the error of a scalar together with the other alternatives.
void report_scalar(const Diagnostics& complaint, const Shape& shape, const Shape& checked,
                   Diagnostics& diagnostics) {
  std::string others;
  for (const Shape& alternative : shape.node().children) {
    if (&alternative.node() != &checked.node()) others += "; or " + shape_noun(alternative);
  }
  for (Diagnostic& item : complaint.items()) {
    item.expected += others;
    diagnostics.add(std::move(item));
  }
}

/// Accepts the value if one of the alternatives does; otherwise reports the errors of the nearest
/// one.
void check_nearest(const Value& value, const Shape& shape, const std::vector<Shape>& candidates,
                   bool at_top, Diagnostics& diagnostics) {
  std::optional<Diagnostics> fewest;
  const Shape* nearest = nullptr;
  for (const Shape& candidate : candidates) {
    Diagnostics complaint;
    check_value(value, candidate, at_top, complaint);
    if (!complaint.has_errors()) return;
    if (!fewest || complaint.items().size() < fewest->items().size()) {
      fewest = std::move(complaint);
      nearest = &candidate;
    }
  }
  if (value.is_array() || value.is_object()) return diagnostics.append(*fewest);
  report_scalar(*fewest, shape, *nearest, diagnostics);
}

}  // namespace

void check_any_of(const Value& value, const Shape& shape, bool at_top, Diagnostics& diagnostics) {
  const std::vector<Shape>& alternatives = shape.node().children;
  std::vector<Shape> candidates;
  std::copy_if(alternatives.begin(), alternatives.end(), std::back_inserter(candidates),
               [&value](const Shape& alternative) { return kind_fits(value, alternative); });
  if (candidates.empty() && (value.kind() == Kind::integer || value.kind() == Kind::number)) {
    // A bare number where a quantity is allowed: that alternative reports the missing unit.
    std::copy_if(alternatives.begin(), alternatives.end(), std::back_inserter(candidates),
                 [](const Shape& s) { return s.node().kind == ShapeKind::quantity; });
  }
  if (candidates.empty()) return report_wrong_kind(value, shape, diagnostics);
  if (candidates.size() > 1 && all_objects(candidates)) {
    const auto key = find_discriminator(candidates);
    if (key) select_by_key(value, *key, candidates, diagnostics);
    if (candidates.empty()) return;
  }
  put_likely_first(value, candidates);
  check_nearest(value, shape, candidates, at_top, diagnostics);
}

}  // namespace vgsim::input
