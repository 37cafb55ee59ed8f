#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace vgsim::scoring {

/// The tag of a point by the number of measured machines like its own: "like_2_to_5". A machine of
/// the fit counts itself. The fewer there are, the wider an interval should be.
[[nodiscard]] std::string tag_of_likeness(std::size_t machines);

/// These parts of a score, and those by likeness.
[[nodiscard]] std::vector<std::string> with_likeness_parts(std::vector<std::string> parts);

}  // namespace vgsim::scoring
