#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <optional>

#include "models/questions/explain/changes/change_context.hpp"
#include "models/scenario/read/library.hpp"
#include "topology/catalog/part_fit.hpp"
#include "topology/catalog/part_names.hpp"
#include "topology/hosts/host_parts.hpp"

namespace vgsim::scenario {
namespace {

using topology::NicModel;

/// NICs of a model, by host and name.
struct NicsOfModel {
  const NicModel* model = nullptr;
  std::vector<std::pair<std::string, std::string>> places;
  std::vector<Shared<LayoutHost>> hosts;  ///< distinct hosts
};

std::map<std::string, NicsOfModel> nics_of(const ChangeContext& at) {
  std::map<std::string, NicsOfModel> all;
  for (const auto& host : layout_of(at).hosts) {
    for (const auto& nic : host.value->spec.nics) {
      const auto model = topology::matching_part(*at.library.catalog, "nics", *nic->nic);
      if (!model) continue;
      NicsOfModel& own = all[*model];
      own.model = &at.library.catalog->nics.at(*model);
      own.places.emplace_back(host.name, nic.name);
      if (own.hosts.empty() || own.hosts.back() != host.value) own.hosts.push_back(host.value);
    }
  }
  return all;
}

/// Current NICs faster than a rate, slowest first.
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

/// The lowest rate of NICs replaced by another model: its rate, or that of the slot if lower.
/// Nothing if it does not fit into a slot.
std::optional<BytesPerSecond> rate_as(const NicsOfModel& nics, const NicModel& other,
                                      const topology::Catalog& catalog) {
  BytesPerSecond slowest = other.port_rate.value;
  for (const auto& host : nics.hosts) {
    const auto parts = topology::parts_of(host->spec, catalog);
    if (!parts) continue;  // an imported host: unknown slots
    auto specs = host->spec.nics;
    for (auto& nic : specs) {
      if (topology::matching_part(catalog, "nics", *nic->nic) == nics.model->id) {
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

/// Whether the card is compatible with the network's switches, as far as known.
bool joins_network(const ChangeContext& at, const NicModel& now, const NicModel& other) {
  const topology::NetworkSwitchModel* own = switch_of(at);
  const bool infiniband = now.link_layer == "infiniband" || (own != nullptr && own->reduces);
  return other.link_layer == "both" || other.link_layer == (infiniband ? "infiniband" : "ethernet");
}

/// Least gain of a card that its slot limits.
constexpr double kWorthAnUnfedCard = 1.2;

struct Faster {
  const NicModel* model = nullptr;
  BytesPerSecond rate{};  ///< rate in its slot
};

/// NICs that fit into the slots without being limited by them; if none of these is faster than the
/// present one, the slowest of the limited ones.
std::vector<Faster> faster_nics(const ChangeContext& at, const NicsOfModel& nics) {
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

void add_faster_nics(const ChangeContext& at, std::vector<Change>& changes) {
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
