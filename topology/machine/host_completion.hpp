#pragma once

#include "topology/catalog/catalog.hpp"
#include "topology/machine/build_host.hpp"

namespace vgsim::topology::inventory {

/// The completion with normalized bus ids, and with the parts that the inventory names where a
/// person names none: CPU and NICs by their catalogue names, GPUs also by those of dumps. Reports
/// names that the catalogue lacks, and GPUs of AMD.
[[nodiscard]] HostCompletion completed(HostCompletion completion, const Inventory& host,
                                       const HostFile& file, const Catalog& catalog,
                                       input::Diagnostics& diagnostics);

}  // namespace vgsim::topology::inventory
