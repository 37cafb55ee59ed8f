#include <fmt/core.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <iostream>

#include "models/collectives/nccl/tuning/cost_model.hpp"
#include "models/collectives/nccl/tuning/decided_communicator.hpp"
#include "tests/models/collectives/nccl/oracle.hpp"
#include "tests/support/scenarios.hpp"

namespace vgsim::collectives::nccl {
namespace choice_oracle_test {

using nlohmann::json;

/// Where the choice from the topology file on differs first from NCCL's; empty if nowhere.
std::string difference(const json& run) {
  const auto constants = constants_of(test::library().nccl, run["nccl"].get<std::string>()).value();
  const std::vector<std::size_t> hosts(run["nNodes"].get<std::size_t>(), 0);
  const Settings settings;
  const Decision decision = decide({&oracle::machine_of(run), 1}, hosts, settings, constants);
  const Communicator comm = communicator_of(decision, settings, constants);
  const CostTable table = cost_table(comm, constants);
  for (const json& entry : run["allreduce"]) {
    const Bytes size{entry["bytes"].get<std::int64_t>()};
    const Candidate choice = candidates(table, Function::kAllReduce, size, comm, constants).at(0);
    const std::string chosen =
        fmt::format("{}/{}", to_string(choice.algorithm), to_string(choice.protocol));
    if (chosen == entry["choice"].get<std::string>()) continue;
    return fmt::format("{} B: {} ({:.2f} us) for {} ({} us)", size.count(), chosen, choice.us,
                       entry["choice"].get<std::string>(), entry["best_us"].get<double>());
  }
  return {};
}

class ChoiceOracle : public ::testing::TestWithParam<const char*> {};

/// From the topology file through detection, search and cost model to the choice.
TEST_P(ChoiceOracle, AgreesFromTheFileToTheChoice) {
  const auto runs = oracle::runs(GetParam());
  if (runs.empty()) GTEST_SKIP() << "no oracle of NCCL in " << oracle::folder();
  std::size_t agree = 0;
  std::size_t all = 0;
  for (const auto& path : runs) {
    const json run = oracle::read(path);
    if (run["nNodes"].get<int>() * run["gpusPerNode"].get<int>() < 2) continue;
    ++all;
    const std::string differs = difference(run);
    agree += differs.empty() ? std::size_t{1} : 0;
    if (!differs.empty()) std::cout << "  " << oracle::name_of(path) << ": " << differs << "\n";
  }
  std::cout << fmt::format("{}: choice over all sizes agrees in {} of {} runs ({:.1f} %)\n",
                           GetParam(), agree, all,
                           100.0 * static_cast<double>(agree) / static_cast<double>(all));
  EXPECT_GE(static_cast<double>(agree), 0.99 * static_cast<double>(all));
}

INSTANTIATE_TEST_SUITE_P(Folders, ChoiceOracle,
                         ::testing::Values("v2.18.6", "v2.23.4", "v2.27.7", "v2.30.7"),
                         [](const auto& folder) {
                           std::string name = folder.param;
                           std::replace(name.begin(), name.end(), '.', '_');
                           return name;
                         });

}  // namespace choice_oracle_test
}  // namespace vgsim::collectives::nccl
