#pragma once

#include "topology/input/diagnostics.hpp"
#include "topology/input/value.hpp"

namespace vgsim::input {

/// The base with a JSON merge patch applied (RFC 7396): objects merge, null removes, all else
/// replaces. Every part keeps its origin. An object in both keeps the origin of the base, or gets
/// that of the patch if the patch removes a member, since missing members are then due to the
/// patch. New members follow the old ones, in the order of the patch.
[[nodiscard]] Value merge_patch(const Value& base, const Value& patch);

/// The object with each ranged key ("esx[01-04]") replaced by one member for each of its names.
///
/// Strings with a range inside such a member are expanded along: if the key has n names, the string
/// must have n names too, and the k-th member gets the k-th; or 1, and all members get it. Nested
/// members with a ranged key are not changed: their strings belong to the inner key. Only the keys
/// of this object are expanded. A value that is not an object is returned unchanged.
///
/// Errors: a bad range, a string whose range has another length, a name that two keys give. The
/// member with the error is omitted.
[[nodiscard]] Value expand_object_ranges(const Value& object, Diagnostics& diagnostics);

}  // namespace vgsim::input
