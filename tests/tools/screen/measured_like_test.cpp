// Sentences on measured machines, and sentences of several lengths.

#include "tools/text/measured_like.hpp"

#include <gmock/gmock.h>

#include <string>

#include "tools/text/screen_lines.hpp"

namespace vgsim::text {
namespace measured_like_test {

TEST(MeasuredLikeWords, SayHowManyMachinesHaveTheSameGpus) {
  EXPECT_EQ(measured_like_words({"collectives over TCP", 3, "hopper", 1}),
            "collectives over TCP: 3 measured machines, 1 of them with Hopper GPUs");
  EXPECT_EQ(measured_like_words({"collectives over TCP", 3, "blackwell", 0}),
            "collectives over TCP: 3 measured machines, none of them with Blackwell GPUs");
  EXPECT_EQ(measured_like_words({"collectives over GPUDirect-TCPX", 6, "hopper", 6}),
            "collectives over GPUDirect-TCPX: 6 measured machines, all of them with Hopper GPUs");
  EXPECT_EQ(measured_like_words({"data-parallel jobs", 1, "", 0}),
            "data-parallel jobs: 1 measured machine");
}

TEST(MeasuredLikeWords, AreOnTheScreenWhereNoMachineIsAlike) {
  scenario::LayoutResult layout;
  layout.measured_like = {{"data-parallel jobs", 40, "hopper", 10}};
  ScreenLines known(TerminalSize{});
  add_unlike_measured(layout, 2, known);
  EXPECT_EQ(known.size(), 0U);
  layout.measured_like.push_back({"collectives over TCP", 3, "hopper", 0});
  ScreenLines unknown(TerminalSize{});
  add_unlike_measured(layout, 2, unknown);
  EXPECT_THAT(unknown.joined(), ::testing::HasSubstr("collectives over TCP: 3 measured machines"));
  EXPECT_THAT(unknown.joined(), ::testing::Not(::testing::HasSubstr("data-parallel")));
}

TEST(ScreenLines, TakeTheLongestSentenceThatFits) {
  const std::string longest(150, 'a');
  ScreenLines lines(TerminalSize{});
  EXPECT_EQ(lines.labelled_to_fit("label", {longest + " b", std::string("short")}, 1), 1U);
  EXPECT_THAT(lines.joined(), ::testing::HasSubstr("short"));
  ScreenLines cut(TerminalSize{});
  EXPECT_EQ(cut.labelled_to_fit("label", {std::string("first"), std::string("second")}, 1), 1U);
  EXPECT_THAT(cut.joined(), ::testing::HasSubstr("first"));
}

}  // namespace measured_like_test
}  // namespace vgsim::text
