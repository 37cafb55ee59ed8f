#pragma once

#include "topology/input/diagnostics.hpp"
#include "topology/input/value.hpp"

namespace vgsim::input {

/// The base with a JSON merge patch applied (RFC 7396): objects merge, null removes, all else
/// replaces. Every part keeps the origin it had in its own file; an object that both sides have
/// keeps that of the base, or gets that of the patch if the patch takes something away from it:
/// what is missing then is missing because of the patch. New members follow the old ones, in the
/// order of the patch.
[[nodiscard]] Value merge_patch(const Value& base, const Value& patch);

/// The object with each ranged key ("esx[01-04]") replaced by one member for each of its names.
///
/// Strings anywhere inside such a member that hold a range go along: if the key stands for n
/// names, the string must stand for n too, and the k-th member gets the k-th; or for 1, and all
/// get that. Members nested inside that have a ranged key of their own are left alone: their
/// strings go with the inner key, when that is expanded. Only the keys of this object are
/// expanded. What is no object comes back unchanged.
///
/// Errors: a bad range, a string whose range has another length, a name that two keys give. The
/// offending member is then left out.
[[nodiscard]] Value expand_object_ranges(const Value& object, Diagnostics& diagnostics);

}  // namespace vgsim::input
