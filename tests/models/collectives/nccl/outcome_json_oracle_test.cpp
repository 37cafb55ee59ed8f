#include <fmt/core.h>
#include <gtest/gtest.h>

#include <cmath>
#include <ostream>

#include "models/collectives/nccl/outcome_json.hpp"
#include "tests/models/collectives/nccl/oracle.hpp"
#include "tests/support/extra.hpp"
#include "tests/support/scenarios.hpp"

namespace vgsim::collectives::nccl {
namespace outcome_json_oracle_test {

using nlohmann::json;

/// The first difference between two documents in the keys that both have; empty if there is none.
/// NCCL computes in floats and the oracle has six digits, so numbers can differ by 0.3 %.
std::string difference(const json& ours, const json& theirs, const std::string& place = "") {
  if (theirs.is_number() && ours.is_number()) {
    const double a = ours;
    const double b = theirs;
    return std::abs(a - b) <= 0.003 * std::abs(b) ? "" : fmt::format("{}: {} for {}", place, a, b);
  }
  if (theirs.is_object()) {
    for (const auto& [key, value] : theirs.items()) {
      if (!ours.contains(key)) continue;
      const std::string found = difference(ours[key], value, place + "/" + key);
      if (!found.empty()) return found;
    }
    return {};
  }
  if (theirs.is_array() && ours.size() == theirs.size()) {
    for (std::size_t i = 0; i < theirs.size(); ++i) {
      const std::string found = difference(ours[i], theirs[i], fmt::format("{}/{}", place, i));
      if (!found.empty()) return found;
    }
    return {};
  }
  return ours == theirs ? "" : fmt::format("{}: {} for {}", place, ours.dump(), theirs.dump());
}

void compare_field_by_field(const oracle::Run& run) {
  const json& theirs = run.decided;
  const Constants constants = constants_of(test::library().nccl, "2.30.7").value();
  const Outcome outcome = outcome_of(theirs["xml"], run.machine, theirs["nNodes"], constants, {});
  std::vector<Bytes> sizes;
  for (const json& call : theirs["allreduce"]) sizes.emplace_back(call["bytes"]);
  const json ours = json::parse(to_json(outcome, sizes));
  for (const char* key :
       {"nccl",  "xml",       "nNodes",     "gpusPerNode", "domainGpus", "nets",     "sm",
        "nvls",  "maxBw",     "totalBw",    "gpuPaths",    "netPaths",   "gpuRanks", "search",
        "rings", "ncclNodes", "rankToNode", "nChannels",   "treesUp",    "tuning",   "allreduce"}) {
    EXPECT_TRUE(ours.contains(key)) << key;
    EXPECT_TRUE(theirs.contains(key)) << key;
  }
  EXPECT_EQ(difference(ours, theirs), "");
}

struct RunName {
  bool extra;
  const char* name;
};

void PrintTo(const RunName& run, std::ostream* out) { *out << run.name; }

std::string name_of_run(const ::testing::TestParamInfo<RunName>& run) {
  std::string name = run.param.name;
  for (char& c : name) c = c == '+' ? 'p' : c;
  return name;
}

class OutcomeJsonOracle : public ::testing::TestWithParam<RunName> {
 protected:
  void SetUp() override {
    if (GetParam().extra) test::skip_without_extra_files();
  }
};

TEST_P(OutcomeJsonOracle, ComparesFieldByField) {
  const auto& [extra, name] = GetParam();
  compare_field_by_field(oracle::run_of({extra, extra ? "v2.30.7" : "2.30.7"}, name));
}

INSTANTIATE_TEST_SUITE_P(Tables, OutcomeJsonOracle,
                         ::testing::Values(RunName{false, "aws_p4d_a100x8__n1"},
                                           RunName{false, "azure_ndv5_h100x8__n4"},
                                           RunName{false, "flat_a40_x4__n2"},
                                           RunName{false, "hgx_b200_vm8_flat__n2"},
                                           RunName{false, "hgx_h100_vm8_nicper__n1"},
                                           RunName{false, "root_milan_2+2_nvb__n1"},
                                           RunName{false, "sw_genoa_4x2_nicsw_400G__n4"}),
                         name_of_run);
INSTANTIATE_TEST_SUITE_P(Extra, OutcomeJsonOracle,
                         ::testing::Values(RunName{true, "aws_p4d_a100x8__n1"},
                                           RunName{true, "azure_ndv5_h100x8__n4"},
                                           RunName{true, "flat_a100pcie_x8__n2"},
                                           RunName{true, "hgx_b200_vm8_nicper__n8"},
                                           RunName{true, "root_milan_2+2_nvb__n1"},
                                           RunName{true, "sw_genoa_4x2_nicsw_400G__n4"}),
                         name_of_run);

}  // namespace outcome_json_oracle_test
}  // namespace vgsim::collectives::nccl
