#pragma once

#include <map>
#include <string>
#include <vector>

#include "topology/catalog/catalog.hpp"
#include "topology/input/diagnostics.hpp"
#include "topology/spec/host_spec.hpp"

namespace vgsim::topology {

/// Where a NIC of a server is.
struct NicPlace {
  const NicModel* model = nullptr;
  std::string slot;                      ///< its name
  const PcieAttachment* link = nullptr;  ///< of the server
  std::string card_of;  ///< the NIC that is the first port of the same card; empty: it is that
};

/// The places of a server's NICs, by their names.
///
/// A NIC takes the slot that it names, else the free one nearest to the device it names, else the
/// free one nearest to some GPU; of equally near ones the first by name that lets it run at its
/// rate, or else the first; and only one that it fits. Those that name a slot choose first, then
/// those beside a GPU, then those on a socket, each in natural order, then the rest, the fastest
/// first: a NIC that names no place moves none that does. NICs of one model that name the same slot
/// are the ports of one card. Reports unknown models and places, and NICs without a slot; these are
/// left out.
[[nodiscard]] std::map<std::string, NicPlace> place_nics(
    const ServerModel& server, std::size_t gpus, const std::vector<input::Named<NicSpec>>& nics,
    const Catalog& catalog, input::Diagnostics& diagnostics);

}  // namespace vgsim::topology
