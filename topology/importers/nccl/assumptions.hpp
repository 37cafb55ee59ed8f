#pragma once

#include <set>
#include <string>
#include <vector>

#include "topology/device_builder.hpp"

namespace vgsim::topology {

/// What an importer had to assume, collected until it is known that the import succeeds.
///
/// Kept in the order of first mention. The same assumption about several devices is one sentence
/// with all of their bus ids behind it.
class Assumptions {
 public:
  void add(std::string what) { add("", std::move(what)); }
  void add(const std::string& bus_id, std::string what);

  /// Hands everything to the host.
  void tell(DeviceBuilder& devices) const;

 private:
  struct Assumption {
    std::string what;
    std::vector<std::string> bus_ids;
    std::set<std::string> listed;  ///< the same ids
  };
  std::vector<Assumption> list_;
};

}  // namespace vgsim::topology
