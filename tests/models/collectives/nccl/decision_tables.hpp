#pragma once

#include <string>

#include "tests/models/collectives/nccl/oracle.hpp"

namespace vgsim::collectives::nccl::oracle {

/// The runs of a table in tests/models/collectives/nccl/decisions, "2.30.7", as Run says them. What
/// a table looks like is said in the README.md beside it.
[[nodiscard]] std::vector<Run> read_table(const std::string& name);

}  // namespace vgsim::collectives::nccl::oracle
