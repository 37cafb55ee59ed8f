#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>

#include "models/scenario/answer/run_scenario.hpp"
#include "tests/support/scenarios.hpp"
#include "tools/cli/config_files.hpp"

namespace vgsim {
namespace memory_verdicts_test {

using nlohmann::json;

/// Published training jobs that fit into GPU memory or did not, some with the peak usage. Entries
/// with known model errors contain the reason.
const json& published() {
  static const json entries = [] {
    std::ifstream file(std::string(VGSIM_SOURCE_DIR) +
                       "/tests/models/scenario/memory_verdicts.json");
    return json::parse(file);
  }();
  return entries;
}

scenario::MemoryUse memory_of(const json& entry) {
  const auto result =
      scenario::validate_scenario(input::make_source("published.json", entry.at("scenario").dump()),
                                  test::library(), cli::loader_relative_to("."));
  return result.value().layouts.at(0).memory.value();
}

TEST(MemoryVerdicts, AreRightButWhereTheReasonIsKnown) {
  std::size_t right = 0;
  std::size_t refused = 0;
  for (const json& entry : published()) {
    const bool agrees = memory_of(entry).fits() == entry.at("fits").get<bool>();
    EXPECT_EQ(agrees, !entry.contains("known_wrong")) << entry.at("name");
    if (!agrees) continue;
    ++right;
    if (!entry.at("fits").get<bool>()) ++refused;
  }
  EXPECT_GE(right, 65U);
  EXPECT_GE(refused, 10U);
}

TEST(MemoryVerdicts, PeaksAreWithinTenPercentButWhereTheReasonIsKnown) {
  std::vector<double> errors;
  for (const json& entry : published()) {
    if (!entry.contains("peak_bytes")) continue;
    const double error = memory_of(entry).needed / entry.at("peak_bytes").get<double>() - 1;
    EXPECT_EQ(std::abs(error) <= 0.10, !entry.contains("peak_off"))
        << entry.at("name") << ": " << error;
    errors.push_back(std::abs(error));
  }
  std::sort(errors.begin(), errors.end());
  EXPECT_LT(errors.at(errors.size() / 2), 0.10) << "median";
}

}  // namespace memory_verdicts_test
}  // namespace vgsim
