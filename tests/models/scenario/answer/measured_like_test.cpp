// How many measured machines are like the one that is asked for.

#include <gmock/gmock.h>

#include <string>
#include <vector>

#include "models/scenario/answer/model_error.hpp"
#include "tests/support/scenarios.hpp"

namespace vgsim {
namespace measured_like_test {

using ::testing::IsEmpty;

/// What results list of a job on that many hosts.
std::vector<scenario::MeasuredLike> of(const std::string& gpus, const std::string& hosts,
                                       const std::string& more) {
  const auto result =
      test::run_one(R"({"name": "t", "hosts": {"h[1-)" + hosts +
                    R"(]": {"server": "generic-1gpu", "gpus": "1 x )" + gpus +
                    R"(", "nics": {"n": {"nic": "connectx-6-hdr-200g"}}}}, )" + more + "}");
  return result.measured_like;
}

const std::string kBert = R"("job": {"network": "bert-large", "batch_per_gpu": 8)";

std::size_t machines_of(const std::string& parameter, const std::string& architecture) {
  const auto& machines = test::library().parameters.at(parameter).measured_on->machines;
  const auto found = machines.find(architecture);
  return found == machines.end() ? 0 : found->second;
}

TEST(MeasuredLike, CountsMachinesOfTheJobAndOfItsCollectives) {
  const auto all = of("a100-pcie-40gb", "2", kBert + "}");
  ASSERT_EQ(all.size(), 2U);
  EXPECT_EQ(all[0].what, "data-parallel jobs");
  EXPECT_EQ(all[0].architecture, "ampere");
  EXPECT_EQ(all[0].like, machines_of("data_parallel_model_error", "ampere"));
  EXPECT_GT(all[0].machines, all[0].like);
  EXPECT_THAT(all[1].what, ::testing::HasSubstr("collectives over RDMA"));
}

TEST(MeasuredLike, AnArchitectureThatNobodyMeasuredHasNone) {
  const auto all = of("l40s", "1", kBert + R"(, "parallel": {"sharding": "fsdp"}})");
  ASSERT_FALSE(all.empty());
  EXPECT_EQ(all[0].what, "jobs with sharded parameters, gradients or optimizer states");
  EXPECT_EQ(all[0].architecture, "ada");
  EXPECT_EQ(all[0].like, 0U);
  EXPECT_EQ(machines_of("sharded_model_error", "ada"), 0U);
}

TEST(MeasuredLike, AMeasuredStepReplacesThoseOfOthers) {
  EXPECT_THAT(of("a100-pcie-40gb", "1", kBert + R"(, "compute_factor": 1.1})"), IsEmpty());
}

}  // namespace measured_like_test
}  // namespace vgsim
