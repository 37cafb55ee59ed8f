#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>

#include "topology/catalog/parts.hpp"
#include "topology/input/diagnostics.hpp"
#include "topology/spec/host_spec.hpp"

namespace vgsim::topology {

/// The NIC slots of one server while its NICs are placed.
class NicSlots {
 public:
  NicSlots(const ServerModel& server, std::size_t gpus) : server_(&server), gpus_(gpus) {}

  /// The slot of a NIC: the one it names, else the free one nearest to the device it names, else
  /// the free one nearest to some GPU, else any free one, in order of names. Nothing, and an error,
  /// if there is none.
  [[nodiscard]] const PcieAttachment* take(const input::Named<NicSpec>& nic,
                                           input::Diagnostics& diagnostics);
  [[nodiscard]] bool is_taken(const std::string& slot) const { return taken_.contains(slot); }

 private:
  [[nodiscard]] const PcieAttachment* take_named(const input::At<std::string>& name,
                                                 input::Diagnostics& diagnostics);
  /// How far a slot is from a device, nearest first.
  enum Distance : int {
    kBeside,          ///< on the same switch or root complex
    kUnderOneSwitch,  ///< on a switch above the device's own
    kOnSocket,
    kElsewhere,
  };
  /// By slot its Distance; empty after an error.
  [[nodiscard]] std::map<std::string, int> distances_from(const input::At<std::string>& near,
                                                          input::Diagnostics& diagnostics) const;
  /// The Distance to the nearest GPU slot; any socket counts as the GPU's.
  [[nodiscard]] int from_any_gpu(const PcieAttachment& slot) const;
  /// The Distance of what hangs on `slot` from what hangs on `place`.
  [[nodiscard]] int from_place(const std::string& slot, const std::string& place) const;
  [[nodiscard]] std::int64_t socket_of(std::string place) const;

  const ServerModel* server_;
  std::size_t gpus_;
  std::set<std::string> taken_;
};

}  // namespace vgsim::topology
