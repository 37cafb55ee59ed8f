#pragma once

#include <iosfwd>

#include "tools/cli/new/wishes.hpp"

namespace vgsim::scenario {
struct Library;
}

namespace vgsim::cli {

/// Asks for what is still open in the wishes. An empty answer, or the end of the answers, takes
/// what is usual; one that is refused is asked for again, with the nearest words that are known.
void ask_for_wishes(std::istream& answers, std::ostream& questions,
                    const scenario::Library& library, NewWishes& wishes);

}  // namespace vgsim::cli
