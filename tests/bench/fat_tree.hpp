#pragma once

#include <cstdint>
#include <vector>

namespace vgsim::bench {

/// A fat tree of three levels of switches, in SimGrid's words "3;8,8,16;1,8,8;1,1,1": 16 pods, each
/// of 8 leaf switches with 8 hosts and of 8 middle switches; leaf switch l has a link to each
/// middle switch of its pod, and the middle switch m of a pod one to each of 8 switches above that
/// connect it to the middle switches m of the other pods. Full bisection bandwidth.
inline constexpr std::uint32_t kFatTreeHosts = 1024;
/// One for each direction of each link.
inline constexpr std::uint32_t kFatTreeLinks = 6144;

/// The links from `from` to `to`, which differ: up to the lowest common switch and down again. The
/// destination chooses among the ways up (D-mod-k), so that two flows to one host meet as early
/// as they can.
[[nodiscard]] std::vector<std::uint32_t> fat_tree_route(std::uint32_t from, std::uint32_t to);

}  // namespace vgsim::bench
