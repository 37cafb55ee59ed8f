#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <iosfwd>
#include <nlohmann/json.hpp>
#include <string>

#include "models/collectives/nccl/machine.hpp"
#include "models/collectives/nccl/settings.hpp"
#include "models/collectives/nccl/tuning/communicator.hpp"

namespace vgsim::collectives::nccl::oracle {

/// What NCCL's own search and cost model decided on a machine.
struct Run {
  std::string name;  ///< "2.30.7/azure_ndv5_h100x8__n4"
  Machine machine;
  Settings settings;
  /// With NCCL's names: nccl, nNodes, gpusPerNode, sm, nvls, gpuPaths, netPaths, search, rings,
  /// treesUp, tuning, allreduce ...; `allreduce` has the choice at every size, and in our own
  /// tables times and work at some sizes only.
  nlohmann::json decided;
  bool nvidia = true;  ///< else a machine with GPUs of another vendor
};

/// Runs that are tested together.
struct Group {
  bool extra;  ///< from ../shared (more runs, some with other GPUs), else from our own tables
  std::string below;  ///< one of our tables, "2.30.7", or a folder, "variants/collnet"
};

void PrintTo(const Group& group, std::ostream* out);

/// Test parameters: our tables, and folders of shared runs.
template <class... Names>
[[nodiscard]] auto own(Names... names) {
  return ::testing::Values(Group{false, names}...);
}
template <class... Names>
[[nodiscard]] auto extra(Names... names) {
  return ::testing::Values(Group{true, names}...);
}

/// The group's part of a test's name: "2_30_7", "variants_collnet".
[[nodiscard]] std::string name_of_instance(const ::testing::TestParamInfo<Group>& instance);

/// A test of a group; its extra ones are instantiated as "Extra".
class GroupTest : public ::testing::TestWithParam<Group> {
 protected:
  void SetUp() override;
};

/// Passes the runs of a group to a function in a fixed order; returns their number.
std::size_t each_run(const Group& group, const std::function<void(const Run&)>& look_at);

/// A run of a group, by the end of its name.
[[nodiscard]] Run run_of(const Group& group, const std::string& name);

/// The inputs of the cost model from the run's own search.
[[nodiscard]] Communicator communicator_of(const Run& run);

/// A machine of our own tables.
[[nodiscard]] const Machine& machine_of(const std::string& name);

}  // namespace vgsim::collectives::nccl::oracle
