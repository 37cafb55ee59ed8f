#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <optional>

#include "models/questions/explain/changes/situation.hpp"
#include "models/scenario/read/library.hpp"
#include "topology/catalog/part_fit.hpp"
#include "topology/catalog/part_names.hpp"
#include "topology/hosts/host_parts.hpp"

namespace vgsim::scenario {
namespace {

using topology::NicModel;

/// NICs of a model, by hosts and their own names.
struct NicsOfModel {
  const NicModel* model = nullptr;
  std::vector<std::pair<std::string, std::string>> places;
  std::vector<Shared<LayoutHost>> hosts;  ///< those that are not alike, once
};

std::map<std::string, NicsOfModel> nics_of(const Situation& at) {
  std::map<std::string, NicsOfModel> all;
  for (const auto& host : layout_of(at).hosts) {
    for (const auto& nic : host.value->spec.nics) {
      const auto model = topology::meant_part(*at.library.catalog, "nics", *nic->nic);
      if (!model) continue;
      NicsOfModel& own = all[*model];
      own.model = &at.library.catalog->nics.at(*model);
      own.places.emplace_back(host.name, nic.name);
      if (own.hosts.empty() || own.hosts.back() != host.value) own.hosts.push_back(host.value);
    }
  }
  return all;
}

/// What an architect would take today that is faster than some rate, slowest first.
std::vector<const NicModel*> faster_than(BytesPerSecond rate, const topology::Catalog& catalog) {
  std::vector<const NicModel*> faster;
  for (const auto& [id, model] : catalog.nics) {
    if (model.upgrade && model.port_rate.value > rate) faster.push_back(&model);
  }
  std::stable_sort(faster.begin(), faster.end(), [](const auto* a, const auto* b) {
    return a->port_rate.value < b->port_rate.value;
  });
  return faster;
}

/// The slowest that NICs of a model run at if they are of another one: at its rate, or at that of
/// the slot where that is less. Nothing where it does not go into a slot of theirs.
std::optional<BytesPerSecond> rate_as(const NicsOfModel& nics, const NicModel& other,
                                      const topology::Catalog& catalog) {
  BytesPerSecond slowest = other.port_rate.value;
  for (const auto& host : nics.hosts) {
    const auto parts = topology::parts_of(host->spec, catalog);
    if (!parts) continue;  // an imported host: of its slots nothing is known
    auto specs = host->spec.nics;
    for (auto& nic : specs) {
      if (topology::meant_part(catalog, "nics", *nic->nic) == nics.model->id) {
        nic.value.nic.value = other.id;
      }
    }
    const auto places = topology::places_of(*parts, specs, catalog);
    if (!places) return std::nullopt;
    for (const auto& [name, place] : *places) {
      if (place.model != &other) continue;
      slowest = std::min(slowest, topology::rate_in_slot(other, *place.link, catalog));
    }
  }
  return slowest;
}

/// Whether the network's switches are of a kind that the card speaks to, as far as it is known.
bool joins_network(const Situation& at, const NicModel& now, const NicModel& other) {
  const topology::NetworkSwitchModel* own = switch_of(at);
  const bool infiniband = now.link_layer == "infiniband" || (own != nullptr && own->reduces);
  return other.link_layer == "both" || other.link_layer == (infiniband ? "infiniband" : "ethernet");
}

/// A card whose rate the slot does not feed is worth its price where it is faster by so much.
constexpr double kWorthAnUnfedCard = 1.2;

struct Faster {
  const NicModel* model = nullptr;
  BytesPerSecond rate{};  ///< that its slot lets it run at
};

/// Those that go into the slots of the NICs, and are fed there; of faster ones that are not, the
/// slowest, if nothing that is fed is faster than what is there.
std::vector<Faster> faster_nics(const Situation& at, const NicsOfModel& nics) {
  const topology::Catalog& catalog = *at.library.catalog;
  const BytesPerSecond now = rate_as(nics, *nics.model, catalog).value_or(BytesPerSecond{});
  std::vector<Faster> fed;
  std::optional<Faster> unfed;
  for (const NicModel* other : faster_than(now, catalog)) {
    const auto rate = rate_as(nics, *other, catalog);
    if (!rate || *rate <= now || !joins_network(at, *nics.model, *other)) continue;
    if (*rate == other->port_rate.value) {
      fed.push_back({other, *rate});
    } else if (!unfed && static_cast<double>(rate->count()) >
                             kWorthAnUnfedCard * static_cast<double>(now.count())) {
      unfed = {other, *rate};
    }
  }
  if (fed.empty() && unfed) fed.push_back(*unfed);
  return fed;
}

}  // namespace

void add_faster_nics(const Situation& at, std::vector<Change>& changes) {
  for (const auto& [model, nics] : nics_of(at)) {
    for (const auto& [faster, rate] : faster_nics(at, nics)) {
      Change change{"faster-nic", fmt::format("{} instead of {}", faster->id, model), {}, {}, {},
                    false};
      if (rate < faster->port_rate.value) {
        change.title += fmt::format(", at the {} of its slot", in_gigabits(rate));
      }
      for (const auto& [host, nic] : nics.places) {
        change.overrides.push_back(
            set_text(fmt::format("/hosts/{}/nics/{}/nic", host, nic), faster->id));
      }
      change.parts[faster->id] = static_cast<double>(nics.places.size());
      if (lift_ports(at, faster->port_rate.value, change)) changes.push_back(std::move(change));
    }
  }
}

}  // namespace vgsim::scenario
