#include "tools/text/figures.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace vgsim::cli {
namespace {

using scenario::Interval;

TEST(Figures, ShowNoDigitThatTheIntervalDoesNotSupport) {
  const double hour = 3600.0;
  const Interval wide{3.76 * hour, 7.77 * hour, 20};
  EXPECT_EQ(text::time_figure(4.37 * hour, text::known_of(wide, 4.37 * hour)), "4.4 h");
  EXPECT_EQ(text::time_range(wide, 4.37 * hour), "3.8 to 7.8 h");
  const Interval narrow{0.2681, 0.2683, 20};
  EXPECT_EQ(text::time_figure(0.26824, text::known_of(narrow, 0.26824)), "268.2 ms");
  EXPECT_EQ(text::time_figure(0.26824, std::nullopt), "268 ms");
}

/// The rule as it is documented, over many sizes of figures and intervals.
TEST(Figures, HaveALastDigitOfATenthOfTheHalfInterval) {
  for (double value = 1.23e-7; value < 1e9; value *= 3.7) {
    for (double known = 1e-6; known < 3.0; known *= 1.9) {
      const int digits = text::supported_digits(value, known);
      const double unit = std::pow(10.0, std::floor(std::log10(value)) - digits + 1);
      EXPECT_GE(digits, 2);
      EXPECT_LE(digits, 4);
      if (digits > 2) {
        EXPECT_GE(unit, known * value / 10.0 * (1 - 1e-9)) << value << ' ' << known;
      }
      if (digits < 4) {
        EXPECT_LT(unit / 10.0, known * value / 10.0) << value << ' ' << known;
      }
      EXPECT_NEAR(std::stod(text::rounded(value, digits)), value, unit * 0.5001) << value;
    }
  }
}

TEST(Figures, AreWrittenWithoutExponents) {
  EXPECT_EQ(text::rounded(1909.2, 2), "1900");
  EXPECT_EQ(text::rounded(72'720'000.0, 3), "72700000");
  EXPECT_EQ(text::rounded(0.004213, 2), "0.0042");
  EXPECT_EQ(text::rounded(9.97, 2), "10");
  EXPECT_EQ(text::rounded(0.0, 3), "0");
}

TEST(Figures, HaveTheUnitThatPeopleWouldTake) {
  EXPECT_EQ(text::time_figure(0.0, std::nullopt), "0 s");
  EXPECT_EQ(text::time_figure(3e-10, std::nullopt), "0.300 ns");
  EXPECT_EQ(text::time_figure(90.0, std::nullopt), "1.50 min");
  EXPECT_EQ(text::time_figure(50 * 3600.0, std::nullopt), "50.0 h");
  EXPECT_EQ(text::time_figure(4 * 86400.0, std::nullopt), "4.00 d");
}

TEST(Figures, SharesAreWholePercents) {
  EXPECT_EQ(text::whole_percent(0.784), "78 %");
  EXPECT_EQ(text::whole_percent(0.004), "<1 %");
  EXPECT_EQ(text::whole_percent(0.0), "0 %");
}

TEST(Figures, GapsInsideOfTheNoiseAreTheSame) {
  using scenario::Statement;
  const auto figure = [](double more, Statement statement) {
    return text::gap_figure({.more = more, .low = more, .high = more, .statement = statement});
  };
  EXPECT_EQ(figure(0.12, Statement::kSlower), "+12 %");
  EXPECT_EQ(figure(0.12, Statement::kUndecided), "+12 %");
  EXPECT_EQ(figure(0.04, Statement::kNoDifference), "same");
  EXPECT_EQ(figure(1.52, Statement::kSlower), "2.5 x");
  EXPECT_EQ(figure(0.006, Statement::kSlower), "+1 %");
}

}  // namespace
}  // namespace vgsim::cli
