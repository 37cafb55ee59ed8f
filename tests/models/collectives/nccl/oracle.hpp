#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "models/collectives/nccl/machine.hpp"
#include "models/collectives/nccl/tuning/communicator.hpp"

namespace vgsim::collectives::nccl::oracle {

/// What NCCL's own search and cost model decided on topology files, which lies beside the
/// repository where it lies at all: below $VGSIM_SHARED, else where the build was told.
[[nodiscard]] std::filesystem::path folder();

/// The runs in a folder of it, such as "v2.30.7", and in the folders below, sorted; none where
/// there is no oracle.
[[nodiscard]] std::vector<std::filesystem::path> runs(const std::string& below);

/// The content of a run (.json.gz).
[[nodiscard]] nlohmann::json read(const std::filesystem::path& run);

/// The machine that a run was made on.
[[nodiscard]] const Machine& machine_of(const nlohmann::json& run);

/// What the cost model needs to know, as the run's own search found it.
[[nodiscard]] Communicator communicator_of(const nlohmann::json& run);

/// One run that differs, for a message: "aws_p5_h100x8_32efa__n4: ring/LL 1.2 for 1.3".
[[nodiscard]] std::string name_of(const std::filesystem::path& run);

}  // namespace vgsim::collectives::nccl::oracle
