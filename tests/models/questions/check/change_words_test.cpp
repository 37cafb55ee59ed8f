#include "models/questions/check/change_words.hpp"

#include <gtest/gtest.h>

namespace vgsim {
namespace change_words_test {

using scenario::both_in_words;
using scenario::change_in_words;
using scenario::MetricUnit;
using scenario::read_percentage;

TEST(ChangeWords, ALongerTimeAndALowerRateAreSlower) {
  EXPECT_EQ(change_in_words(1.0, 1.02, MetricUnit::kSeconds), "2 % slower");
  EXPECT_EQ(change_in_words(1.0, 0.98, MetricUnit::kSeconds), "2 % faster");
  EXPECT_EQ(change_in_words(100, 98, MetricUnit::kGBps), "2 % slower");
  EXPECT_EQ(change_in_words(100, 102, MetricUnit::kPerSecond), "2 % faster");
  EXPECT_EQ(change_in_words(100, 102, MetricUnit::kMoney), "2 % more");
}

TEST(ChangeWords, LargeChangesAreRatiosAndSharesArePoints) {
  EXPECT_EQ(change_in_words(1.0, 1.59, MetricUnit::kSeconds), "1.59 x slower");
  EXPECT_EQ(change_in_words(1.59, 1.0, MetricUnit::kSeconds), "1.59 x faster");
  EXPECT_EQ(change_in_words(0.26, 0.38, MetricUnit::kShare), "12 points higher");
  EXPECT_EQ(change_in_words(0.0, 1.0, MetricUnit::kSeconds), "");
}

TEST(ChangeWords, TwoFiguresNeverLookTheSame) {
  const auto far = both_in_words(0.268, 0.271, MetricUnit::kSeconds);
  EXPECT_EQ(far.first, "268 ms");
  EXPECT_EQ(far.second, "271 ms");
  const auto near = both_in_words(0.2680001, 0.2680002, MetricUnit::kSeconds);
  EXPECT_EQ(near.first, "268.0001 ms");
  EXPECT_EQ(near.second, "268.0002 ms");
}

TEST(Percentage, NeedsItsSign) {
  EXPECT_DOUBLE_EQ(read_percentage("2 %").value_or(-1), 0.02);
  EXPECT_DOUBLE_EQ(read_percentage("0.5%").value_or(-1), 0.005);
  EXPECT_DOUBLE_EQ(read_percentage("0 %").value_or(-1), 0.0);
  for (const char* text : {"", "%", "2", "0.02", "-1 %", "2  %", "2 % ", ".5 %", "5. %", "1001 %",
                           "nan %", "inf %", "2 %%"}) {
    EXPECT_FALSE(read_percentage(text)) << text;
  }
}

}  // namespace change_words_test
}  // namespace vgsim
