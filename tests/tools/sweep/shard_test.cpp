#include "tools/sweep/shard.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <map>
#include <set>
#include <string>

namespace vgsim::sweep {
namespace shard_test {

Environment environment(std::map<std::string, std::string> variables) {
  return [variables = std::move(variables)](const char* name) -> std::optional<std::string> {
    const auto found = variables.find(name);
    return found == variables.end() ? std::nullopt : std::optional(found->second);
  };
}

RC_GTEST_PROP(Shard, EveryPointIsInExactlyOne, ()) {
  const auto points = *rc::gen::inRange<std::uint64_t>(0, 200);
  const auto of = *rc::gen::inRange<std::uint64_t>(1, 40);
  std::set<std::uint64_t> seen;
  for (std::uint64_t number = 1; number <= of; ++number) {
    const Shard shard{number, of};
    for (std::uint64_t k = 0; k < shard.size(points); ++k) {
      RC_ASSERT(shard.index(k) < points);
      RC_ASSERT(shard.index(k) % of == number - 1);
      RC_ASSERT(seen.insert(shard.index(k)).second);
    }
  }
  RC_ASSERT(seen.size() == points);
}

TEST(Shard, EnginesCountFromOneOrFromZero) {
  EXPECT_EQ(read_shard("auto/4", environment({{"SLURM_ARRAY_TASK_ID", "4"}})), (Shard{4, 4}));
  EXPECT_EQ(read_shard("auto/4", environment({{"JOB_COMPLETION_INDEX", "0"}})), (Shard{1, 4}));
  EXPECT_EQ(read_shard("auto/4", environment({{"PARALLEL_SEQ", "2"}})), (Shard{2, 4}));
  EXPECT_FALSE(read_shard("auto/4", environment({{"SLURM_ARRAY_TASK_ID", "0"}})));
  EXPECT_FALSE(read_shard("auto/4", environment({{"JOB_COMPLETION_INDEX", "4"}})));
  EXPECT_FALSE(read_shard("auto/4", environment({})));
}

TEST(Shard, WhatIsNoneIsRefused) {
  for (const char* text : {"0/4", "5/4", "1", "/4", "1/", "1/0", "-1/4", "1/4/2", "auto", "a/4"}) {
    EXPECT_FALSE(read_shard(text, environment({}))) << text;
  }
}

TEST(Shard, FilesSortByNumberAndAreReadBack) {
  EXPECT_EQ(file_name({1, 1}), "sweep.jsonl");
  EXPECT_EQ(file_name({3, 12}), "shard-03-of-12.jsonl");
  EXPECT_LT(file_name({9, 120}), file_name({10, 120}));
  EXPECT_EQ(shard_of_file("shard-03-of-12.jsonl"), (Shard{3, 12}));
  for (const char* name : {"sweep.jsonl", "shard-3-of-12.jsonl", "shard-13-of-12.jsonl",
                           "shard-03-of-12.jsonl.tmp", "shard-of-.jsonl", "shard--of-.jsonl"}) {
    EXPECT_FALSE(shard_of_file(name)) << name;
  }
}

}  // namespace shard_test
}  // namespace vgsim::sweep
