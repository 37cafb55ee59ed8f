#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "topology/input/diagnostics.hpp"
#include "topology/input/value.hpp"

namespace vgsim::studio {

/// Continues numbered names: "train05" after "train04", skipping names in use.
class NameCounter {
 public:
  explicit NameCounter(const std::vector<input::Member>& taken);

  /// Empty if the name does not end with a number.
  [[nodiscard]] std::string after(const std::string& name);

 private:
  std::set<std::string> taken_;
  std::map<std::string, std::uint64_t> latest_;  ///< number given after a name
};

/// A scenario with single names and that many hosts. Added hosts are copies of the last one,
/// with copies of its VMs under the next numbers; removed hosts are the last ones, with their
/// VMs. Errors: no host to copy, a last host without a number in its name, or one on which only
/// vSphere places VMs.
[[nodiscard]] input::Value with_host_count(const input::Value& scenario, std::int64_t count,
                                           input::Diagnostics& diagnostics);

}  // namespace vgsim::studio
