#pragma once

#include <map>
#include <string>

#include "topology/input/shapes/shape.hpp"
#include "topology/input/value.hpp"

namespace vgsim::cli {

/// Example values by place: JSON pointers with "*" for free names and array elements, such as
/// "/hosts/*/nics/*/near".
using KeyUses = std::map<std::string, input::Value>;

/// Adds the values of a file of that shape at places without one.
void add_uses(const input::Value& document, const input::Shape& shape, KeyUses& uses);

}  // namespace vgsim::cli
