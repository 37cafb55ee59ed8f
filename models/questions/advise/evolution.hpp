#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

namespace vgsim::scenario {

/// One index per axis of a space, from 0 to the axis's size - 1.
using Choice = std::vector<std::uint64_t>;

/// Fitness of a choice. Fewer missed requirements are better; with equal numbers a choice is better
/// if it is lower in one figure and higher in none.
struct Worth {
  std::size_t misses = 0;
  std::vector<double> figures;
};

/// Evaluates new choices, possibly in parallel.
using Judge = std::function<std::vector<Worth>(const std::vector<Choice>& generation)>;

/// Searches for Pareto-optimal choices by NSGA-II with constrained domination (Deb, Pratap,
/// Agarwal, Meyarivan: IEEE Trans. Evol. Comput. 6, 2002) on integers, without repeated
/// evaluations; deterministic. Evaluates `evaluations` choices, at most the size of the space;
/// results are the choices passed to `judge`.
void evolve(const std::vector<std::uint64_t>& sizes, std::uint64_t evaluations, const Judge& judge);

}  // namespace vgsim::scenario
