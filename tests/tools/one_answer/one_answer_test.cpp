#include <gmock/gmock.h>

#include <cmath>
#include <set>

#include "models/scenario/answer/bottleneck.hpp"
#include "models/scenario/answer/figures.hpp"
#include "tests/tools/one_answer/outputs.hpp"

/// Every figure that more than one command shows is the same in all of them: value, unit, digits
/// and words.
namespace vgsim::one_answer {
namespace one_answer_test {

using nlohmann::json;
using scenario::Metric;
using scenario::MetricUnit;
using ::testing::HasSubstr;
using ::testing::StartsWith;

const std::vector<Case>& cases() {
  static const std::vector<Case> all{
      {"data-parallel", "questions/q05-nic-upgrade.json", {"25 Gbit/s", "100 Gbit/s"}, ""},
      {"sharded", "training/t5-3b-zero-stages.json", {"ZeRO-3", "pipeline 4, ZeRO-1"}, ""},
      {"tensor parallel", "training/nemotron-4-15b-tensor.json", {}, ""},
      {"bare collective", "questions/q24-nvls-sharp-all-reduce.json", {}, ""},
      {"shares of a GPU", "questions/q16-training-on-fractions.json", {}, ""},
      {"MIG", "questions/q13-mig-or-time-sliced.json", {}, ""},
      {"a layout that does not fit", "training/llama-3-8b-fsdp.json", {}, ""},
      {"bound by input", "training/unet-3d-storage.json", {}, ""},
      {"one GPU", "xe8545-4xa100.json", {}, "--set '/job/ranks=[\"train01/gpu0\"]'"},
      {"parameter server", "training/vgg-16-parameter-server-or-ring.json", {}, ""},
      {"with costs", "questions/q29-cost-per-epoch.json", {}, ""},
  };
  return all;
}

class OneAnswer : public ::testing::TestWithParam<std::size_t> {
 protected:
  void SetUp() override {
    case_ = cases()[GetParam()];
    if (case_.layouts.empty()) case_.layouts = first_layouts(case_.file);
    outputs_ = outputs_of(case_);
    screen_ = Rows::of_text(outputs_.screen);
    full_ = Rows::of_text(outputs_.full);
    report_ = Rows::of_markdown(outputs_.report);
    compared_ = Rows::of_text(outputs_.compared_all);
  }

  static std::vector<std::string> first_layouts(const std::string& file) {
    const auto scenario = nlohmann::ordered_json::parse(
        test::read_file(std::string(VGSIM_SOURCE_DIR) + "/configs/scenarios/" + file));
    if (!scenario.contains("layouts")) return {scenario["name"]};
    std::vector<std::string> names;
    for (const auto& [name, patch] : scenario["layouts"].items()) {
      if (names.size() < 2) names.push_back(name);
    }
    return names;
  }

  [[nodiscard]] const nlohmann::ordered_json& layout(std::size_t l) const {
    return outputs_.result["layouts"][case_.layouts[l]];
  }
  [[nodiscard]] bool ran(std::size_t l) const { return !layout(l)["refused"]; }
  [[nodiscard]] bool compares() const { return case_.layouts.size() > 1; }
  /// In `compare --full` each layout but the first has a column for its change.
  static std::size_t compared_column(std::size_t l) { return l == 0 ? 0 : 2 * l - 1; }

  /// All outputs of a figure have the same text, which is its rounded value.
  void expect_same(const Metric& metric, const std::map<std::string, std::string>& shown) {
    std::set<std::string> words;
    for (const auto& [where, text] : shown) {
      words.insert(text);
      EXPECT_TRUE(is_rounded(text, metric.value, metric.unit))
          << metric.name << " " << metric.value << " is \"" << text << "\" in " << where;
    }
    EXPECT_LE(words.size(), 1U) << metric.name << ": " << ::testing::PrintToString(shown);
  }

  void every_figure_has_one_value_one_unit_and_as_many_digits();
  void intervals_are_written_alike();
  void parts_of_an_iteration_are_the_same_shares_and_times();
  void the_bottleneck_is_one();
  void what_helps_most_is_one_change_with_one_gain();
  void the_verdict_is_one_sentence();
  void collectives_have_one_bandwidth();
  void findings_are_counted_alike();

  Case case_;
  Outputs outputs_;
  Rows screen_;
  Rows full_;
  Rows report_;
  Rows compared_;
};

/// "16 min for 1 epoch" is a time and what it is for.
std::string before_for(const std::string& text) { return text.substr(0, text.find(" for ")); }

/// Reports group thousands.
std::string ungrouped(std::string text) {
  std::erase(text, ',');
  return text;
}

/// A text of a page without Markdown, HTML and typesetting.
std::string plain(const std::string& page) {
  static const std::vector<std::pair<std::string, std::string>> marks{
      {"\u00A0", " "}, {"\u2192", "->"}, {"\u2194", "<->"}, {"&lt;", "<"},
      {"&gt;", ">"},   {"&quot;", "\""}, {"&#39;", "'"},    {"&amp;", "&"}};
  std::string text;
  for (std::size_t i = 0; i < page.size(); ++i) {
    if (page[i] == '\\' && i + 1 < page.size()) ++i;
    text += page[i];
  }
  for (const auto& [mark, meant] : marks) {
    for (std::size_t at = text.find(mark); at != std::string::npos; at = text.find(mark, at + 1)) {
      text.replace(at, mark.size(), meant);
    }
  }
  return text;
}

void OneAnswer::every_figure_has_one_value_one_unit_and_as_many_digits() {
  std::size_t found = 0;
  for (std::size_t l = 0; l < case_.layouts.size(); ++l) {
    for (const Metric& metric : scenario::metrics_of(layout(l))) {
      std::map<std::string, std::string> shown;
      const auto note = [&](const char* where, const std::optional<std::string>& text) {
        if (text && *text != "-") shown[where] = before_for(ungrouped(*text));
      };
      const auto label = [&](const Rows& rows) { return rows.label_of(metric.label); };
      note("--full", full_.cell(label(full_), l));
      // On the screen parts of an iteration are shares of it; in the report they are in
      // the breakdown.
      if (!metric.figure->of_iteration) {
        note("run", screen_.cell(label(screen_), l));
        note("report", report_.cell(label(report_), l));
      }
      if (compares()) note("compare", compared_.cell(metric.label, compared_column(l)));
      const json& studio = outputs_.studio.at(case_.layouts[l]);
      if (metric.name == "iteration_time_s") {
        note("studio", studio["answer"]["now"]["iteration"].get<std::string>());
      } else if (metric.name == "training_time_s") {
        note("studio", studio["answer"]["now"]["training"].get<std::string>());
      }
      for (auto& [where, text] : shown) {
        if (metric.unit == MetricUnit::kMoney) text = text.substr(0, text.find(' '));
        text = text.substr(0, text.find(" ("));    // as a share of the iteration
        text = text.substr(0, text.find(" of "));  // of the memory size
      }
      if (metric.name.find('@') == std::string::npos) expect_same(metric, shown);
      const auto& sheet = outputs_.sheet.at(case_.layouts[l]);
      ASSERT_TRUE(sheet.contains(metric.name)) << metric.name;
      EXPECT_DOUBLE_EQ(sheet.at(metric.name), metric.value) << metric.name;
      if (metric.low) {
        EXPECT_DOUBLE_EQ(sheet.at(metric.name + "_low"), *metric.low);
        EXPECT_DOUBLE_EQ(sheet.at(metric.name + "_high"), *metric.high);
      }
      found += shown.size();
    }
  }
  EXPECT_GT(found, 5U);
}

void OneAnswer::intervals_are_written_alike() {
  for (std::size_t l = 0; l < case_.layouts.size(); ++l) {
    if (!ran(l) || !layout(l).contains("interval")) continue;
    // The report repeats the training in its summary, and a wide table is printed in parts.
    const std::string of_iteration =
        outputs_.studio.at(case_.layouts[l])["answer"]["now"]["interval"];
    const auto of_training = report_.cell("90 % interval", l, 1);
    ASSERT_TRUE(of_training) << outputs_.report;
    EXPECT_EQ(screen_.cell("  90 % interval", l).value_or(*of_training), of_training);
    for (const std::string& text : {of_iteration, *of_training}) {
      EXPECT_TRUE(full_.has("  90 % interval", text)) << text;
      EXPECT_TRUE(report_.has("90 % interval", text)) << text;
    }
    if (compares()) {
      EXPECT_EQ(compared_.cell("  90 % interval", compared_column(l), 1), of_iteration);
      EXPECT_EQ(compared_.cell("  90 % interval", compared_column(l), 0), of_training);
    }
  }
}

void OneAnswer::parts_of_an_iteration_are_the_same_shares_and_times() {
  const std::map<std::string, std::string> parts{{"compute", "compute"},
                                                 {"exposed_communication", "exposed communication"},
                                                 {"data_wait", "waiting for data"},
                                                 {"pipeline_wait", "pipeline bubble"}};
  for (std::size_t l = 0; l < case_.layouts.size(); ++l) {
    if (!ran(l) || !layout(l).contains("breakdown_s")) continue;
    const double whole = layout(l)["iteration_time_s"];
    for (const auto& [key, label] : parts) {
      const double time = layout(l)["breakdown_s"][key];
      if (time <= 0 || time / whole < 0.01) continue;
      const std::string cell = full_.cell(label, l).value_or("");
      const std::size_t bracket = cell.find(" (");
      ASSERT_NE(bracket, std::string::npos) << label << ": " << cell;
      const std::string share = cell.substr(bracket + 2, cell.size() - bracket - 3);
      EXPECT_TRUE(is_rounded(cell.substr(0, bracket), time, MetricUnit::kSeconds)) << cell;
      EXPECT_TRUE(is_rounded(share, time / whole, MetricUnit::kShare)) << cell;
      EXPECT_EQ(screen_.cell(label, l).value_or(share), share) << label;
      EXPECT_TRUE(report_.has(label, cell)) << label << ": " << cell;
      if (compares()) {
        EXPECT_EQ(compared_.cell(label, compared_column(l)).value_or("-"), cell.substr(0, bracket))
            << label;
      }
    }
  }
}

void OneAnswer::the_bottleneck_is_one() {
  for (std::size_t l = 0; l < case_.layouts.size(); ++l) {
    if (!ran(l)) continue;
    const auto limit = scenario::saved_limit(layout(l));
    const std::string& name = case_.layouts[l];
    const json& explained = outputs_.explained["layouts"][name];
    const json& now = outputs_.studio.at(name)["answer"]["now"];
    EXPECT_EQ(explained["bottleneck"], json(layout(l)["bottleneck"]));
    EXPECT_EQ(now["bottleneck"], json(layout(l)["bottleneck"]));
    EXPECT_EQ(now["bottleneck_text"], explained["bottleneck_text"]);
    EXPECT_THAT(plain(outputs_.report), HasSubstr(now["bottleneck_text"].get<std::string>()));
    std::set<std::string> words;
    if (const auto cell = screen_.cell("bottleneck", l); cell && layout(l).contains("epochs")) {
      if (cell->find("  ") == std::string::npos && cell->find("for") == std::string::npos) {
        words.insert(*cell);
      }
    }
    if (compares()) words.insert(compared_.cell("bottleneck", compared_column(l)).value_or(""));
    for (const std::string& each : words) {
      if (!each.starts_with(limit.what)) continue;  // the sentence, if a table has no such row
      const std::string share = each.substr(std::min(each.size(), limit.what.size() + 1));
      if (!share.empty() && share != "<1 %") {
        EXPECT_TRUE(is_rounded(share, limit.share, MetricUnit::kShare)) << each;
      }
    }
    if (compares()) {
      EXPECT_THAT(*words.rbegin(), StartsWith(limit.what));
    }
  }
}

void OneAnswer::what_helps_most_is_one_change_with_one_gain() {
  const std::string of_run = paragraph_of(outputs_.screen, "best change");
  if (of_run.empty() || of_run.find("vgsim explain") != std::string::npos) return;
  const std::string sentence = of_run.substr(0, of_run.find("; needs "));
  const std::string shown = sentence.substr(0, sentence.find("…"));
  EXPECT_THAT(paragraph_of(outputs_.full, "best change"), StartsWith(shown));
  EXPECT_THAT(paragraph_of(outputs_.explanation, "best change"), StartsWith(shown));
  const bool helps = !sentence.starts_with("no gain of ");
  if (!helps) return;
  EXPECT_THAT(plain(outputs_.report), HasSubstr("Best change: " + shown));
  std::size_t same = 0;
  std::size_t later = 0;  // of a job that takes long to vary the studio tries changes when asked to
  for (const auto& [name, state] : outputs_.studio) {
    later += state["helps_later"].get<bool>() ? 1U : 0U;
    if (!state["helps"].is_object() || !state["helps"]["best"].is_string()) continue;
    same += state["helps"]["best"].get<std::string>().starts_with(shown) ? 1U : 0U;
    EXPECT_FALSE(state["helps"]["changes"][0]["changes_training"]);
  }
  EXPECT_GE(same + later, 1U) << shown;
}

void OneAnswer::the_verdict_is_one_sentence() {
  const std::string verdict = paragraph_of(outputs_.screen, "");
  ASSERT_FALSE(verdict.empty());
  EXPECT_EQ(paragraph_of(outputs_.full, ""), verdict);
  const std::string begin = verdict.substr(0, verdict.find("…"));
  EXPECT_THAT(plain(outputs_.report), HasSubstr(begin));
  EXPECT_THAT(paragraph_of(outputs_.explanation, ""), StartsWith(begin));
  if (!compares()) {
    const std::string of_studio = outputs_.studio.begin()->second["answer"]["verdict"][0];
    EXPECT_THAT(plain(of_studio), StartsWith(begin));
    return;
  }
  const bool both = ran(0) && ran(1);
  if (!both) return;
  const std::string compared = paragraph_of(outputs_.compared, "");
  EXPECT_THAT(begin, StartsWith(compared));
  EXPECT_EQ(outputs_.compared_saved, outputs_.compared)
      << "saved results are compared as scenarios are";
}

void OneAnswer::collectives_have_one_bandwidth() {
  for (std::size_t l = 0; l < case_.layouts.size(); ++l) {
    if (!ran(l) || !layout(l).contains("points")) continue;
    for (const Metric& metric : scenario::metrics_of(layout(l))) {
      if (!metric.name.starts_with("busbw") || !compares()) continue;
      const auto compared = compared_.cell(metric.label, compared_column(l));
      if (!compared) continue;
      EXPECT_TRUE(is_rounded(*compared, metric.value, MetricUnit::kGBps)) << *compared;
      const auto of_report = report_.cell(metric.label, l);
      EXPECT_EQ(of_report.value_or(*compared), *compared) << metric.label;
      const auto of_screen = screen_.cell(metric.name.substr(metric.name.find('@') + 1), l);
      if (of_screen && of_screen->ends_with("GB/s")) {
        EXPECT_EQ(*of_screen, *compared);
      }
    }
  }
}

void OneAnswer::findings_are_counted_alike() {
  std::set<std::string> warnings;
  std::size_t refused = 0;
  for (std::size_t l = 0; l < case_.layouts.size(); ++l) {
    refused += ran(l) ? 0U : 1U;
    for (const auto& warning : layout(l)["warnings"]) {
      const bool lost = warning["rule"].get<std::string>().starts_with("loses-");
      if (warning["verdict"] == "warning" && !lost) warnings.insert(warning["text"]);
    }
  }
  const std::string count = std::to_string(warnings.size());
  std::string screen = outputs_.screen;
  std::replace(screen.begin(), screen.end(), '\n', ' ');
  EXPECT_THAT(screen, HasSubstr(" " + count + (count == "1" ? " warning" : " warnings")));
  for (const auto& [command, code] : outputs_.exit_codes) {
    EXPECT_EQ(code, refused > 0 ? 1 : 0) << command << " exits otherwise than the others";
  }
}

TEST_P(OneAnswer, IsGivenByAllCommandsAndTheStudio) {
  every_figure_has_one_value_one_unit_and_as_many_digits();
  intervals_are_written_alike();
  parts_of_an_iteration_are_the_same_shares_and_times();
  the_bottleneck_is_one();
  what_helps_most_is_one_change_with_one_gain();
  the_verdict_is_one_sentence();
  collectives_have_one_bandwidth();
  findings_are_counted_alike();
}

INSTANTIATE_TEST_SUITE_P(Shipped, OneAnswer, ::testing::Range(std::size_t{0}, cases().size()),
                         [](const auto& each) {
                           std::string name = cases()[each.param].about;
                           std::erase_if(name, [](char c) { return !std::isalnum(c); });
                           return name;
                         });

}  // namespace one_answer_test
}  // namespace vgsim::one_answer
