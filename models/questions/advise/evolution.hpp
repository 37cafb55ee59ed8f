#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

namespace vgsim::scenario {

/// One value from 0 to the axis's size - 1 for each axis of a space.
using Choice = std::vector<std::uint64_t>;

/// How good a choice is: one that misses fewer requirements is better than any that misses more,
/// and of those that miss as many one is better that is lower in a figure and higher in none.
struct Worth {
  std::size_t misses = 0;
  std::vector<double> figures;
};

/// Of each choice how good it is. All were never asked for before, and they may be looked at side
/// by side.
using Judge = std::function<std::vector<Worth>(const std::vector<Choice>& generation)>;

/// Looks for choices that no other beats: NSGA-II with constrained domination (Deb, Pratap,
/// Agarwal, Meyarivan: IEEE Trans. Evol. Comput. 6, 2002) on whole numbers, which never asks for a
/// choice twice; with fixed draws. Asks for `evaluations` choices, of which the space must have as
/// many. What it finds is whatever `judge` was asked for. Why it is our own stands in
/// models/README.md.
void evolve(const std::vector<std::uint64_t>& sizes, std::uint64_t evaluations, const Judge& judge);

}  // namespace vgsim::scenario
