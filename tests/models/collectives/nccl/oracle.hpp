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
  /// Under NCCL's words: nccl, nNodes, gpusPerNode, sm, nvls, gpuPaths, netPaths, search, rings,
  /// treesUp, tuning, allreduce ...; of `allreduce` the choice at every size, of our own tables
  /// times and work at some sizes alone.
  nlohmann::json decided;
  bool nvidia = true;  ///< else the shape of a machine with GPUs of others
};

/// Runs that are tested together.
struct Group {
  bool extra;         ///< of ../shared (more runs, some of other GPUs), else of our own tables
  std::string below;  ///< a table of ours, "2.30.7"; or a folder of theirs, "variants/collnet"
};

void PrintTo(const Group& group, std::ostream* out);

/// Parameters of tests: tables of ours, folders of theirs.
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

/// Hands over the runs of a group, in a fixed order; returns how many there are.
std::size_t each_run(const Group& group, const std::function<void(const Run&)>& look_at);

/// One of a group, by the end of its name.
[[nodiscard]] Run run_of(const Group& group, const std::string& name);

/// What the cost model needs to know, as the run's own search found it.
[[nodiscard]] Communicator communicator_of(const Run& run);

/// A machine of our own tables.
[[nodiscard]] const Machine& machine_of(const std::string& name);

}  // namespace vgsim::collectives::nccl::oracle
