#include "models/scenario/advise/evolution.hpp"

#include <algorithm>
#include <cmath>
#include <pagmo/algorithm.hpp>
#include <pagmo/algorithms/nsga2.hpp>
#include <pagmo/algorithms/sga.hpp>
#include <pagmo/population.hpp>
#include <pagmo/problem.hpp>
#include <utility>

namespace vgsim::scenario {
namespace {

constexpr unsigned kSeed = 1;
constexpr std::uint64_t kPopulation = 40;  // a multiple of four, as pagmo's NSGA-II wants it

/// The problem as pagmo sees it: whole numbers on every axis.
class Choices {
 public:
  Choices() = default;
  Choices(const std::vector<std::uint64_t>& sizes, std::size_t figures, const Fitness& fitness)
      : sizes_(sizes), figures_(figures), fitness_(&fitness) {}

  [[nodiscard]] pagmo::vector_double fitness(const pagmo::vector_double& place) const {
    std::vector<std::uint64_t> choice;
    for (std::size_t i = 0; i < place.size(); ++i) {
      const auto whole = static_cast<std::uint64_t>(std::llround(place[i]));
      choice.push_back(std::min(whole, sizes_[i] - 1));
    }
    return (*fitness_)(choice);
  }

  [[nodiscard]] std::pair<pagmo::vector_double, pagmo::vector_double> get_bounds() const {
    pagmo::vector_double high;
    for (const std::uint64_t size : sizes_) high.push_back(static_cast<double>(size - 1));
    return {pagmo::vector_double(sizes_.size(), 0.0), high};
  }

  [[nodiscard]] pagmo::vector_double::size_type get_nobj() const { return figures_; }
  [[nodiscard]] pagmo::vector_double::size_type get_nix() const { return sizes_.size(); }

  /// pagmo can store problems; this one is never stored.
  template <class Archive>
  void serialize(Archive&, unsigned) {}

 private:
  std::vector<std::uint64_t> sizes_;
  std::size_t figures_ = 1;
  const Fitness* fitness_ = nullptr;
};

}  // namespace

void evolve(const std::vector<std::uint64_t>& sizes, std::size_t figures, std::uint64_t evaluations,
            const Fitness& fitness) {
  const std::uint64_t population =
      std::min(kPopulation, std::max<std::uint64_t>(evaluations / 4 * 4, 8));
  const std::uint64_t generations = std::max<std::uint64_t>(evaluations / population, 2) - 1;
  const pagmo::problem problem{Choices(sizes, figures, fitness)};
  const pagmo::population start(problem, population, kSeed);
  const auto rounds = static_cast<unsigned>(generations);
  const pagmo::algorithm search =
      figures == 1 ? pagmo::algorithm(pagmo::sga(rounds, 0.9, 1.0, 0.1, 1.0, 2, "exponential",
                                                 "uniform", "tournament", kSeed))
                   : pagmo::algorithm(pagmo::nsga2(rounds, 0.95, 10.0, 0.1, 20.0, kSeed));
  static_cast<void>(search.evolve(start));
}

}  // namespace vgsim::scenario
