#include <fmt/core.h>
#include <gtest/gtest.h>

#include <cmath>
#include <iostream>

#include "models/collectives/nccl/tuning/cost_model.hpp"
#include "models/collectives/nccl/tuning/work_split.hpp"
#include "tests/models/collectives/nccl/oracle.hpp"
#include "tests/support/scenarios.hpp"

namespace vgsim::collectives::nccl {
namespace cost_model_oracle_test {

using nlohmann::json;

/// The model applied to the search result of an NCCL run.
struct Subject {
  Communicator comm;
  Constants constants;
  CostTable table;
};

Subject subject_of(const oracle::Run& run) {
  const std::string release = run.decided["nccl"];
  Subject subject{
      oracle::communicator_of(run), constants_of(test::library().nccl, release).value(), {}};
  subject.table = cost_table(subject.comm, subject.constants);
  return subject;
}

bool near(double value, double expected, double share) {
  return std::abs(value - expected) <= share * std::abs(expected);
}

std::string key_of(Algorithm algorithm, Protocol protocol) {
  return fmt::format("{}/{}", to_string(algorithm), to_string(protocol));
}

/// Differences between the table of costs and the run's; empty if there are none.
std::string difference_of_costs(const Subject& subject, const json& run) {
  for (std::size_t f = 0; f < kFunctions; ++f) {
    const char* function = to_string(static_cast<Function>(f));
    const json& expected = run["tuning"][function];
    std::size_t used = 0;
    for (std::size_t a = 0; a < kAlgorithms; ++a) {
      for (std::size_t p = 0; p < kProtocols; ++p) {
        const std::string key = key_of(static_cast<Algorithm>(a), static_cast<Protocol>(p));
        const Cost& cost = subject.table.costs[f][a][p];
        used += cost.bandwidth > 0 ? std::size_t{1} : 0;
        if (!expected.contains(key)) {
          if (cost.bandwidth > 0) return fmt::format("{} {} is not used", function, key);
          continue;
        }
        const double latency = expected[key]["lat_us"];
        const double bandwidth = expected[key]["bw_GBps"];
        if (!near(cost.latency_us, latency, 0.002) || !near(cost.bandwidth, bandwidth, 0.002)) {
          return fmt::format("{} {}: {} us {} GB/s for {} us {} GB/s", function, key,
                             cost.latency_us, cost.bandwidth, latency, bandwidth);
        }
      }
    }
    if (used != expected.size()) return fmt::format("{} of {} used", used, expected.size());
  }
  return {};
}

std::string difference_of_choice(const Subject& subject, const json& entry) {
  const Bytes size{entry["bytes"].get<std::int64_t>()};
  const auto found =
      candidates(subject.table, Function::kAllReduce, size, subject.comm, subject.constants);
  for (const Candidate& candidate : found) {
    const std::string key = key_of(candidate.algorithm, candidate.protocol);
    if (!entry.contains("time_us")) break;
    const double expected = entry["time_us"].at(key);
    if (!near(candidate.us, expected, 0.003)) {
      return fmt::format("{} B {}: {} us for {} us", size.count(), key, candidate.us, expected);
    }
  }
  const std::string choice = key_of(found.at(0).algorithm, found.at(0).protocol);
  if (choice == entry["choice"].get<std::string>()) return {};
  return fmt::format("{} B: {} for {}", size.count(), choice, entry["choice"].get<std::string>());
}

std::string difference_of_work(const Subject& subject, const json& entry) {
  const Bytes size{entry["bytes"].get<std::int64_t>()};
  const Candidate choice =
      candidates(subject.table, Function::kAllReduce, size, subject.comm, subject.constants).at(0);
  const WorkSplit split = split_work(Function::kAllReduce, choice.algorithm, choice.protocol, size,
                                     subject.comm, subject.constants);
  const std::pair<const char*, std::int64_t> fields[] = {
      {"nMaxChannels", split.channels},      {"nWarps", split.warps},
      {"channelsUsed", split.channels_used}, {"bytesPerChannel", split.dealt.count()},
      {"chunkSize", split.chunk.count()},    {"sliceSteps", split.slots_per_slice},
      {"chunkSteps", split.slots_per_chunk},
  };
  for (const auto& [name, value] : fields) {
    if (entry[name].get<std::int64_t>() == value) continue;
    return fmt::format("{} B {}: {} {} for {}", size.count(),
                       key_of(choice.algorithm, choice.protocol), name, value,
                       entry[name].get<std::int64_t>());
  }
  std::int64_t dealt = split.first.count();
  if (split.channels_used > 1) dealt += split.last.count();
  if (split.channels_used > 2) dealt += (split.channels_used - 2) * split.middle.count();
  return dealt == size.count() ? "" : fmt::format("{} of {} B dealt", dealt, size.count());
}

/// The number of runs or sizes that agree, and the first few differences.
struct Share {
  std::size_t agree = 0, all = 0;
  std::string differences;

  void count(const std::string& name, const std::string& difference) {
    ++all;
    agree += difference.empty() ? std::size_t{1} : 0;
    if (!difference.empty() && all - agree <= 10) {
      differences += fmt::format("\n  {}: {}", name, difference);
    }
  }
};

class CostModelOracle : public oracle::GroupTest {};

TEST_P(CostModelOracle, AgreesOnCostsChoiceAndWork) {
  const oracle::Group& group = GetParam();
  Share costs, choices, work;
  const auto compare = [&](const oracle::Run& run) {
    const Subject subject = subject_of(run);
    if (subject.comm.ranks < 2) return;
    const std::string difference = difference_of_costs(subject, run.decided);
    costs.count(run.name, difference);
    if (!difference.empty()) return;
    for (const json& entry : run.decided["allreduce"]) {
      choices.count(run.name, difference_of_choice(subject, entry));
      if (entry.contains("nWarps")) work.count(run.name, difference_of_work(subject, entry));
    }
  };
  EXPECT_GT(oracle::each_run(group, compare), 0u);
  std::cout << fmt::format(
      "{}: cost tables {} of {} runs, choices {} of {} sizes, work {} of {} sizes\n", group.below,
      costs.agree, costs.all, choices.agree, choices.all, work.agree, work.all);
  EXPECT_EQ(costs.agree, costs.all) << costs.differences;
  EXPECT_EQ(choices.agree, choices.all) << choices.differences;
  EXPECT_EQ(work.agree, work.all) << work.differences;
}

INSTANTIATE_TEST_SUITE_P(Tables, CostModelOracle,
                         oracle::own("2.18.6", "2.23.4", "2.27.7", "2.30.7", "settings"),
                         oracle::name_of_instance);
INSTANTIATE_TEST_SUITE_P(Extra, CostModelOracle,
                         oracle::extra("v2.18.6", "v2.23.4", "v2.27.7", "v2.30.7", "variants"),
                         oracle::name_of_instance);

}  // namespace cost_model_oracle_test
}  // namespace vgsim::collectives::nccl
