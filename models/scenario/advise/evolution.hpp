#pragma once

#include <cstdint>
#include <functional>
#include <vector>

namespace vgsim::scenario {

/// How good a choice is, each figure the smaller the better.
using Fitness = std::function<std::vector<double>(const std::vector<std::uint64_t>& choice)>;

/// Looks for choices that no other beats in all figures: one value from 0 to sizes[i] - 1 on each
/// axis. Asks for about `evaluations` of them, some perhaps again; what it finds is whatever
/// `fitness` was asked for. NSGA-II (Deb et al., IEEE Trans. Evol. Comput. 6, 2002) as pagmo has
/// it, and for a single figure pagmo's simple genetic algorithm; with a fixed seed.
void evolve(const std::vector<std::uint64_t>& sizes, std::size_t figures, std::uint64_t evaluations,
            const Fitness& fitness);

}  // namespace vgsim::scenario
