#include "models/scoring/likeness.hpp"

#include <array>
#include <cstdint>

namespace vgsim::scoring {
namespace {

/// A range of numbers of measured machines.
struct Likeness {
  const char* tag;
  std::size_t most;
};
constexpr std::array<Likeness, 3> kLikeness = {
    {{"like_0_to_1", 1}, {"like_2_to_5", 5}, {"like_6_or_more", SIZE_MAX}}};

}  // namespace

std::string tag_of_likeness(std::size_t machines) {
  for (const Likeness& each : kLikeness) {
    if (machines <= each.most) return each.tag;
  }
  return kLikeness.back().tag;
}

std::vector<std::string> with_likeness_parts(std::vector<std::string> parts) {
  for (const Likeness& each : kLikeness) parts.emplace_back(each.tag);
  return parts;
}

}  // namespace vgsim::scoring
