#include "models/questions/advise/evolution.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <set>
#include <utility>

#include "sim/random.hpp"

namespace vgsim::scenario {
namespace {

/// A generation has a sixteenth of all evaluations, within these bounds: fewer, larger generations
/// converge too late, smaller ones lose good choices.
constexpr std::uint64_t kSmallestGeneration = 12;
constexpr std::uint64_t kLargestGeneration = 40;
constexpr int kVariations = 8;  // attempts to create a new choice from two parents

struct Individual {
  Choice choice;
  Worth worth;
};

bool beats(const Worth& a, const Worth& b) {
  if (a.misses != b.misses) return a.misses < b.misses;
  bool better = false;
  for (std::size_t i = 0; i < a.figures.size(); ++i) {
    if (a.figures[i] > b.figures[i]) return false;
    better |= a.figures[i] < b.figures[i];
  }
  return better;
}

/// Crowding distance of each member of a front; infinite at the ends.
std::vector<double> crowding_distances(const std::vector<Individual>& front) {
  std::vector<double> distances(front.size(), 0.0);
  std::vector<std::size_t> order(front.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  for (std::size_t f = 0; f < front.front().worth.figures.size(); ++f) {
    const auto figure = [&](std::size_t at) { return front[order[at]].worth.figures[f]; };
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      return front[a].worth.figures[f] < front[b].worth.figures[f];
    });
    const double span = figure(order.size() - 1) - figure(0);
    if (!(span > 0)) continue;
    for (std::size_t at : {std::size_t{0}, order.size() - 1}) {
      distances[order[at]] = std::numeric_limits<double>::infinity();
    }
    for (std::size_t at = 1; at + 1 < order.size(); ++at) {
      distances[order[at]] += (figure(at + 1) - figure(at - 1)) / span;
    }
  }
  return distances;
}

/// Removes and returns the next non-dominated front, least crowded first. Of two equal choices the
/// later one belongs to a later front.
std::vector<Individual> take_front(std::vector<Individual>& others) {
  std::vector<Individual> front;
  std::vector<Individual> behind;
  for (std::size_t i = 0; i < others.size(); ++i) {
    bool beaten = false;
    for (std::size_t j = 0; j < others.size() && !beaten; ++j) {
      const Worth& other = others[j].worth;
      const Worth& own = others[i].worth;
      beaten = beats(other, own) ||
               (j < i && other.misses == own.misses && other.figures == own.figures);
    }
    (beaten ? behind : front).push_back(others[i]);
  }
  others = std::move(behind);
  const std::vector<double> distances = crowding_distances(front);
  std::vector<std::size_t> order(front.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return distances[a] > distances[b]; });
  std::vector<Individual> sorted;
  for (const std::size_t each : order) sorted.push_back(std::move(front[each]));
  return sorted;
}

/// The best choices, best first, front by front.
std::vector<Individual> best_of(std::vector<Individual> all, std::size_t count) {
  std::vector<Individual> best;
  while (best.size() < count && !all.empty()) {
    for (Individual& each : take_front(all)) best.push_back(std::move(each));
  }
  if (best.size() > count) best.resize(count);
  return best;
}

class Evolution {
 public:
  explicit Evolution(const std::vector<std::uint64_t>& sizes) : sizes_(sizes) {}

  /// Initial choices, evenly spread over each axis.
  std::vector<Choice> first(std::size_t count) {
    std::vector<Choice> choices(count, Choice(sizes_.size()));
    for (std::size_t axis = 0; axis < sizes_.size(); ++axis) {
      std::vector<std::size_t> places(count);
      std::iota(places.begin(), places.end(), std::size_t{0});
      for (std::size_t i = count; i > 1; --i) std::swap(places[i - 1], places[below(i)]);
      for (std::size_t i = 0; i < count; ++i) {
        const double share = (static_cast<double>(places[i]) + draw()) / static_cast<double>(count);
        choices[i][axis] =
            std::min(static_cast<std::uint64_t>(share * static_cast<double>(sizes_[axis])),
                     sizes_[axis] - 1);
      }
    }
    for (Choice& each : choices) each = made_new(std::move(each));
    return choices;
  }

  /// Children of parents sorted best first.
  std::vector<Choice> next(const std::vector<Individual>& parents, std::size_t count) {
    std::vector<Choice> choices;
    while (choices.size() < count) {
      Choice child;
      for (int tries = 0; tries < kVariations; ++tries) {
        child = mutated(crossed(winner(parents), winner(parents)));
        if (!seen_.contains(child)) break;
      }
      choices.push_back(made_new(std::move(child)));
    }
    return choices;
  }

 private:
  double draw() { return uniform(kStream, drawn_++); }
  std::uint64_t below(std::uint64_t count) {
    return std::min(static_cast<std::uint64_t>(draw() * static_cast<double>(count)), count - 1);
  }

  const Choice& winner(const std::vector<Individual>& parents) {
    const std::uint64_t one = below(parents.size());
    return parents[std::min(one, below(parents.size()))].choice;
  }

  Choice crossed(const Choice& a, const Choice& b) {
    Choice child = a;
    for (std::size_t axis = 0; axis < child.size(); ++axis) {
      if (draw() < 0.5) child[axis] = b[axis];
    }
    return child;
  }

  /// Mutates one axis on average, to a neighbouring or random value.
  Choice mutated(Choice choice) {
    for (std::size_t axis = 0; axis < choice.size(); ++axis) {
      if (draw() * static_cast<double>(choice.size()) >= 1) continue;
      const bool up = choice[axis] + 1 < sizes_[axis] && (choice[axis] == 0 || draw() < 0.5);
      if (draw() < 0.5) {
        choice[axis] = below(sizes_[axis]);
      } else if (up) {
        ++choice[axis];
      } else if (choice[axis] > 0) {
        --choice[axis];
      }
    }
    return choice;
  }

  /// The choice, or the next new one.
  Choice made_new(Choice choice) {
    while (!seen_.insert(choice).second) {
      for (std::size_t axis = choice.size(); axis-- > 0;) {
        if (++choice[axis] < sizes_[axis]) break;
        choice[axis] = 0;
      }
    }
    return choice;
  }

  static constexpr std::uint64_t kStream = 1;
  const std::vector<std::uint64_t>& sizes_;
  std::uint64_t drawn_ = 0;
  std::set<Choice> seen_;
};

}  // namespace

void evolve(const std::vector<std::uint64_t>& sizes, std::uint64_t evaluations,
            const Judge& judge) {
  const std::uint64_t size = std::clamp(evaluations / 16, kSmallestGeneration, kLargestGeneration);
  Evolution evolution(sizes);
  std::vector<Individual> population;
  for (std::uint64_t left = evaluations; left > 0;) {
    const auto count = static_cast<std::size_t>(std::min(left, size));
    std::vector<Choice> generation =
        population.empty() ? evolution.first(count) : evolution.next(population, count);
    std::vector<Worth> worths = judge(generation);
    for (std::size_t i = 0; i < count; ++i) {
      population.push_back({std::move(generation[i]), std::move(worths[i])});
    }
    population = best_of(std::move(population), size);
    left -= count;
  }
}

}  // namespace vgsim::scenario
