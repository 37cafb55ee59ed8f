#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

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
  EXPECT_GE(right, 120U);
  EXPECT_GE(refused, 10U);
}

/// Predicted over measured peak, for what was measured: what PyTorch's allocator gave, what it
/// held, or memory in use on the device. Where the source does not state it, the nearest of them.
double ratio(const json& entry) {
  const scenario::MemoryUse use = memory_of(entry);
  const auto measured = entry.at("peak_bytes").get<double>();
  const std::string what = entry.at("measures");
  const double held = use.usual - use.reserve;
  if (what == "allocated") return (use.needed - use.reserve) / measured;
  if (what == "reserved") return held / measured;
  if (what == "device") return use.usual / measured;
  return std::clamp(measured, use.needed - use.reserve, use.usual) / measured;
}

TEST(MemoryVerdicts, NoJobThatRanIsRefused) {
  for (const json& entry : published()) {
    if (!entry.at("fits").get<bool>()) continue;
    EXPECT_TRUE(memory_of(entry).fits()) << entry.at("name");
  }
}

TEST(MemoryVerdicts, PeaksAreWithinTenPercentButWhereTheReasonIsKnown) {
  // Mechanisms were found on one half, which the CRC-32 of the source's title decides on.
  std::map<std::string, std::vector<double>> errors;
  for (const json& entry : published()) {
    if (!entry.contains("peak_bytes")) continue;
    const double error = ratio(entry) - 1;
    EXPECT_EQ(std::abs(error) <= 0.10, !entry.contains("peak_off"))
        << entry.at("name") << ": " << error;
    errors[entry.at("half")].push_back(std::abs(error));
  }
  const auto right = [&](const std::string& half) {
    const std::vector<double>& all = errors.at(half);
    return static_cast<double>(
               std::count_if(all.begin(), all.end(), [](double error) { return error <= 0.10; })) /
           static_cast<double>(all.size());
  };
  EXPECT_GE(errors.at("found").size() + errors.at("check").size(), 84U);
  EXPECT_GE(right("found"), 0.66);
  EXPECT_GE(right("check"), 0.8);
}

TEST(MemoryVerdicts, TwentyFourOfThirtyPeaksOfTodaysFrameworksAreWithinTenPercent) {
  std::size_t right = 0;
  std::size_t all = 0;
  for (const json& entry : published()) {
    // Those of 2019 to 2023 that the table began with state memory of the device alone.
    const bool is_of_today = entry.contains("peak_bytes") && entry.value("added", "") == "2026";
    if (!is_of_today) continue;
    ++all;
    if (std::abs(ratio(entry) - 1) <= 0.10) ++right;
  }
  EXPECT_GE(all, 50U);
  EXPECT_GE(static_cast<double>(right), 0.8 * static_cast<double>(all));
}

}  // namespace memory_verdicts_test
}  // namespace vgsim
