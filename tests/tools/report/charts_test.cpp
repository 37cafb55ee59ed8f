#include <gmock/gmock.h>

#include "tests/tools/report/svg_document.hpp"
#include "tools/report/charts/curves.hpp"
#include "tools/report/charts/roofline.hpp"
#include "tools/report/charts/stacked_bars.hpp"
#include "tools/report/charts/timeline.hpp"
#include "tools/report/charts/tornado.hpp"
#include "tools/report/svg.hpp"

namespace vgsim::report {
namespace charts_test {

using test::number;
using test::SvgDocument;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;

TEST(Svg, NamesWithMarksStayText) {
  Svg svg(100);
  const std::string name = "<b>&\"'</svg>";
  svg.rect(0, 0, 10, 10, {"compute", name});
  svg.text({1, 2}, name, {"name"});
  const SvgDocument document(svg.finish(50, "wide", name, name));
  EXPECT_EQ(std::string(document.root().child("title").child_value()), name);
  EXPECT_EQ(std::string(document.root().child("rect").child("title").child_value()), name);
  EXPECT_THAT(document.texts(), Contains(name));
  EXPECT_STREQ(document.root().attribute("viewBox").value(), "0 0 100 50");
}

StackedBars two_bars() {
  StackedBars chart;
  chart.unit = {"ms", 1e-3};
  chart.bars.push_back(
      {"a", {{"compute", 0.1, "", ""}, {"communication", 0.3, "", ""}}, "400 ms", {}, {}, {}});
  chart.bars.push_back({"b", {{"compute", 0.2, "", ""}}, "200 ms", 0.1, 0.3, {}});
  return chart;
}

TEST(StackedBars, AreAsLongAsTheirValues) {
  for (const Frame& frame : {kWide, kNarrow}) {
    const SvgDocument document(stacked_bars(two_bars(), frame));
    const auto compute = document.all("rect", "compute");
    const auto communication = document.all("rect", "communication");
    ASSERT_EQ(compute.size(), 2U);
    ASSERT_EQ(communication.size(), 1U);
    EXPECT_NEAR(number(communication[0], "width") / number(compute[0], "width"), 3, 0.01);
    EXPECT_NEAR(number(compute[1], "width") / number(compute[0], "width"), 2, 0.01);
    EXPECT_NEAR(number(compute[0], "x") + number(compute[0], "width"),
                number(communication[0], "x"), 0.11)
        << "parts join";
  }
}

TEST(StackedBars, ShowTheIntervalWhereItIs) {
  const SvgDocument document(stacked_bars(two_bars(), kWide));
  const auto bar = document.all("rect", "compute")[1];
  const double per_second = number(bar, "width") / 0.2;
  const auto line = document.all("line", "mark").front();
  EXPECT_NEAR(number(line, "x1"), number(bar, "x") + 0.1 * per_second, 0.2);
  EXPECT_NEAR(number(line, "x2"), number(bar, "x") + 0.3 * per_second, 0.2);
}

TEST(Timeline, SpansLieWhereTheyHappenAndSideBySideOnesOneBelowTheOther) {
  Timeline chart;
  chart.length = 0.1;
  chart.lanes.push_back({"lane",
                         "",
                         {{0, 0.05, "compute", "", "a"},
                          {0.05, 0.1, "compute-2", "", "b"},
                          {0.06, 0.08, "communication", "", "c"}}});
  const SvgDocument document(timeline(chart, kWide));
  const auto first = document.all("rect", "compute").front();
  const auto second = document.all("rect", "compute-2").front();
  const auto beside = document.all("rect", "communication").front();
  EXPECT_NEAR(number(first, "x") + number(first, "width"), number(second, "x"), 1);
  EXPECT_NEAR(number(beside, "width") / number(first, "width"), 0.4, 0.01);
  EXPECT_EQ(number(first, "y"), number(second, "y"));
  EXPECT_GT(number(beside, "y"), number(second, "y") + number(second, "height"));
}

TEST(Timeline, SpansWithoutWordsShareAShape) {
  Timeline chart;
  chart.length = 1;
  chart.lanes.push_back({"lane", "", {}});
  for (int i = 0; i < 100; ++i) {
    chart.lanes[0].spans.push_back(
        {i / 100.0, (i + 1) / 100.0, i % 2 == 0 ? "compute" : "waiting", "", ""});
  }
  const SvgDocument document(timeline(chart, kNarrow));
  EXPECT_EQ(document.all("path").size(), 2U);
  EXPECT_TRUE(document.all("rect").empty());
}

TEST(Tornado, BarsBeginAtTheBaseAndEndAtTheirTimes) {
  const TornadoChart chart{0.2, {{"rate", "1", "2", 0.3, 0.15}}, "", ""};
  const SvgDocument document(tornado_chart(chart, kWide));
  const auto low = document.all("rect", "at-low").front();
  const auto high = document.all("rect", "at-high").front();
  const double base = number(low, "x");
  EXPECT_NEAR(number(high, "x") + number(high, "width"), base, 0.11) << "the other side";
  EXPECT_NEAR(number(low, "width") / number(high, "width"), 2, 0.02);
  EXPECT_EQ(number(document.all("line", "mark").front(), "x1"), base);
}

TEST(Curves, PointsGrowUpwardsAndRatiosAreEqualSteps) {
  Curves chart;
  chart.curves.push_back(
      {"a", {{1, 10, {}, {}, "", ""}, {10, 20, {}, {}, "", ""}, {100, 30, {}, {}, "", ""}}});
  chart.x_values = {1, 10, 100};
  chart.x_labels = {"1", "10", "100"};
  chart.y_unit = {"GB/s", 1};
  const SvgDocument document(curves(chart, kNarrow));
  const auto dots = document.all("circle");
  ASSERT_EQ(dots.size(), 3U);
  EXPECT_NEAR(number(dots[1], "cx") - number(dots[0], "cx"),
              number(dots[2], "cx") - number(dots[1], "cx"), 0.2);
  EXPECT_GT(number(dots[0], "cy"), number(dots[1], "cy"));
  EXPECT_NEAR(number(dots[0], "cy") - number(dots[1], "cy"),
              number(dots[1], "cy") - number(dots[2], "cy"), 0.2);
}

TEST(Curves, DifferInColourAndDashes) {
  EXPECT_NE(curve_look(0), curve_look(1));
  Curves chart;
  for (int i = 0; i < 8; ++i) {
    chart.curves.push_back({"curve " + std::to_string(i),
                            {{1, 10.0 + i, {}, {}, "", ""}, {2, 10.0 + i, {}, {}, "", ""}}});
  }
  chart.x_values = {1, 2};
  chart.x_labels = {"1", "2"};
  chart.y_unit = {"GB/s", 1};
  const SvgDocument document(curves(chart, kWide));
  EXPECT_EQ(document.all("polyline", "dash0").size(), 6U);
  EXPECT_EQ(document.all("polyline", "dash1").size(), 2U);
  EXPECT_THAT(document.texts(), Contains("curve 7"));
}

TEST(RooflineChart, MarksThatWouldHideEachOtherAreOne) {
  const RooflineChart chart{
      100e12, 1e12, {{"x", 200, 50e12}, {"y", 200.1, 50e12}, {"z", 10, 5e12}}, "", ""};
  const SvgDocument document(roofline_chart(chart, kWide));
  EXPECT_EQ(document.all("circle").size(), 2U);
  EXPECT_THAT(document.texts(), Contains("1, 2"));
  EXPECT_THAT(document.texts(), Contains("3"));
  EXPECT_THAT(document.texts(), Contains(HasSubstr("peak 100 TFLOP/s")));
}

TEST(RooflineChart, TheCornerLiesAtPeakOverBandwidth) {
  // 100 TFLOP/s over 1 TB/s: 100 operations a byte; with a mark there, it lies on the corner.
  const RooflineChart chart{100e12, 1e12, {{"corner", 100, 100e12}}, "", ""};
  const SvgDocument document(roofline_chart(chart, kWide));
  const auto dot = document.all("circle").front();
  const std::string roof = document.all("polyline", "mark").front().attribute("points").value();
  std::istringstream points(roof);
  std::string begin, corner;
  points >> begin >> corner;
  EXPECT_NEAR(std::stod(corner), number(dot, "cx"), 0.2);
  EXPECT_NEAR(std::stod(corner.substr(corner.find(',') + 1)), number(dot, "cy"), 0.2);
}

}  // namespace charts_test
}  // namespace vgsim::report
