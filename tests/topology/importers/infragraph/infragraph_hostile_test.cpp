#include <fmt/format.h>
#include <gmock/gmock.h>

#include <string>
#include <vector>

#include "tests/support/growth.hpp"
#include "topology/importers/infragraph/infragraph.hpp"

namespace vgsim::topology {
namespace infragraph_hostile_test {

/// The first error, "E533"; empty if there is none.
std::string refused(const std::string& text) {
  const auto hosts = read_infragraph(input::make_source("t.yaml", text));
  if (hosts) return {};
  for (const auto& item : hosts.error().items()) {
    if (item.severity == input::Severity::error) return item.code;
  }
  return "no error";
}

std::string device(const std::string& components, const std::string& edges) {
  return fmt::format("{{name: d, components: [{}], links: [{{name: l}}], edges: [{}]}}", components,
                     edges);
}

std::string edge(const std::string& a, const std::string& b) {
  return fmt::format(
      "{{ep1: {{component: \"{}\"}}, ep2: {{component: \"{}\"}}, scheme: many2many, link: l}},", a,
      b);
}

constexpr const char* kGpu = "{name: x, count: 1, choice: xpu},";

TEST(InfragraphHostile, CountsBeyondAnyHostAreRefused) {
  EXPECT_EQ(refused(device("{name: x, count: 5000, choice: xpu}", "")), "E533");
  EXPECT_EQ(refused(device("{name: x, count: 100000, choice: xpu}", "")), "E533");
  EXPECT_EQ(refused(device("{name: x, count: -1, choice: xpu}", "")), "E534");
  EXPECT_EQ(refused(device("{name: x, count: 99999999999999999999, choice: xpu}", "")), "E534");
  EXPECT_EQ(refused(device(std::string(kGpu) + "{name: c, count: 1025, choice: cpu}", "")), "E533");
}

TEST(InfragraphHostile, EdgesOfTooManyPairsAreRefused) {
  EXPECT_EQ(refused(device("{name: x, count: 4000, choice: xpu}", edge("x", "x"))), "E533");
  std::string edges;
  for (int i = 0; i < 1000; ++i) edges += edge("x", "x[0:0]");
  EXPECT_EQ(refused(device("{name: x, count: 4000, choice: xpu}", edges)), "E533");
}

TEST(InfragraphHostile, ChainsOfBridgesEndAtThirtyTwo) {
  const auto chain = [](int bridges) {
    std::string edges = edge("c", "b[0]");
    for (int i = 1; i < bridges; ++i) {
      edges += edge(fmt::format("b[{}]", i - 1), fmt::format("b[{}]", i));
    }
    edges += edge(fmt::format("b[{}]", bridges - 1), "x");
    return device(
        std::string(kGpu) +
            fmt::format(
                "{{name: c, count: 1, choice: cpu}}, {{name: b, count: {}, choice: switch}}",
                bridges),
        edges);
  };
  EXPECT_EQ(refused(chain(31)), "");
  EXPECT_EQ(refused(chain(32)), "E533");
  EXPECT_EQ(refused(chain(4000)), "E533");
}

TEST(InfragraphHostile, ChainsWithoutACpuEndThereToo) {
  std::string edges;
  for (int i = 1; i < 4000; ++i) {
    edges += edge(fmt::format("b[{}]", i - 1), fmt::format("b[{}]", i));
  }
  EXPECT_EQ(refused(device(std::string(kGpu) + "{name: b, count: 4000, choice: switch}", edges)),
            "E533");
}

TEST(InfragraphHostile, LongChainsOfDevicesAreNotFollowed) {
  std::string text = "devices:\n";
  for (int i = 0; i < 50'000; ++i) {
    text += fmt::format("- {{name: d{}, components: [{{name: d{}, count: 2, choice: device}}]}}\n",
                        i, i + 1);
  }
  text += std::string("- {name: d50000, components: [") + kGpu + "]}\n";
  EXPECT_EQ(refused(text), "E532") << "the GPUs are in no device that is not a part";
}

TEST(InfragraphHostile, ManyKindsOfHostsAreRefused) {
  std::string text = "devices:\n";
  for (int i = 0; i < 65; ++i) text += fmt::format("- {{name: d{}, components: [{}]}}\n", i, kGpu);
  EXPECT_EQ(refused(text), "E533");
}

TEST(InfragraphHostile, DevicesThatMultiplyAreRefused) {
  std::string text = "instances: [{name: h, device: d0, count: 1}]\ndevices:\n";
  for (int i = 0; i < 6; ++i) {
    text += fmt::format(
        "- {{name: d{}, components: [{{name: d{}, count: 1000, choice: device}}]}}\n", i, i + 1);
  }
  text += std::string("- {name: d6, components: [") + kGpu + "]}\n";
  EXPECT_EQ(refused(text), "E533");
}

TEST(InfragraphHostile, NonsenseInSlicesIsAnErrorAtItsPlace) {
  const std::string text = device(kGpu, edge("x[a:b]", "x"));
  const auto hosts = read_infragraph(input::make_source("t.yaml", text));
  ASSERT_FALSE(hosts);
  const auto item = hosts.error().items().front();
  EXPECT_EQ(item.code, "E534");
  EXPECT_EQ(item.location.offset, text.find("\"x[a:b]"));
}

TEST(InfragraphHostile, NamesFromTheFileCannotReachTheTerminal) {
  const auto hosts = read_infragraph(input::make_source(
      "t.yaml", device("{name: \"x\\e[2J\", count: 1, choice: xpu}", edge("\\e[31m", "x"))));
  ASSERT_TRUE(hosts);
  std::string all = input::render(hosts->front().warnings);
  for (const auto& sentence : hosts->front().skipped) all += sentence;
  EXPECT_EQ(all.find('\x1b'), all.npos);
}

TEST(InfragraphHostile, EveryPrefixOfADocumentIsReadOrRefused) {
  const std::string text = device(std::string(kGpu) + "{name: c, count: 2, choice: cpu}",
                                  edge("c[0]", "x") + edge("c", "c"));
  for (std::size_t size = 0; size < text.size(); ++size) {
    EXPECT_NE(refused(text.substr(0, size)), "no error") << size;
  }
}

TEST(InfragraphHostile, MebibytesAreReadInLinearTime) {
  const auto text_of = [](std::size_t count) {
    std::string edges;
    for (std::size_t i = 0; i < count; ++i) edges += edge(fmt::format("c[{}]", i % 2), "x");
    return device(std::string(kGpu) + "{name: c, count: 2, choice: cpu}", edges);
  };
  EXPECT_TRUE(test::is_read_in_linear_time(
      text_of, [](const std::string& text) { EXPECT_EQ(refused(text), ""); }, 60'000));
}

}  // namespace infragraph_hostile_test
}  // namespace vgsim::topology
