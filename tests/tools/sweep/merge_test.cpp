#include "tools/sweep/merge.hpp"

#include <gtest/gtest.h>

#include "tests/tools/sweep/sample_store.hpp"
#include "tools/sweep/store_error.hpp"

namespace vgsim::sweep {
namespace merge_test {

class Merge : public ::testing::Test {
 protected:
  void write_shards(std::uint64_t from, std::uint64_t to, std::uint64_t of) {
    for (std::uint64_t number = from; number <= to; ++number) {
      write_sample(folder_, sample_header(30, {number, of}));
    }
  }

  std::string whole() {
    return test::read_file(write_sample(scratch_.file("whole"), sample_header(30)));
  }

  test::Scratch scratch_;
  std::string folder_ = scratch_.file("shards");
};

TEST_F(Merge, IsWhatOneMachineWouldHaveWritten) {
  for (const std::uint64_t of : {2U, 3U, 7U, 31U}) {
    std::filesystem::remove_all(folder_);
    write_shards(1, of, of);
    const Merged merged = merge_shards(folder_, sample_header(30));
    EXPECT_TRUE(merged.missing.empty());
    EXPECT_EQ(test::read_file(merged.file), whole()) << of << " shards";
  }
}

TEST_F(Merge, NamesWhatIsMissingAndWritesNothing) {
  write_shards(1, 2, 4);
  {
    const StoreHeader header = sample_header(30, {4, 4});
    Store half(folder_, header, IfThere::kRefuse);
    half.add(sample_line(3));
  }
  const Merged merged = merge_shards(folder_, sample_header(30));
  ASSERT_EQ(merged.missing.size(), 2U);
  EXPECT_EQ(merged.missing[0].shard, (Shard{3, 4}));
  EXPECT_EQ(merged.missing[0].points, 0U);
  EXPECT_EQ(merged.missing[1].shard, (Shard{4, 4}));
  EXPECT_EQ(merged.missing[1].points, 1U);
  EXPECT_FALSE(std::filesystem::exists(merged.file));
}

TEST_F(Merge, TwiceIsTheSame) {
  write_shards(1, 3, 3);
  static_cast<void>(merge_shards(folder_, sample_header(30)));
  const Merged again = merge_shards(folder_, sample_header(30));
  EXPECT_EQ(test::read_file(again.file), whole());
}

TEST_F(Merge, OfAWholeStoreIsThatStore) {
  write_sample(folder_, sample_header(30));
  const Merged merged = merge_shards(folder_, sample_header(30));
  EXPECT_EQ(merged.shards, 0U);
  EXPECT_EQ(test::read_file(merged.file), whole());
}

TEST_F(Merge, ShardsOfOtherModelsOrAnotherDivisionAreRefused) {
  write_shards(1, 2, 2);
  StoreHeader other = sample_header(30);
  other.models = "other";
  EXPECT_THROW(static_cast<void>(merge_shards(folder_, other)), StoreError);
  write_shards(3, 3, 4);
  EXPECT_THROW(static_cast<void>(merge_shards(folder_, sample_header(30))), StoreError);
}

TEST_F(Merge, ADamagedShardIsNamed) {
  write_shards(1, 2, 2);
  std::string text = test::read_file(folder_ + "/shard-2-of-2.jsonl");
  text[text.size() / 2] ^= 1;
  std::ofstream(folder_ + "/shard-2-of-2.jsonl", std::ios::binary) << text;
  try {
    static_cast<void>(merge_shards(folder_, sample_header(30)));
    FAIL();
  } catch (const StoreError& error) {
    EXPECT_NE(std::string(error.what()).find("shard-2-of-2.jsonl:"), std::string::npos);
  }
}

TEST_F(Merge, WaitsForNoWriter) {
  write_shards(1, 2, 2);
  const Store writer(folder_, sample_header(30, {1, 2}), IfThere::kResume);
  EXPECT_THROW(static_cast<void>(merge_shards(folder_, sample_header(30))), StoreError);
}

}  // namespace merge_test
}  // namespace vgsim::sweep
