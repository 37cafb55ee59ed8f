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

/// Puts the flat lists of a topology file into the trees of a host: each device says in "under"
/// what it hangs on. Errors (E411): names that are taken or unknown, devices under themselves, or
/// more than 32 one under another.
class TreeBuilder {
 public:
  TreeBuilder(Inventory& host, input::Diagnostics& diagnostics)
      : host_(host), diagnostics_(diagnostics) {}

  /// `value`: the object of the file that it was read from (see topology_shape()).
  void add_numa_node(const input::Value& value, NumaNode node);
  void add_device(const input::Value& value, Device device);
  /// Hands all devices to the host, once all are added.
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
