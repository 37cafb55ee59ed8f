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

/// The first difference between the choice from the topology file and NCCL's; empty if there is
/// none.
std::string difference(const oracle::Run& run) {
  const std::string release = run.decided["nccl"];
  const auto constants = constants_of(test::library().nccl, release).value();
  const std::vector<std::size_t> hosts(run.decided["nNodes"].get<std::size_t>(), 0);
  const Decision decision = decide({&run.machine, 1}, hosts, run.settings, constants);
  const Communicator comm = communicator_of(decision, run.settings, constants);
  const CostTable table = cost_table(comm, constants);
  for (const json& entry : run.decided["allreduce"]) {
    const Bytes size{entry["bytes"].get<std::int64_t>()};
    const Candidate choice = candidates(table, Function::kAllReduce, size, comm, constants).at(0);
    const std::string chosen =
        fmt::format("{}/{}", to_string(choice.algorithm), to_string(choice.protocol));
    if (chosen == entry["choice"].get<std::string>()) continue;
    return fmt::format("{} B: {} ({:.2f} us) for {}", size.count(), chosen, choice.us,
                       entry["choice"].get<std::string>());
  }
  return {};
}

/// The number of runs with several GPUs that agree at every size.
struct Agreement {
  std::size_t agree = 0, all = 0;
};

class ChoiceOracle : public oracle::GroupTest {};

/// From the machine through detection, search and cost model to the choice. Shapes of machines with
/// GPUs of other vendors are counted separately.
TEST_P(ChoiceOracle, AgreesFromTheMachineToTheChoice) {
  Agreement nvidia, others;
  oracle::each_run(GetParam(), [&](const oracle::Run& run) {
    if (run.decided["nNodes"].get<int>() * run.decided["gpusPerNode"].get<int>() < 2) return;
    Agreement& count = run.nvidia ? nvidia : others;
    ++count.all;
    const std::string differs = difference(run);
    count.agree += differs.empty() ? std::size_t{1} : 0;
    if (!differs.empty()) std::cout << "  " << run.name << ": " << differs << "\n";
  });
  std::cout << fmt::format(
      "{}: choice over all sizes agrees in {} of {} runs, of other shapes {} of {}\n",
      GetParam().below, nvidia.agree, nvidia.all, others.agree, others.all);
  EXPECT_GT(nvidia.all, 0u);
  EXPECT_EQ(nvidia.agree, nvidia.all);
  EXPECT_GE(static_cast<double>(others.agree), 0.98 * static_cast<double>(others.all));
}

INSTANTIATE_TEST_SUITE_P(Tables, ChoiceOracle,
                         oracle::own("2.18.6", "2.23.4", "2.27.7", "2.30.7", "settings"),
                         oracle::name_of_instance);
INSTANTIATE_TEST_SUITE_P(Extra, ChoiceOracle,
                         oracle::extra("v2.18.6", "v2.23.4", "v2.27.7", "v2.30.7"),
                         oracle::name_of_instance);

}  // namespace choice_oracle_test
}  // namespace vgsim::collectives::nccl
