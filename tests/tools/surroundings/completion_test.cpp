#include "tools/cli/completion/completion.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <CLI/CLI.hpp>
#include <set>
#include <sstream>

#include "tests/tools/program.hpp"
#include "tests/tools/surroundings/installed.hpp"

namespace vgsim::cli::completion {
namespace completion_test {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;

/// A command line of every kind of thing that ours has.
struct SmallProgram {
  CLI::App app{"A program.", "vgsim"};
  std::string text;
  std::vector<std::string> list;
  bool quick = false;

  SmallProgram() {
    CLI::App* run = app.add_subcommand("run", "simulate [fast]: \"it's\" $HOME `now`");
    run->add_option("scenario", text, "scenario file")->required()->type_name("SCENARIO.json");
    run->add_option("--format", text, "text or json")
        ->check(CLI::IsMember({"text", "json"}))
        ->type_name("FORMAT");
    run->add_option("-o,--out", text, "write to this file")->type_name("FILE");
    run->add_option("--seed", text, "seed")->type_name("N");
    run->add_flag("--quick", quick, "hurry");
    run->add_option("--secret", text)->group("");
    CLI::App* catalog = app.add_subcommand("catalog", "list parts");
    catalog->add_option("kind", text, "kind of part")->type_name("KIND");
    catalog->add_option("name", text, "one part")->type_name("NAME");
    CLI::App* sweep = app.add_subcommand("sweep", "many of them");
    sweep->add_subcommand("merge", "several stores into one")
        ->add_option("stores", list, "stores")
        ->type_name("DIR");
    app.add_subcommand("hidden", "not for people")->group("");
  }

  [[nodiscard]] std::string script(Shell shell) const {
    WordTable words;
    words["catalog 0"].always = {"gpus", "nics", "a;b", "$(touch /tmp/never)"};
    words["catalog 1"].after["gpus"] = {"a100", "h100"};
    words["catalog 1"].after["nics"] = {"cx-6"};
    return completion::script(command_tree(app), shell, words);
  }
};

std::string quoted(const std::string& word) { return "'" + word + "'"; }

/// What a shell prints that runs this text, line by line, in the scratch folder.
std::vector<std::string> lines_of(const test::Scratch& scratch, const std::string& shell,
                                  const std::string& text) {
  const std::string file = scratch.write("try.sh", text);
  const std::string command = "cd " + scratch.file("") + " && HOME=. " + shell + " " + file + " >" +
                              scratch.file("out") + " 2>" + scratch.file("err");
  EXPECT_EQ(std::system(command.c_str()), 0) << test::read_file(scratch.file("err"));
  EXPECT_EQ(test::read_file(scratch.file("err")), "");
  std::vector<std::string> lines;
  std::istringstream out(test::read_file(scratch.file("out")));
  for (std::string line; std::getline(out, line);) lines.push_back(line);
  return lines;
}

/// What bash offers for the last of these words.
std::vector<std::string> bash_offers(const test::Scratch& scratch, const std::string& script,
                                     const std::vector<std::string>& words) {
  scratch.write("completion", script);
  std::string text = "source ./completion\nCOMP_WORDS=(";
  for (const std::string& word : words) text += quoted(word) + " ";
  text += ")\nCOMP_CWORD=" + std::to_string(words.size() - 1) +
          "\n_vgsim\n[[ ${#COMPREPLY[@]} == 0 ]] || printf '%s\\n' \"${COMPREPLY[@]}\"\n";
  return lines_of(scratch, "bash --norc", text);
}

class BashCompletion : public ::testing::Test {
 protected:
  std::vector<std::string> offers(const std::vector<std::string>& words) {
    return bash_offers(scratch_, SmallProgram().script(Shell::kBash), words);
  }

  test::Scratch scratch_;
};

TEST_F(BashCompletion, OffersTheCommands) {
  EXPECT_THAT(offers({"vgsim", ""}), ElementsAre("run", "catalog", "sweep"));
  EXPECT_THAT(offers({"vgsim", "r"}), ElementsAre("run"));
}

TEST_F(BashCompletion, OffersTheCommandsWithinACommand) {
  EXPECT_THAT(offers({"vgsim", "sweep", ""}), ElementsAre("merge"));
}

TEST_F(BashCompletion, OffersOptionsWhereAWordBeginsWithADash) {
  EXPECT_THAT(offers({"vgsim", "run", "--"}),
              UnorderedElementsAre("--format", "--out", "--seed", "--quick", "--help"));
  EXPECT_THAT(offers({"vgsim", "run", "x.json", "--f"}), ElementsAre("--format"));
}

TEST_F(BashCompletion, OffersTheWordsOfAnOptionHoweverItIsWritten) {
  EXPECT_THAT(offers({"vgsim", "run", "--format", ""}), ElementsAre("text", "json"));
  EXPECT_THAT(offers({"vgsim", "run", "--format", "=", "j"}), ElementsAre("json"));
  EXPECT_THAT(offers({"vgsim", "run", "--format", "="}), ElementsAre("text", "json"));
  EXPECT_THAT(offers({"vgsim", "run", "--format=j"}), ElementsAre("--format=json"));
}

TEST_F(BashCompletion, OffersScenariosAndTheFoldersOnTheWayToThem) {
  scratch_.write("one scenario.json", "{}");
  scratch_.write("notes.txt", "");
  std::filesystem::create_directory(scratch_.file("old"));
  EXPECT_THAT(offers({"vgsim", "run", "o"}), UnorderedElementsAre("old", "one scenario.json"));
  EXPECT_THAT(offers({"vgsim", "run", "n"}), IsEmpty());
  EXPECT_THAT(offers({"vgsim", "run", "-o", "n"}), ElementsAre("notes.txt"));
  EXPECT_THAT(offers({"vgsim", "sweep", "merge", "a", "o"}), ElementsAre("old"));
}

TEST_F(BashCompletion, WordsMayDependOnTheWordBefore) {
  EXPECT_THAT(offers({"vgsim", "catalog", "gpus", ""}), ElementsAre("a100", "h100"));
  EXPECT_THAT(offers({"vgsim", "catalog", "nics", ""}), ElementsAre("cx-6"));
}

TEST_F(BashCompletion, TheValueOfAnOptionIsNoPositionalArgument) {
  EXPECT_THAT(offers({"vgsim", "run", "--seed", "7", "--format", "t"}), ElementsAre("text"));
  scratch_.write("a.json", "{}");
  EXPECT_THAT(offers({"vgsim", "run", "--seed", "7", "a"}), ElementsAre("a.json"));
}

TEST_F(BashCompletion, WordsThatAShellWouldRunAreLeftOut) {
  EXPECT_THAT(offers({"vgsim", "catalog", ""}), ElementsAre("gpus", "nics"));
}

TEST(FishCompletion, OffersTheSame) {
  if (!test::is_installed("fish"))
    GTEST_SKIP() << "fish is not installed: its completion is not tried";
  const test::Scratch scratch;
  scratch.write("completion", SmallProgram().script(Shell::kFish));
  scratch.write("my.json", "{}");
  scratch.write("my.txt", "");
  const auto offers = [&](const std::string& line) {
    std::set<std::string> words;
    for (const std::string& offer :
         lines_of(scratch, "fish --no-config",
                  "source ./completion\ncomplete -C " + quoted(line) + "\ntrue\n")) {
      words.insert(offer.substr(0, offer.find('\t')));
    }
    return words;
  };
  EXPECT_THAT(offers("vgsim "), UnorderedElementsAre("run", "catalog", "sweep"));
  EXPECT_THAT(offers("vgsim sweep "), UnorderedElementsAre("merge"));
  EXPECT_THAT(offers("vgsim run --f"), UnorderedElementsAre("--format"));
  EXPECT_THAT(offers("vgsim run --format "), UnorderedElementsAre("text", "json"));
  EXPECT_THAT(offers("vgsim run my"), UnorderedElementsAre("my.json"));
  EXPECT_THAT(offers("vgsim run -o my"), UnorderedElementsAre("my.json", "my.txt"));
  EXPECT_THAT(offers("vgsim catalog gpus "), UnorderedElementsAre("a100", "h100"));
  EXPECT_THAT(offers("vgsim catalog "), UnorderedElementsAre("gpus", "nics"));
}

/// The arguments that zsh passes to its completion, after all quoting.
TEST(ZshCompletion, SpecifiesTheSame) {
  if (!test::is_installed("zsh"))
    GTEST_SKIP() << "zsh is not installed: its completion is not tried";
  const test::Scratch scratch;
  scratch.write("completion", SmallProgram().script(Shell::kZsh));
  const auto lines = [&](const std::string& call) {
    return lines_of(scratch, "zsh -f",
                    "compdef() { }\n_arguments() { print -rl -- $@; state=command }\ncompadd() { "
                    "print -rl -- $@ }"
                    "\n_files() { print -rl -- files $@ }\n"
                    "_describe() { print -rl -- ${(P)4} }\nsource ./completion\n" +
                        call + "\n");
  };
  EXPECT_THAT(lines("_vgsim_run"), ::testing::Contains("(--quick)--quick[hurry]"));
  EXPECT_THAT(
      lines("_vgsim_run"),
      ::testing::Contains(::testing::StartsWith("(-o --out)--out=[write to this file]:FILE:")));
  EXPECT_THAT(lines("_vgsim"),
              ::testing::Contains(R"(run:simulate \[fast\]\: "it's" $HOME `now`)"));
  const std::string words = "words=(catalog gpus); ";
  EXPECT_THAT(lines(words + "for f in ${(ok)functions[(I)_vgsim_value_*]}; do $f; done"),
              ::testing::IsSupersetOf({"text", "json", "*.json", "files", "a100", "h100", "gpus"}));
}

TEST(CompletionCommand, OffersEveryCommandThatTheHelpLists) {
  const test::Scratch scratch;
  const auto script = test::run_program(scratch, "completion bash");
  ASSERT_EQ(script.exit_code, 0) << script.err;
  const std::string help = test::run_program(scratch, "--help").out;
  std::vector<std::string> commands;
  std::istringstream list(help.substr(help.find("Questions:"), help.find("Topics:")));
  for (std::string line; std::getline(list, line) && line != "Topics:";) {
    // What goes on with a command's description is set in further.
    if (!line.starts_with("  ") || line.starts_with("   ")) continue;
    commands.push_back(line.substr(2, line.find(' ', 2) - 2));
  }
  ASSERT_GE(commands.size(), 10U);
  EXPECT_THAT(bash_offers(scratch, script.out, {"vgsim", ""}),
              ::testing::UnorderedElementsAreArray(commands));
}

TEST(CompletionCommand, ContainsPartsRulesCodesAndCalibrations) {
  const test::Scratch scratch;
  const std::string script = test::run_program(scratch, "completion bash").out;
  const auto offers = [&](const std::vector<std::string>& words) {
    return bash_offers(scratch, script, words);
  };
  EXPECT_THAT(offers({"vgsim", "catalog", "gpus", "a100-pcie-80"}), ElementsAre("a100-pcie-80gb"));
  EXPECT_THAT(offers({"vgsim", "explain", "mmio-too"}), ElementsAre("mmio-too-small"));
  EXPECT_THAT(offers({"vgsim", "explain", "E202"}), ElementsAre("E202"));
  EXPECT_THAT(offers({"vgsim", "run", "--fid"}), ElementsAre("--fidelity"));
  EXPECT_THAT(offers({"vgsim", "schema", "scen"}), ElementsAre("scenario"));
}

TEST(CompletionCommand, AnotherShellIsRefusedWithTheKnownOnes) {
  const test::Scratch scratch;
  const auto ran = test::run_program(scratch, "completion powershell");
  EXPECT_EQ(ran.exit_code, 2);
  EXPECT_NE(ran.err.find("fish"), std::string::npos);
}

}  // namespace completion_test
}  // namespace vgsim::cli::completion
