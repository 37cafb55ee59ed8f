#include "tools/cli/text/man_page.hpp"

#include <gtest/gtest.h>

#include <CLI/CLI.hpp>
#include <sstream>

#include "tests/tools/program.hpp"
#include "tests/tools/surroundings/installed.hpp"

namespace vgsim::cli {
namespace man_page_test {

/// What a formatter prints of a page; its complaints count as failures.
std::string formatted(const test::Scratch& scratch, const std::string& page,
                      const std::string& formatter) {
  const std::string command = formatter + " " + scratch.write("vgsim.1", page) + " >" +
                              scratch.file("out") + " 2>" + scratch.file("err");
  EXPECT_EQ(std::system(command.c_str()), 0) << formatter;
  EXPECT_EQ(test::read_file(scratch.file("err")), "") << formatter;
  return test::read_file(scratch.file("out"));
}

/// Words with one blank between them, as a page is filled to the width of its terminal.
std::string words_of(const std::string& text) {
  std::istringstream words(text);
  std::string result;
  for (std::string word; words >> word;) result += word + " ";
  return result;
}

constexpr const char* kGroff = "groff -man -ww -Tascii -P-cbou -rLL=100n";

struct OddProgram {
  CLI::App app{"Does \"odd\" things.", "vgsim"};
  std::string text;

  OddProgram() {
    app.footer("Examples:\n  vgsim odd '.x' -\\n\n\nNot an example.");
    CLI::App* odd = app.add_subcommand("odd", ".it begins with a dot, and 'quotes' `so` ~/.vgsim");
    odd->add_option("--back\\slash", text, "a\\b ^ .TH is not a request");
    odd->add_option("--word", text, "a word")->check(CLI::IsMember({"first", "second"}));
    odd->add_option("--must", text, "needed")->required()->type_name("THIS");
  }
};

TEST(ManPage, ShowsEveryCharacterAsItIs) {
  if (!test::is_installed("groff"))
    GTEST_SKIP() << "groff is not installed: the page is not formatted";
  const test::Scratch scratch;
  const std::string page = man_page(command_tree(OddProgram().app), "1.0");
  const std::string text = words_of(formatted(scratch, page, kGroff));
  for (const char* part :
       {"a\\b ^ .TH is not a request", "'quotes' `so` ~/.vgsim", ".it begins with a dot",
        "does \"odd\" things", "vgsim odd '.x' -\\n", "--back\\slash"}) {
    EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
  }
}

TEST(ManPage, ContainsChoicesAndRequiredArguments) {
  const std::string page = man_page(command_tree(OddProgram().app), "1.0");
  EXPECT_NE(page.find("one of: first, second"), std::string::npos);
  EXPECT_NE(page.find(".SS \\fBvgsim odd\\fR \\fB\\-\\-must\\fR \\fITHIS\\fR [options]"),
            std::string::npos)
      << page;
}

TEST(ManPage, ExamplesAreThoseOfTheHelp) {
  const std::string page = man_page(command_tree(OddProgram().app), "1.0");
  const std::size_t examples = page.find(".SH EXAMPLES");
  ASSERT_NE(examples, std::string::npos);
  EXPECT_NE(page.find("vgsim odd", examples), std::string::npos);
  EXPECT_EQ(page.find("Not an example", examples), std::string::npos);
}

class ManCommand : public ::testing::Test {
 protected:
  ManCommand() : ran_(test::run_program(scratch_, "man")) { EXPECT_EQ(ran_.exit_code, 0); }

  test::Scratch scratch_;
  test::Ran ran_;
};

TEST_F(ManCommand, GroffAcceptsThePageWithoutAWarning) {
  if (!test::is_installed("groff"))
    GTEST_SKIP() << "groff is not installed: the page is not formatted";
  EXPECT_GT(formatted(scratch_, ran_.out, kGroff).size(), 2000U);
}

TEST_F(ManCommand, MandocAcceptsThePage) {
  if (!test::is_installed("mandoc"))
    GTEST_SKIP() << "mandoc is not installed: the page is not checked";
  formatted(scratch_, ran_.out, "mandoc -Tlint -Werror");
}

TEST_F(ManCommand, EveryCommandAndSectionIsThere) {
  for (const char* section : {"NAME", "SYNOPSIS", "DESCRIPTION", "OPTIONS", "COMMANDS",
                              "EXIT STATUS", "ENVIRONMENT", "FILES", "EXAMPLES"}) {
    EXPECT_NE(ran_.out.find(std::string("\n.SH ") + section + "\n"), std::string::npos) << section;
  }
  for (const char* command : {"run", "validate", "explain", "completion", "man", "doctor"}) {
    EXPECT_NE(ran_.out.find(std::string("\n.SS \\fBvgsim ") + command + "\\fR"), std::string::npos)
        << command;
  }
}

TEST_F(ManCommand, TheSameCommandLineGivesTheSamePage) {
  EXPECT_EQ(test::run_program(scratch_, "man").out, ran_.out);
}

}  // namespace man_page_test
}  // namespace vgsim::cli
