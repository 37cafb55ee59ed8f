#pragma once

#include <string>

#include "tests/models/collectives/nccl/oracle.hpp"

namespace vgsim::collectives::nccl::oracle {

/// The runs of a table in tests/models/collectives/nccl/decisions, "2.30.7", in the form of Run.
/// README.md in that folder describes the tables.
[[nodiscard]] std::vector<Run> read_table(const std::string& name);

}  // namespace vgsim::collectives::nccl::oracle
