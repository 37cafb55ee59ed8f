#pragma once

#include "topology/catalog/catalog.hpp"
#include "topology/machine/build_host.hpp"

namespace vgsim::topology::inventory {

/// The completion with normalized bus ids and, where the user names no part, those that the
/// inventory names: CPU and NICs by catalogue names, GPUs also by names of dumps. Reports names
/// that are not in the catalogue, and AMD GPUs.
[[nodiscard]] HostCompletion completed(HostCompletion completion, const Inventory& host,
                                       const HostFile& file, const Catalog& catalog,
                                       input::Diagnostics& diagnostics);

}  // namespace vgsim::topology::inventory
