// Output of help, completions, manual page and schemas.

#include <gmock/gmock.h>

#include <algorithm>
#include <sstream>

#include "tests/tools/program.hpp"
#include "tools/cli/text/help_topics.hpp"

namespace vgsim {
namespace help_command_test {

using test::Ran;
using test::run_program;
using test::Scratch;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

std::vector<std::string> lines_of(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> lines;
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

/// The names in the lists of commands of `vgsim help`.
std::vector<std::string> commands(const Scratch& scratch) {
  std::vector<std::string> names;
  bool in_list = false;
  for (const std::string& line : lines_of(run_program(scratch, "help").out)) {
    if (!line.starts_with(' ')) in_list = line.ends_with(':');
    if (line == "Topics:" || line == "Options:" || line == "Examples:") in_list = false;
    if (in_list && line.starts_with("  ") && line[2] != ' ') {
      names.push_back(line.substr(2, line.find(' ', 2) - 2));
    }
  }
  return names;
}

/// The lines below "Examples:".
std::vector<std::string> examples_in(const std::string& help) {
  std::vector<std::string> examples;
  bool inside = false;
  for (const std::string& line : lines_of(help)) {
    if (line == "Examples:") {
      inside = true;
    } else if (inside && line.empty()) {
      break;
    } else if (inside) {
      examples.push_back(line.substr(line.find_first_not_of(' ')));
    }
  }
  return examples;
}

TEST(Help, ListsTheCommands) {
  const Scratch scratch;
  const auto names = commands(scratch);
  EXPECT_THAT(names, testing::IsSupersetOf({"run", "new", "compare", "catalog", "show", "help"}));
  EXPECT_EQ(run_program(scratch, "help").out, run_program(scratch, "--help").out);
}

TEST(Help, EachCommandHasTwoOrThreeExamplesOfItsOwn) {
  const Scratch scratch;
  for (const std::string& name : commands(scratch)) {
    const Ran help = run_program(scratch, "help " + name);
    EXPECT_EQ(help.exit_code, 0) << name;
    EXPECT_EQ(help.out, run_program(scratch, name + " --help").out) << name;
    EXPECT_THAT(help.out, StartsWith("vgsim " + name + ": "));
    const auto examples = examples_in(help.out);
    EXPECT_GE(examples.size(), 2U) << name;
    EXPECT_LE(examples.size(), 3U) << name;
    for (const std::string& example : examples) {
      EXPECT_THAT(example, HasSubstr("vgsim " + name)) << example;
    }
  }
}

TEST(Help, FitsIntoEightyColumns) {
  const Scratch scratch;
  auto names = commands(scratch);
  names.emplace_back("");
  for (const std::string& name : names) {
    for (const std::string& line : lines_of(run_program(scratch, "help " + name).out)) {
      EXPECT_LE(line.size(), 80U) << name << ": " << line;
    }
  }
}

TEST(Help, OfAnUnknownWordNamesTheNearest) {
  const Scratch scratch;
  const Ran ran = run_program(scratch, "help compair");
  EXPECT_EQ(ran.exit_code, 2);
  EXPECT_EQ(ran.out, "");
  EXPECT_THAT(ran.err, HasSubstr("did you mean \"compare\"?"));
}

TEST(Help, PointsToTheCommandThatWasUsedWrongly) {
  const Scratch scratch;
  EXPECT_THAT(run_program(scratch, "run --fast x.json").err, HasSubstr("See vgsim help run."));
}

TEST(Help, PrintsTopicsFromTheConfiguration) {
  const Scratch scratch;
  const std::string page = "# How layouts work\n\nSee [the list](layouts.md), `run`.\n";
  std::filesystem::create_directories(scratch.file("configs/help"));
  scratch.write("configs/help/layouts.md", page);
  const auto with = [&](const std::string& arguments) {
    setenv("VGSIM_CONFIGS", scratch.file("configs").c_str(), 1);
    const Ran ran = run_program(scratch, arguments);
    unsetenv("VGSIM_CONFIGS");
    return ran;
  };
  EXPECT_THAT(with("help").out, HasSubstr("layouts  How layouts work"));
  EXPECT_EQ(with("help layouts").out, page);
  EXPECT_THAT(with("help layuots").err, HasSubstr("did you mean \"layouts\"?"));
}

TEST(HelpTopics, ArePlainOnATerminal) {
  EXPECT_EQ(cli::plain_text("# Title\n\nA **bold** `word`, [a page](x.md) and\n"
                            "[a site](https://a.b/c).\n\n```json\n{ \"a\": `1` }\n```\n"
                            "    vgsim run `x`\n"),
            "Title\n\nA bold word, a page and\na site (https://a.b/c).\n\n"
            "    { \"a\": `1` }\n    vgsim run `x`\n");
  EXPECT_EQ(cli::plain_text("an [open bracket\n"), "an [open bracket\n");
}

}  // namespace help_command_test
}  // namespace vgsim
