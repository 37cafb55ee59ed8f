#pragma once

#include <map>
#include <string>

#include "tools/cli/reference/key_uses.hpp"
#include "topology/input/shapes/shape.hpp"

namespace vgsim::cli {

/// Places whose objects are described elsewhere, with a reference to it.
using DescribedElsewhere = std::map<std::string, std::string>;

/// The keys of a kind of file in Markdown, at most 80 columns wide if words allow: a section
/// for each object, and for each key its meaning, its type and unit, its default and an
/// example. Examples are those of the shape, else from `uses` at the place or in a patch of it
/// ("/layouts/*" before the place). Unless `uses` is empty, unused keys are listed at the end.
/// Merge patches, which have the keys of their target, and values with a source
/// (topology::sourced) are not expanded.
[[nodiscard]] std::string keys_page(const input::Shape& shape, const KeyUses& uses,
                                    const DescribedElsewhere& elsewhere = {});

}  // namespace vgsim::cli
