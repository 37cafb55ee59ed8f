#include <gmock/gmock.h>

#include <nlohmann/json.hpp>
#include <regex>
#include <set>

#include "tests/support/scenarios.hpp"
#include "tools/report/html.hpp"
#include "tools/report/markdown.hpp"
#include "tools/report/report.hpp"
#include "topology/input/json_reader.hpp"

namespace vgsim::report {
namespace page_test {

using nlohmann::json;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

const std::string kHostile = "</script><b>&\"'|name";

Report report_of(const json& scenario) {
  const auto document = *input::read_json(input::make_source("s.json", scenario.dump()));
  scenario::RunSettings settings;
  settings.record = true;
  Report report;
  report.result =
      *scenario::run_scenario(document, test::library(), cli::loader_relative_to("x"), settings);
  report.studies = scenario::run_studies(document, report.result, test::library(),
                                         cli::loader_relative_to("x"), {});
  report.manifest.version = "1.2.3";
  report.manifest.scenario_file = "s.json";
  report.manifest.document = document;
  report.command = "vgsim report s.json -o r.html";
  return report;
}

json two_hosts() {
  return json::parse(R"({
    "name": "two hosts",
    "hosts": {"esx[01-02]": {"server": "dell-r750xa", "gpus": "4 x a100-pcie-80gb",
                             "nvlink_bridges": [[0, 1], [2, 3]],
                             "nics": {"vmnic4": {"nic": "connectx-6-dx-100g", "near": "gpu0"}}}},
    "job": {"network": "bert-large", "batch_per_gpu": 8, "iterations_per_epoch": 100}})");
}

const Section* find(const Page& page, const std::string& id) {
  for (const Section& section : page.sections) {
    if (section.id == id) return &section;
  }
  return nullptr;
}

std::vector<std::string> ids(const Page& page) {
  std::vector<std::string> result;
  for (const Section& section : page.sections) result.push_back(section.id);
  return result;
}

TEST(Page, BeginsWithTheVerdictAndEndsWithTheCommand) {
  const Page page = page_of(report_of(two_hosts()));
  EXPECT_EQ(page.title, "two hosts");
  EXPECT_EQ(page.subject, "8 GPUs in 2 bare-metal hosts");
  ASSERT_GE(page.verdict.size(), 2U);
  EXPECT_THAT(page.verdict[0], HasSubstr(" for 1 epoch"));
  EXPECT_THAT(page.verdict[1], HasSubstr("Bottleneck of"));
  EXPECT_THAT(ids(page), ::testing::ElementsAre("summary", "breakdown", "machines", "decisive",
                                                "layouts", "limits", "exchanges", "cores",
                                                "iteration", "bandwidth", "roofline", "sensitivity",
                                                "scaling", "memory", "inputs", "reproduction"));
  EXPECT_THAT(to_html(page), HasSubstr("vgsim report s.json -o r.html"));
}

std::size_t sections_on_the_first_sheet(const Page& page) {
  const auto first_of_appendix =
      std::find_if(page.sections.begin(), page.sections.end(),
                   [](const Section& section) { return !section.on_first_sheet; });
  return static_cast<std::size_t>(first_of_appendix - page.sections.begin());
}

TEST(Page, TheFirstSheetHasOnlyPicturesThatStayLegible) {
  EXPECT_EQ(sections_on_the_first_sheet(page_of(report_of(two_hosts()))), 4U);
  json scenario = two_hosts();
  for (int n = 1; n <= 6; ++n) {
    scenario["layouts"]["batch of " + std::to_string(n)] = {{"job", {{"batch_per_gpu", n}}}};
  }
  const Page page = page_of(report_of(scenario));
  EXPECT_EQ(sections_on_the_first_sheet(page), 3U);  // without the hosts
  EXPECT_NE(find(page, "machines"), nullptr);
}

/// The totals beside the bars of a drawing in seconds, the upper first.
std::vector<double> bar_totals(const std::string& svg) {
  std::vector<double> totals;
  const std::regex total("class=\"name value\"[^>]*>([\\d.]+) ([mu]?)s<");
  for (std::sregex_iterator at(svg.begin(), svg.end(), total), end; at != end; ++at) {
    totals.push_back(std::stod((*at)[1]) * ((*at)[2] == "m" ? 1e-3 : (*at)[2] == "u" ? 1e-6 : 1.0));
  }
  return totals;
}

TEST(Page, TheFastestLayoutHasTheShortestBarWhereIterationsDiffer) {
  json scenario = two_hosts();
  scenario["layouts"] = {{"small", {{"job", {{"batch_per_gpu", 1}}}}},
                         {"large", {{"job", {{"batch_per_gpu", 32}}}}}};
  const Page page = page_of(report_of(scenario));
  const auto& figure = std::get<Figure>(find(page, "breakdown")->blocks.front());
  const auto totals = bar_totals(figure.wide);
  ASSERT_EQ(totals.size(), 2U);
  EXPECT_LT(totals[0], totals[1]);
  EXPECT_LT(figure.wide.find(">large<"), figure.wide.find(">small<"));
  EXPECT_THAT(figure.caption, HasSubstr("The time of a sample"));
}

TEST(Page, SourcesAreListedOnce) {
  const std::string markdown = to_markdown(page_of(report_of(two_hosts())));
  const std::string source = "Fit of vgsim\\_fit\\_kernels over";
  const std::size_t first = markdown.find(source);
  ASSERT_NE(first, std::string::npos);
  EXPECT_EQ(markdown.find(source, first + 1), std::string::npos);
}

TEST(Page, NamesThatLookLikeMarkupStayNames) {
  json scenario = two_hosts();
  scenario["name"] = kHostile;
  scenario["layouts"] = {{kHostile, json::object()},
                         {"other " + kHostile, {{"job", {{"batch_per_gpu", 16}}}}}};
  const Page page = page_of(report_of(scenario));
  const std::string html = to_html(page);
  EXPECT_THAT(html, Not(HasSubstr("</script><b>")));
  EXPECT_THAT(html, HasSubstr("&lt;/script&gt;&lt;b&gt;&amp;&quot;&#39;|name"));
  const std::string begin = "<script type=\"application/json\" id=\"scenario\">";
  const std::size_t at = html.find(begin) + begin.size();
  const auto block = json::parse(html.substr(at, html.find("</script>", at) - at));
  EXPECT_EQ(block, scenario);
  const std::string markdown = to_markdown(page);
  EXPECT_THAT(markdown, Not(HasSubstr("<b>&\"'|name |")));
}

TEST(Page, LoadsNothingAndRunsNothing) {
  const std::string html = to_html(page_of(report_of(two_hosts())));
  // Addresses are only in texts: no element loads or links anything outside the page.
  const std::regex fetches(R"re(<[^>]*\b(?:src|href|action|data)="(?!#|data:,)[^"]*")re");
  EXPECT_FALSE(std::regex_search(html, fetches));
  EXPECT_THAT(html, Not(HasSubstr("url(")));
  EXPECT_THAT(html, Not(HasSubstr("@import")));
  EXPECT_THAT(html, Not(HasSubstr(" onload=")));
  EXPECT_THAT(html, HasSubstr("default-src 'none'"));
}

TEST(Page, IsTheSameTwice) {
  EXPECT_EQ(to_html(page_of(report_of(two_hosts()))), to_html(page_of(report_of(two_hosts()))));
}

TEST(Page, PartsOfAnIterationAddUpInItsTable) {
  const Report report = report_of(two_hosts());
  const Page page = page_of(report);
  const Section* section = find(page, "breakdown");
  ASSERT_NE(section, nullptr);
  const auto& figure = std::get<Figure>(section->blocks.front());
  double percent = 0;
  double rounded = 0;  // each part to whole percents
  std::smatch match;
  const std::set<std::string> parts{"compute", "exposed communication", "pipeline bubble",
                                    "waiting for data", "optimizer"};
  for (const auto& row : figure.data.rows) {
    if (!parts.contains(row[0])) continue;
    const std::string& cell = row[1];
    if (std::regex_search(cell, match, std::regex(R"(\(([\d.]+) %\))"))) {
      percent += std::stod(match[1]);
      rounded += 0.5;
    }
  }
  EXPECT_NEAR(percent, 100, rounded);
}

TEST(Page, ABareCollectiveIsAboutBandwidth) {
  json scenario = two_hosts();
  scenario["job"] = {{"collective", "all_reduce"}};
  const Page page = page_of(report_of(scenario));
  EXPECT_NE(find(page, "bandwidth"), nullptr);
  EXPECT_NE(find(page, "machines"), nullptr);
  EXPECT_EQ(find(page, "breakdown"), nullptr);
  EXPECT_EQ(find(page, "memory"), nullptr);
  EXPECT_EQ(find(page, "scaling"), nullptr);
}

TEST(Page, WhereEveryLayoutIsRefusedTheFindingsSayWhy) {
  json scenario = two_hosts();
  scenario["job"]["batch_per_gpu"] = 100'000;
  const Page page = page_of(report_of(scenario));
  EXPECT_EQ(page.verdict.front(), "refused: nothing was simulated.");
  ASSERT_NE(find(page, "findings"), nullptr);
  EXPECT_THAT(to_markdown(page), HasSubstr("job-does-not-fit"));
}

TEST(Page, AOneGpuJobHasNoCurveOfBandwidthOrScaling) {
  json scenario = two_hosts();
  scenario["job"]["ranks"] = {"esx01/gpu0"};
  const Page page = page_of(report_of(scenario));
  EXPECT_THAT(to_markdown(page), HasSubstr("the job has only one GPU"));
}

TEST(Page, LayoutsWithoutSignificantDifferenceAreNotRanked) {
  Report report = report_of(two_hosts());
  report.result.layouts.push_back(report.result.layouts.front());
  report.result.layouts[0].name = "a";
  report.result.layouts[1].name = "b";
  const char* const same = "no significant difference between the two layouts";
  EXPECT_THAT(page_of(report).verdict.front(), HasSubstr(same));
  report.result.layouts[1].training->training_s *= 2;
  report.result.layouts[0].drawn_s.assign(20, 1.0);
  report.result.layouts[1].drawn_s.assign(20, 2.0);
  std::fill_n(report.result.layouts[1].drawn_s.begin(), 8, 0.5);
  EXPECT_THAT(page_of(report).verdict.front(), HasSubstr("; undecided against b, -50 % to 2.0 x"));
  report.result.layouts[1].drawn_s.assign(20, 2.0);
  report.result.layouts[1].drawn_s.back() = 2.2;
  report.result.layouts[1].drawn_s.front() = 1.8;
  EXPECT_THAT(page_of(report).verdict.front(), StartsWith("a is fastest: "));
  EXPECT_THAT(page_of(report).verdict.front(), HasSubstr("next b, 2.0 x"));
}

TEST(Page, ManyRanksThatDoTheSameShareALane) {
  const Report report = report_of(two_hosts());
  const Page page = page_of(report);
  const auto& figure = std::get<Figure>(find(page, "iteration")->blocks.front());
  EXPECT_THAT(figure.wide, HasSubstr("and 7 like it"));
  EXPECT_THAT(figure.wide, HasSubstr("critical path"));
}

TEST(Page, APipelineOfManyMicroBatchesStaysSmall) {
  Report report = report_of(two_hosts());
  scenario::IterationRecord record;
  record.length = SimTime{1'000'000'000'000};
  constexpr std::int64_t kSpans = 20'000;
  const std::int64_t step = record.length.count() / kSpans;
  for (std::int64_t stage = 0; stage < 40; ++stage) {
    scenario::Lane lane{"stage " + std::to_string(stage), 8, {}};
    for (std::int64_t i = stage; i < kSpans; ++i) {
      lane.spans.push_back({SimTime{i * step}, SimTime{(i + 1) * step},
                            i % 2 == stage % 2 ? "forward" : "backward", ""});
    }
    record.lanes.push_back(lane);
    record.critical_path.push_back({SimTime{0}, SimTime{1}, "forward", "", "", ""});
  }
  report.result.layouts[0].record = record;
  const Page page = page_of(report);
  const auto& figure = std::get<Figure>(find(page, "iteration")->blocks.front());
  EXPECT_LT(figure.wide.size() + figure.narrow.size(), 150'000U);
  EXPECT_THAT(figure.wide, HasSubstr("stage 0"));
}

TEST(Markdown, HasATableForEachChart) {
  const std::string markdown = to_markdown(page_of(report_of(two_hosts())));
  for (const char* heading :
       {"| part of an iteration |", "| on the critical path |", "| message size |", "| layers |",
        "| hosts |", "| input |", "| memory of the fullest GPU |", "| where |"}) {
    EXPECT_THAT(markdown, HasSubstr(heading));
  }
  EXPECT_THAT(markdown, Not(HasSubstr("<svg")));
}

}  // namespace page_test
}  // namespace vgsim::report
