#include <gmock/gmock.h>

#include <random>

#include "tests/support/growth.hpp"
#include "tests/topology/importers/import_fixture.hpp"

namespace vgsim::topology::testing {
namespace nccl_hostile_test {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

const std::string& sample() {
  static const std::string text = system_of(
      "<cpu numaid=\"0\" vendor=\"AuthenticAMD\" familyid=\"143\" modelid=\"49\">\n"
      "<pci busid=\"0000:01:00.0\" class=\"0x060400\" link_speed=\"16 GT/s\" link_width=\"16\">\n"
      "<pci busid=\"0000:02:00.0\" class=\"0x030200\" link_speed=\"16 GT/s\" link_width=\"16\">\n"
      "<gpu dev=\"0\" sm=\"80\" rank=\"0\" gdr=\"1\">"
      "<nvlink target=\"0000:03:00.0\" count=\"4\" tclass=\"0x030200\"/></gpu></pci>\n"
      "<pci busid=\"0000:03:00.0\" class=\"0x030200\" vendor=\"0x10de\" device=\"0x20b0\">\n"
      "<gpu dev=\"1\" sm=\"80\"><nvlink target=\"0000:02:00.0\" count=\"4\" tclass=\"0x030200\"/>"
      "</gpu></pci></pci>\n"
      "<nic><net name=\"mlx5_0\" dev=\"0\" speed=\"100000\" guid=\"0x1\" latency=\"0.0\"/></nic>\n"
      "</cpu>");
  return text;
}

TEST(HostileNcclXml, TheSampleItselfIsGood) {
  const Imported result = import_text(sample());
  EXPECT_TRUE(result.ok()) << render(result.diagnostics);
  EXPECT_EQ(result.host().gpus.size(), 2u);
}

TEST(HostileNcclXml, NoEntitiesAreDefined) {
  std::string text = "<?xml version=\"1.0\"?>\n<!DOCTYPE system [\n<!ENTITY a \"ha\">\n";
  for (char name = 'b'; name <= 'z'; ++name) {
    text += std::string("<!ENTITY ") + name + " \"";
    for (int i = 0; i < 10; ++i) text += std::string("&") + static_cast<char>(name - 1) + ";";
    text += "\">\n";
  }
  text += "]>\n<system version=\"1\"><cpu vendor=\"&z;\"/></system>";
  EXPECT_THAT(import_text(text).codes(), ElementsAre(HasSubstr("E503")));
}

TEST(HostileNcclXml, NoFilesAreFetched) {
  EXPECT_THAT(import_text("<!DOCTYPE system SYSTEM \"file:///etc/passwd\">\n" + sample()).codes(),
              ElementsAre(HasSubstr("E503")));
}

TEST(HostileNcclXml, NoProcessingInstructions) {
  EXPECT_THAT(import_text("<?php evil ?>\n" + sample()).codes(), ElementsAre("1:3 E503"));
}

TEST(HostileNcclXml, NestingIsBounded) {
  std::string open;
  std::string close;
  for (int i = 0; i < 10'000; ++i) {
    open += "<pci busid=\"0000:01:00.0\">";
    close += "</pci>";
  }
  const Imported deep = import_text(one_cpu(open + close));
  EXPECT_THAT(deep.codes(), ElementsAre(HasSubstr("E504")));
  EXPECT_THAT(import_text(one_cpu(open)).codes(), ElementsAre(HasSubstr("E50")));
}

TEST(HostileNcclXml, SizeIsBounded) {
  std::string large = sample();
  large.append(17u << 20, ' ');
  EXPECT_THAT(import_text(large).codes(), ElementsAre("1:1 E504"));
}

TEST(HostileNcclXml, DevicesAreBounded) {
  std::string many;
  for (int i = 0; i < 4097; ++i) {
    char busid[32];
    std::snprintf(busid, sizeof busid, "%04x:01:00.0", static_cast<unsigned>(i));
    many += std::string("<pci busid=\"") + busid + "\" class=\"0x020000\"/>";
  }
  EXPECT_THAT(import_text(one_cpu(many)).codes(), ElementsAre(HasSubstr("E504")));
  std::string nodes;
  for (int i = 0; i < 65; ++i) nodes += "<cpu numaid=\"" + std::to_string(i) + "\"/>";
  EXPECT_THAT(import_text(system_of(nodes)).codes(), ElementsAre(HasSubstr("E504")));
}

TEST(HostileNcclXml, TheLargestHostIsReadInLinearTime) {
  const auto text_of = [](std::size_t gpus) {
    std::string many;
    for (std::size_t i = 0; i < gpus; ++i) {
      char busid[32];
      std::snprintf(busid, sizeof busid, "%04x:01:00.0", static_cast<unsigned>(i));
      many += std::string("<pci busid=\"") + busid + "\" class=\"0x030200\"/>\n";
    }
    return one_cpu(many);
  };
  EXPECT_TRUE(test::is_read_in_linear_time(
      text_of, [](const std::string& text) { EXPECT_TRUE(import_text(text).ok()); }, 4000));
}

TEST(HostileNcclXml, NulIsRefused) {
  std::string text = sample();
  text[30] = '\0';
  EXPECT_THAT(import_text(text).codes(), ElementsAre(HasSubstr("E501")));
}

TEST(HostileNcclXml, HugeNumbersAreErrors) {
  for (const char* number : {"99999999999999999999", "-99999999999999999999", "1e9", "0x", "+1",
                             "0x-1", "1 ", "--1", "0xffffffffffffffffff", "\xC2\xB2"}) {
    const Imported result =
        import_text(one_cpu(std::string("<nic><net name=\"a\" speed=\"") + number + "\"/></nic>"));
    EXPECT_TRUE(result.diagnostics.has_errors()) << number;
  }
}

TEST(HostileNcclXml, StrangeNamesStayOutOfTheHost) {
  const Imported result =
      import_text(one_cpu("<pci busid=\"0000:01:00.0\" class=\"0x030200\"/>"
                          "<nic><net name=\"gpu0\" dev=\"0\" speed=\"1000\"/></nic>"
                          "<nic><net name=\"a/b\" dev=\"1\" speed=\"1000\"/></nic>"));
  ASSERT_TRUE(result.ok()) << render(result.diagnostics);
  EXPECT_EQ(result.host().nics.at(0).name, "nic0");
  EXPECT_EQ(result.host().nics.at(1).name, "nic1");
}

TEST(HostileNcclXml, ControlCharactersAndEndlessTextAreErrors) {
  const auto with_speed = [](const std::string& speed) {
    return import_text(
        one_cpu("<pci busid=\"0000:01:00.0\" class=\"0x030200\" link_speed=\"" + speed + "\"/>"));
  };
  EXPECT_TRUE(with_speed("fast").ok());
  EXPECT_THAT(with_speed("&#10;&#27;[2J").codes(), ElementsAre("3:56 E508"));
  EXPECT_THAT(with_speed(std::string(100'000, '8')).codes(), ElementsAre("3:56 E508"));
}

TEST(HostileNcclXml, EveryTruncationIsAnError) {
  const std::string text = sample();
  const std::size_t end = text.rfind('>');
  for (std::size_t size = 0; size < end; ++size) {
    EXPECT_TRUE(import_text(text.substr(0, size)).diagnostics.has_errors()) << size;
  }
}

TEST(HostileNcclXml, RandomChangesNeverCrash) {
  std::mt19937 random(20240607);
  const std::string alphabet = "<>/=\"&; 0129xabf:.-\n\t?![]";
  for (int round = 0; round < 4000; ++round) {
    std::string text = sample();
    for (int change = 0; change < 1 + round % 4; ++change) {
      const std::size_t at = random() % text.size();
      switch (random() % 4) {
        case 0:
          text[at] = static_cast<char>(text[at] ^ (1 << random() % 8));
          break;
        case 1:
          text[at] = alphabet[random() % alphabet.size()];
          break;
        case 2:
          text.erase(at, random() % 40);
          break;
        default:
          text.insert(at, text.substr(random() % text.size(), random() % 60));
      }
    }
    const Imported result = import_text(text);
    EXPECT_EQ(result.ok(), !result.topology.hosts.empty() && !result.host().gpus.empty());
    EXPECT_EQ(render(result.diagnostics).empty(), result.diagnostics.empty());
  }
}

}  // namespace nccl_hostile_test
}  // namespace vgsim::topology::testing
