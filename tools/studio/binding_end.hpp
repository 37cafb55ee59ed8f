#pragma once

#include <optional>
#include <string>

#include "tools/studio/change.hpp"
#include "tools/studio/studio.hpp"

namespace vgsim::studio {

/// The slower end of the network link that is the bottleneck, and the change that goes with it.
struct BindingEnd {
  std::string text;              ///< "the switch port of 100 Gbit/s binds, ..."
  std::optional<Change> change;  ///< that lifts it; nothing if it is the NIC itself
};

/// Nothing unless the bottleneck is the link of a NIC whose model and port are known.
[[nodiscard]] std::optional<BindingEnd> binding_end(const Studio& studio);

}  // namespace vgsim::studio
