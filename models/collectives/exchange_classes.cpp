#include "models/collectives/exchange_classes.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <tuple>
#include <utility>

namespace vgsim::collectives {
namespace {

constexpr auto kNoLink = std::numeric_limits<std::uint32_t>::max();

/// A sum of hashes with multiplicity: equal for equal multisets.
struct Sum {
  std::uint64_t low = 0;
  std::uint64_t high = 0;

  void add(const Sum& hash, std::uint64_t times) {
    low += hash.low * times;
    high += hash.high * times;
  }
  auto operator<=>(const Sum&) const = default;
};

std::uint64_t mixed(std::uint64_t hash, std::uint64_t word) {
  hash = (hash ^ word) * 0x9e3779b97f4a7c15U;
  return hash ^ (hash >> 29);
}

Sum hash_of(std::uint64_t ends, std::uint64_t links) {
  return {mixed(mixed(mixed(1, ends), links), 0x51ed), mixed(mixed(mixed(2, links), ends), 0x7f4a)};
}

/// Hosts in the same place: their number, indices, and the ranks of the first two.
struct Group {
  std::vector<std::size_t> hosts;
  std::array<std::vector<std::size_t>, 2> ranks;
};

/// A GPU of a group: its index in its host.
struct GpuPosition {
  std::uint32_t group = 0;
  std::uint32_t place = 0;
};

struct Way {
  std::uint32_t up = kNoLink;
  std::uint32_t down = kNoLink;
};

class ExchangeRefinement {
 public:
  ExchangeRefinement(const RankGroup& ranks, const HostGroups& given)
      : ranks_(ranks), host_group_(given.same_place) {
    groups_.resize(given.same_place.size());
    colour_.resize(groups_.size(), 0);
    for (std::size_t h = 0; h < host_group_.size(); ++h) {
      Group& group = groups_[host_group_[h]];
      if (group.hosts.empty()) colour_[host_group_[h]] = given.alike[h];
      group.hosts.push_back(h);
    }
    add_ranks();
    add_ways();
  }

  ExchangeClasses refine() && {
    link_colour_.assign(links_.size(), 0);
    for (const auto& [link, id] : links_) {
      link_colour_[id] = 2 * ranks_.fabric_rate(link) + (link.up ? 1 : 0);
    }
    std::size_t colours = number_groups(std::vector<Sum>(groups_.size() * 2)) +
                          number_links(std::vector<Sum>(links_.size()));
    for (std::size_t before = 0; before != colours;) {
      before = colours;
      colours = round();
    }
    return classes();
  }

 private:
  void add_ranks() {
    std::vector<std::vector<std::size_t>> of_host(host_group_.size());
    for (std::size_t r = 0; r < ranks_.ranks(); ++r) of_host[ranks_.host_of(r)].push_back(r);
    for (std::uint32_t g = 0; g < groups_.size(); ++g) {
      for (std::size_t i = 0; i < std::min<std::size_t>(2, groups_[g].hosts.size()); ++i) {
        groups_[g].ranks[i] = of_host[groups_[g].hosts[i]];
      }
      for (std::uint32_t p = 0; p < groups_[g].ranks[0].size(); ++p) positions_.push_back({g, p});
    }
  }

  void add_ways() {
    for (const GpuPosition& from : positions_) {
      const Group& own = groups_[from.group];
      for (const GpuPosition& to : positions_) {
        const bool same = from.group == to.group;
        const bool both = same && from.place != to.place;
        if (both) inside_.push_back(way(from, own.ranks[0][to.place]));
        if (same && own.hosts.size() < 2)
          across_.emplace_back();
        else
          across_.push_back(way(from, groups_[to.group].ranks[same ? 1 : 0][to.place]));
      }
    }
  }

  Way way(const GpuPosition& from, std::size_t to) {
    const auto path = ranks_.exchange_path(groups_[from.group].ranks[0][from.place], to);
    return {id_of(path.up), id_of(path.down)};
  }

  std::uint32_t id_of(const std::optional<topology::FabricLink>& link) {
    if (!link) return kNoLink;
    return links_.try_emplace(*link, static_cast<std::uint32_t>(links_.size())).first->second;
  }

  /// One round: assigns new colours to hosts and links by the pairs that load them. Returns the
  /// number of colours.
  std::size_t round() {
    std::vector<Sum> of_group(groups_.size() * 2);  // as sender, as receiver
    std::vector<Sum> of_link(links_.size());
    const auto load = [&](const GpuPosition& from, const GpuPosition& to, const Way& way,
                          std::uint64_t senders, std::uint64_t receivers, std::uint64_t pairs,
                          bool inside) {
      const std::uint64_t ends = (colour_[from.group] << 12 ^ from.place) << 32 ^
                                 (colour_[to.group] << 12 ^ to.place) << 1 ^ (inside ? 1U : 0U);
      const Sum hash = hash_of(ends, colour_of(way.up) << 32 | colour_of(way.down));
      of_group[2 * from.group].add(hash, receivers);
      of_group[2 * to.group + 1].add(hash, senders);
      if (way.up != kNoLink) of_link[way.up].add(hash, pairs);
      if (way.down != kNoLink) of_link[way.down].add(hash, pairs);
    };
    std::size_t next_across = 0;
    std::size_t next_inside = 0;
    for (const GpuPosition& from : positions_) {
      const std::uint64_t senders = groups_[from.group].hosts.size();
      for (const GpuPosition& to : positions_) {
        const bool same = from.group == to.group;
        const std::uint64_t receivers = groups_[to.group].hosts.size() - (same ? 1 : 0);
        const Way& way = across_[next_across++];
        if (same && from.place != to.place) {
          load(from, to, inside_[next_inside++], 1, 1, senders, true);
        }
        if (receivers == 0) continue;
        load(from, to, way, same ? receivers : senders, receivers, senders * receivers, false);
      }
    }
    return number_groups(of_group) + number_links(of_link);
  }

  std::uint64_t colour_of(std::uint32_t link) const {
    return link == kNoLink ? 0 : link_colour_[link] + 1;
  }

  std::size_t number_groups(const std::vector<Sum>& sums) {
    std::map<std::tuple<std::uint64_t, Sum, Sum>, std::uint64_t> known;
    for (std::size_t g = 0; g < groups_.size(); ++g) {
      if (groups_[g].hosts.empty()) continue;
      colour_[g] =
          known.try_emplace({colour_[g], sums[2 * g], sums[2 * g + 1]}, known.size()).first->second;
    }
    return known.size();
  }

  std::size_t number_links(const std::vector<Sum>& sums) {
    std::map<std::pair<std::uint64_t, Sum>, std::uint64_t> known;
    for (std::size_t l = 0; l < sums.size(); ++l) {
      link_colour_[l] = known.try_emplace({link_colour_[l], sums[l]}, known.size()).first->second;
    }
    return known.size();
  }

  ExchangeClasses classes() const {
    ExchangeClasses result;
    std::map<std::uint64_t, std::size_t> numbers;
    for (const std::size_t group : host_group_) {
      const std::size_t next = numbers.size();
      result.of_host.push_back(numbers.try_emplace(colour_[group], next).first->second);
    }
    for (const auto& [link, id] : links_) {
      const auto colour = static_cast<std::size_t>(link_colour_[id]);
      if (result.links.size() <= colour) result.links.resize(colour + 1);
      result.links[colour].push_back(link);
    }
    return result;
  }

  const RankGroup& ranks_;
  const std::vector<std::size_t>& host_group_;
  std::vector<Group> groups_;
  std::vector<GpuPosition> positions_;
  std::vector<Way> across_;  ///< from each GPU position to each position of another host
  std::vector<Way> inside_;  ///< from each GPU position to each other one of its host
  std::map<topology::FabricLink, std::uint32_t> links_;
  std::vector<std::uint64_t> link_colour_;
  std::vector<std::uint64_t> colour_;  ///< by group
};

}  // namespace

ExchangeClasses exchange_classes(const RankGroup& ranks, const HostGroups& groups) {
  return ExchangeRefinement(ranks, groups).refine();
}

}  // namespace vgsim::collectives
