#include "tests/bench/fat_tree.hpp"

namespace vgsim::bench {
namespace {

// Each level has 1024 links; link 2 n leads up and 2 n + 1 down.

std::uint32_t host_link(std::uint32_t host) { return 2 * host; }

std::uint32_t leaf_link(std::uint32_t leaf, std::uint32_t middle) {
  return 2 * (1024 + leaf * 8 + middle);
}

std::uint32_t middle_link(std::uint32_t pod, std::uint32_t middle, std::uint32_t top) {
  return 2 * (2048 + (pod * 8 + middle) * 8 + top);
}

}  // namespace

std::vector<std::uint32_t> fat_tree_route(std::uint32_t from, std::uint32_t to) {
  const std::uint32_t middle = to % 8;
  const std::uint32_t top = to / 8 % 8;
  std::vector<std::uint32_t> links = {host_link(from)};
  if (from / 8 != to / 8) {
    links.push_back(leaf_link(from / 8, middle));
    if (from / 64 != to / 64) {
      links.push_back(middle_link(from / 64, middle, top));
      links.push_back(middle_link(to / 64, middle, top) + 1);
    }
    links.push_back(leaf_link(to / 8, middle) + 1);
  }
  links.push_back(host_link(to) + 1);
  return links;
}

}  // namespace vgsim::bench
