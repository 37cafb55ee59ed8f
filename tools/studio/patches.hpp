#pragma once

#include <string>

#include "topology/input/value.hpp"

namespace vgsim::studio {

/// The JSON merge patch (RFC 7396) from `base` to `changed`; an empty object if they are equal.
/// Neither contains a null.
[[nodiscard]] input::Value difference(const input::Value& base, const input::Value& changed);

/// The object without that member.
[[nodiscard]] input::Value without(const input::Value& object, const std::string& name);

/// The object with that member, in the place of the one of its name or at its end.
[[nodiscard]] input::Value with(const input::Value& object, const std::string& name,
                                const input::Value& value);

/// A patch with single names, with ranges such as "esx[01-04]" for hosts, VMs and NICs of equal
/// content.
[[nodiscard]] input::Value with_ranges(const input::Value& patch);

}  // namespace vgsim::studio
