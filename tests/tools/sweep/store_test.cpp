#include "tools/sweep/store.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/tools/sweep/sample_store.hpp"
#include "tools/sweep/store_error.hpp"

namespace vgsim::sweep {
namespace store_test {

std::string message_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const StoreError& error) {
    return error.what();
  }
  return "";
}

class StoreTest : public ::testing::Test {
 protected:
  StoreTest() : whole_(test::read_file(write_sample(scratch_.file("whole"), header_))) {}

  /// What becomes of a store that was left like this.
  std::string resumed(const std::string& left) {
    std::filesystem::create_directories(scratch_.file("cut"));
    scratch_.write("cut/sweep.jsonl", left);
    return test::read_file(write_sample(scratch_.file("cut"), header_));
  }

  std::string refusal(const std::string& left, const StoreHeader& header) {
    std::filesystem::create_directories(scratch_.file("cut"));
    const std::string file = scratch_.write("cut/sweep.jsonl", left);
    const std::string message =
        message_of([&] { const Store store(scratch_.file("cut"), header, IfThere::kResume); });
    EXPECT_EQ(test::read_file(file), left) << "what is refused must be left alone";
    return message;
  }

  test::Scratch scratch_;
  StoreHeader header_ = sample_header(12);
  std::string whole_;
};

TEST_F(StoreTest, IsTheSameWhereverItsWriterWasKilled) {
  const std::size_t last_lines = whole_.size() - 400;
  for (std::size_t bytes = 0; bytes <= whole_.size(); bytes += bytes < last_lines ? 13 : 1) {
    ASSERT_EQ(resumed(whole_.substr(0, bytes)), whole_) << "after " << bytes << " bytes";
  }
}

TEST_F(StoreTest, EveryFlippedBitIsFoundAndTheLineNamed) {
  for (std::size_t at = 0; at < whole_.size(); at += 11) {
    std::string damaged = whole_;
    damaged[at] = static_cast<char>(damaged[at] ^ (1 << (at % 7)));
    const auto lines = std::count(whole_.begin(), whole_.begin() + static_cast<long>(at), '\n');
    // Without its end the last line is a torn one, and is written anew.
    if (whole_[at] == '\n' && at + 1 == whole_.size()) continue;
    const std::string message = refusal(damaged, header_);
    EXPECT_NE(message.find(".jsonl:" + std::to_string(lines + 1) + ":"), std::string::npos)
        << "byte " << at << ": " << message;
  }
}

TEST_F(StoreTest, LinesAreJsonInTheOrderOfPoints) {
  std::istringstream lines(whole_);
  std::string line;
  std::getline(lines, line);
  EXPECT_EQ(nlohmann::json::parse(line).at("points"), 12);
  for (int i = 0; i < 12; ++i) {
    std::getline(lines, line);
    const auto json = nlohmann::ordered_json::parse(line);
    EXPECT_EQ(json.at("index"), i);
    EXPECT_EQ(json.at("set").at("/job/batch"), i * 8);
    EXPECT_EQ(std::prev(json.end()).key(), "xxh3");
  }
  std::getline(lines, line);
  EXPECT_EQ(nlohmann::json::parse(line).at("complete"), true);
}

TEST_F(StoreTest, LinesThatWereExchangedOrLeftOutAreFound) {
  const std::size_t first = whole_.find('\n') + 1;
  const std::size_t second = whole_.find('\n', first) + 1;
  const std::size_t third = whole_.find('\n', second) + 1;
  const std::string a = whole_.substr(first, second - first);
  const std::string b = whole_.substr(second, third - second);
  const std::string head = whole_.substr(0, first);
  const std::string tail = whole_.substr(third);
  EXPECT_NE(refusal(head + b + a + tail, header_), "");
  EXPECT_NE(refusal(head + a + tail, header_), "");
  EXPECT_NE(refusal(head + a + a + b + tail, header_), "");
  EXPECT_NE(refusal(whole_ + a, header_), "");
}

TEST_F(StoreTest, OfAnotherSweepOrOtherModelsIsRefused) {
  StoreHeader other = header_;
  other.models = "0";
  EXPECT_NE(refusal(whole_, other).find("configuration folder"), std::string::npos);
  other = header_;
  other.digest = "0";
  EXPECT_NE(refusal(whole_, other).find("another sweep"), std::string::npos);
  other = header_;
  other.vgsim = "1.2.4";
  EXPECT_NE(refusal(whole_, other).find("another version"), std::string::npos);
  EXPECT_NE(refusal("{\"mine\": true}", header_), "") << "a file of someone else's, with no line";
}

TEST_F(StoreTest, IsNotWrittenOverUnlessResumed) {
  const std::string message =
      message_of([&] { const Store store(scratch_.file("whole"), header_, IfThere::kRefuse); });
  EXPECT_NE(message.find("--resume"), std::string::npos);
}

TEST_F(StoreTest, HasOneWriter) {
  const Store first(scratch_.file("locked"), header_, IfThere::kResume);
  const std::string message =
      message_of([&] { const Store second(scratch_.file("locked"), header_, IfThere::kResume); });
  EXPECT_NE(message.find("another process"), std::string::npos);
}

}  // namespace store_test
}  // namespace vgsim::sweep
