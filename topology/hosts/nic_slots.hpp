#pragma once

#include <map>
#include <string>
#include <vector>

#include "topology/catalog/catalog.hpp"
#include "topology/input/diagnostics.hpp"
#include "topology/spec/host_spec.hpp"

namespace vgsim::topology {

/// The slot of a NIC in a server.
struct NicPlace {
  const NicModel* model = nullptr;
  std::string slot;                      ///< its name
  const PcieAttachment* link = nullptr;  ///< of the server
  std::string card_of;  ///< first port of the same card; empty for the first port itself
};

/// The slots of a server's NICs, by name.
///
/// A NIC gets the slot that it names, else the free one nearest to the device that it names, else
/// the free one nearest to any GPU. Only slots that it fits are considered; among equally near
/// ones, the first by name that supports its rate, else the first. NICs that name a slot choose
/// first, then those beside a GPU, then those on a socket, each in natural order, then the others,
/// fastest first: so a NIC without a stated place never displaces one with a place. NICs of one
/// model that name the same slot are the ports of one card. Reports unknown models and places and
/// NICs without a slot, and omits them.
[[nodiscard]] std::map<std::string, NicPlace> place_nics(
    const ServerModel& server, std::size_t gpus, const std::vector<input::Named<NicSpec>>& nics,
    const Catalog& catalog, input::Diagnostics& diagnostics);

}  // namespace vgsim::topology
