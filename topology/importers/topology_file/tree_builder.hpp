#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "topology/input/diagnostics.hpp"
#include "topology/input/value.hpp"
#include "topology/machine/inventory.hpp"

namespace vgsim::topology::inventory {

/// Converts the flat lists of a topology file to the trees of a host: "under" of each device names
/// its parent. Errors (E411): duplicate or unknown names, cycles, or more than 32 levels.
class TreeBuilder {
 public:
  TreeBuilder(Inventory& host, input::Diagnostics& diagnostics)
      : host_(host), diagnostics_(diagnostics) {}

  /// `value`: the source object in the file (see topology_shape()).
  void add_numa_node(const input::Value& value, NumaNode node);
  void add_device(const input::Value& value, Device device);
  /// Moves all devices to the host after all have been added.
  void build();

 private:
  struct Place {
    bool is_numa_node = false;
    std::size_t index = 0;
  };
  struct Flat {
    input::Value value;
    Device device;
    std::vector<std::size_t> below;
    bool attached = false;
  };

  void error(const input::Value& at, std::string message);
  void declare(const input::Value& value, Place place);
  void attach(std::size_t top, std::size_t node);
  Device collect(std::size_t index, std::size_t depth);

  Inventory& host_;
  input::Diagnostics& diagnostics_;
  std::map<std::string, Place> places_;
  std::vector<Flat> devices_;
  std::vector<std::pair<std::size_t, std::size_t>> tops_;  ///< device, NUMA node
};

}  // namespace vgsim::topology::inventory
