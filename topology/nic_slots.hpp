#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>

#include "topology/catalog/parts.hpp"
#include "topology/input/diagnostics.hpp"
#include "topology/input/value.hpp"

namespace vgsim::topology {

/// The NIC slots of one server while its NICs are placed.
class NicSlots {
 public:
  NicSlots(const ServerModel& server, std::size_t gpus) : server_(&server), gpus_(gpus) {}

  /// The slot of a NIC: the one it names, else the free one nearest to the device it names, else
  /// a free one beside some GPU, else any free one, in order of names. Nothing, and an error, if
  /// there is none.
  [[nodiscard]] const PcieAttachment* take(const input::Value& nic,
                                           input::Diagnostics& diagnostics);

 private:
  [[nodiscard]] const PcieAttachment* take_named(const input::Value& name,
                                                 input::Diagnostics& diagnostics);
  /// By slot: 0 beside the device, 1 on its socket, 2 elsewhere; empty after an error.
  [[nodiscard]] std::map<std::string, int> distances_from(const input::Value& near,
                                                          input::Diagnostics& diagnostics) const;
  [[nodiscard]] bool beside_a_gpu(const PcieAttachment& slot) const;
  [[nodiscard]] std::int64_t socket_of(std::string place) const;

  const ServerModel* server_;
  std::size_t gpus_;
  std::set<std::string> taken_;
};

}  // namespace vgsim::topology
