#pragma once

#include <map>
#include <string>

#include "topology/input/shapes/shape.hpp"
#include "topology/input/value.hpp"

namespace vgsim::cli {

/// What stands at a place of some file: places are JSON pointers with "*" for free names and for
/// elements of arrays, such as "/hosts/*/nics/*/near".
using KeyUses = std::map<std::string, input::Value>;

/// Adds what stands at each place of a file of that shape, where nothing is known of it yet.
void add_uses(const input::Value& document, const input::Shape& shape, KeyUses& uses);

}  // namespace vgsim::cli
