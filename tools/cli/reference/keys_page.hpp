#pragma once

#include <map>
#include <string>

#include "tools/cli/reference/key_uses.hpp"
#include "topology/input/shapes/shape.hpp"

namespace vgsim::cli {

/// Places whose objects are described elsewhere, with the words that say where.
using DescribedElsewhere = std::map<std::string, std::string>;

/// The keys of a kind of file in Markdown, at most 80 columns wide where words allow: a section for
/// each object, with what each of its keys means, what may stand there and in which unit, what
/// holds without it, and an example. Examples are those of the shape, else what `uses` has at the
/// place, or in a patch over it ("/layouts/*" before the place). Where there are uses, the keys
/// without any are listed at the end. Merge patches, which have the keys of what they patch, are
/// not spelt out, nor are values with their source (topology::sourced).
[[nodiscard]] std::string keys_page(const input::Shape& shape, const KeyUses& uses,
                                    const DescribedElsewhere& elsewhere = {});

}  // namespace vgsim::cli
