#include "tools/studio/serve/page_with.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <stdexcept>

#include "topology/input/json_reader.hpp"

namespace vgsim::studio {
namespace {

constexpr const char* kPage =
    R"(<body><script type="application/json" id="scenario"></script><p>rest</p></body>)";

Opening opening_named(const std::string& name) {
  const nlohmann::json json{{"name", name}, {"hosts", nlohmann::json::object()}};
  const auto value = input::read_json(input::make_source("mine.json", json.dump()));
  return {name, scenario::Document(*value), {}};
}

std::string between(const std::string& text, const std::string& begin, const std::string& end) {
  const std::size_t from = text.find(begin) + begin.size();
  return text.substr(from, text.find(end, from) - from);
}

TEST(StudioPage, HoldsAScenario) {
  const std::string page = page_with(kPage, opening_named("mine"));
  EXPECT_NE(page.find("data-name=\"mine\""), page.npos);
  const auto held = nlohmann::json::parse(between(page, "data-name=\"mine\">", "</script>"));
  EXPECT_EQ(held["name"], "mine");
  EXPECT_NE(page.find("<p>rest</p>"), page.npos);
}

TEST(StudioPage, NamesCannotEndItsElement) {
  const std::string name = "</script><script>alert(1)</script>\"><!--";
  const std::string page = page_with(kPage, opening_named(name));
  EXPECT_EQ(page.find("<script>"), page.npos);
  EXPECT_EQ(page.find("<!--"), page.npos);
  const auto held = nlohmann::json::parse(between(page, "--\">", "</script>").substr(0));
  EXPECT_EQ(held["name"], name);
}

TEST(StudioPage, BringsWhatAReportNeedsToOpenIt) {
  const std::string in_report =
      R"(<script type="text/plain" id="in-report" data-policy="script-src 'x'">open()</script>)";
  const report::Simulator simulator = simulator_with(in_report + kPage, opening_named("mine"));
  EXPECT_EQ(simulator.policy, "script-src 'x'");
  EXPECT_EQ(simulator.script, "open()");
  EXPECT_NE(simulator.page.find("data-name=\"mine\""), std::string::npos);
  EXPECT_THROW(static_cast<void>(simulator_with(kPage, opening_named("mine"))),
               std::invalid_argument);
}

TEST(StudioPage, IsNotJustAnyPage) {
  EXPECT_THROW(static_cast<void>(page_with("<p></p>", opening_named("mine"))),
               std::invalid_argument);
}

}  // namespace
}  // namespace vgsim::studio
