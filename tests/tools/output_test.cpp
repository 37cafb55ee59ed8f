// Destinations of results are tested before anything is simulated.

#include "tools/cli/output.hpp"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <sys/inotify.h>
#include <unistd.h>

#include <fstream>

#include "tests/tools/program.hpp"

namespace vgsim {
namespace output_test {

namespace fs = std::filesystem;
using cli::Destination;
using cli::output_problem;
using test::Ran;
using test::run_program;
using test::Scratch;
using testing::HasSubstr;
using testing::Not;

const std::string kScenario = VGSIM_SOURCE_DIR "/configs/scenarios/xe8545-4xa100.json";
const std::string kSweep = VGSIM_SOURCE_DIR "/configs/scenarios/sweeps/nic-rate-and-batch.json";

TEST(OutputProblem, IsNoneWhereFoldersCanBeMade) {
  const Scratch scratch;
  EXPECT_EQ(output_problem(scratch.file("a/b/c.json"), Destination::kFile), std::nullopt);
  EXPECT_EQ(output_problem(scratch.file("a/b/"), Destination::kFolder), std::nullopt);
  EXPECT_EQ(output_problem(scratch.file("a/b/"), Destination::kEither), std::nullopt);
  EXPECT_FALSE(fs::exists(scratch.file("a"))) << "the trial leaves no trace";
}

/// Whether the name of a new file was seen in a folder since the watch began.
class CreationWatch {
 public:
  explicit CreationWatch(const std::string& folder) : descriptor_(::inotify_init1(IN_NONBLOCK)) {
    EXPECT_GE(::inotify_add_watch(descriptor_, folder.c_str(), IN_CREATE), 0);
  }
  CreationWatch(const CreationWatch&) = delete;
  CreationWatch& operator=(const CreationWatch&) = delete;
  ~CreationWatch() { ::close(descriptor_); }

  [[nodiscard]] bool saw_any() const {
    char event[4096];
    return ::read(descriptor_, event, sizeof event) > 0;
  }

 private:
  int descriptor_;
};

bool has_files_without_names(const std::string& folder) {
  const int descriptor = ::open(folder.c_str(), O_TMPFILE | O_WRONLY, 0600);
  if (descriptor >= 0) ::close(descriptor);
  return descriptor >= 0;
}

TEST(OutputProblem, LeavesNothingBehindWheneverItIsKilled) {
  const Scratch scratch;
  const std::string folder = scratch.file("");
  if (!has_files_without_names(folder)) GTEST_SKIP() << "this file system has no unnamed files";
  const CreationWatch watch(folder);
  EXPECT_EQ(output_problem(scratch.file("x.json"), Destination::kFile), std::nullopt);
  EXPECT_FALSE(watch.saw_any()) << "a file had a name for a while";
  std::ofstream(scratch.file("seen")) << "";
  EXPECT_TRUE(watch.saw_any());
}

TEST(OutputProblem, CreatesNoFolderThatAnotherShardCouldMissWhenItIsRemoved) {
  const Scratch scratch;
  const std::string folder = scratch.file("");
  if (!has_files_without_names(folder)) GTEST_SKIP() << "this file system has no unnamed files";
  const CreationWatch watch(folder);
  EXPECT_EQ(output_problem(scratch.file("a/b"), Destination::kFolder), std::nullopt);
  EXPECT_EQ(output_problem(scratch.file("a/x.json"), Destination::kFile), std::nullopt);
  EXPECT_FALSE(watch.saw_any()) << "a folder was there for a while";
  EXPECT_THAT(
      output_problem(scratch.file(std::string(300, 'a') + "/b"), Destination::kFolder).value_or(""),
      HasSubstr("name too long"));
}

TEST(OutputProblem, IsReportedForPathsThatCannotBeFiles) {
  const Scratch scratch;
  const std::string file = scratch.write("file", "");
  EXPECT_THAT(output_problem(file + "/x.json", Destination::kFile).value_or(""),
              HasSubstr("Not a directory"));
  EXPECT_THAT(output_problem(scratch.file(""), Destination::kFile).value_or(""),
              HasSubstr("it is a folder"));
  EXPECT_NE(output_problem(file, Destination::kFolder), std::nullopt);
  EXPECT_NE(output_problem("/proc/vgsim/x.json", Destination::kFile), std::nullopt);
}

TEST(OutputProblem, IsNoneOfWhatIsThere) {
  const Scratch scratch;
  const std::string file = scratch.write("file", "as it was");
  EXPECT_EQ(output_problem(file, Destination::kFile), std::nullopt);
  EXPECT_EQ(output_problem("/dev/null", Destination::kFile), std::nullopt);
  EXPECT_EQ(test::read_file(file), "as it was");
}

TEST(Output, MakesTheFoldersOfItsFile) {
  const Scratch scratch;
  const std::string file = scratch.file("new/folder/result.txt");
  EXPECT_EQ(run_program(scratch, "run --draws 0 " + kScenario + " -o " + file).exit_code, 0);
  EXPECT_GT(fs::file_size(file), 100U);
}

/// Commands up to the name of their output file; "@" is a missing input.
const std::vector<std::string> kWriters = {"run @ -o",
                                           "run @ --trace",
                                           "validate @ -o",
                                           "place @ -o",
                                           "compare @ -o",
                                           "explain @ -o",
                                           "report @ -o",
                                           "advise @ -o",
                                           "catalog -o",
                                           "check @ -o",
                                           "check @ --junit",
                                           "check @ --markdown",
                                           "score @ -o",
                                           "score @ --predictions",
                                           "sweep @ -o",
                                           "sweep @ -o x --export",
                                           "import @ -o",
                                           "import @ -o x --scenario",
                                           "export @ --as json -o",
                                           "show @ -o",
                                           "nccl @ -o",
                                           "calibrate @ --name x -o",
                                           "probe -o",
                                           "schema -o",
                                           "doctor -o",
                                           "man -o",
                                           "completion bash -o",
                                           "help -o",
                                           "new -o"};

TEST(Output, IsTriedBeforeTheInputIsRead) {
  const Scratch scratch;
  const std::string bad = scratch.write("file", "") + "/result.csv";
  for (std::string command : kWriters) {
    const std::size_t at = command.find('@');
    if (at != std::string::npos) command.replace(at, 1, scratch.file("missing.json"));
    const Ran ran = run_program(scratch, command + " " + bad);
    EXPECT_EQ(ran.exit_code, 2) << command;
    EXPECT_THAT(ran.err, HasSubstr("cannot write ")) << command;
    EXPECT_THAT(ran.err, HasSubstr("Not a directory")) << command;
    EXPECT_THAT(ran.err, Not(HasSubstr("missing.json"))) << command;
  }
}

TEST(Output, OldWordsStillWork) {
  const Scratch scratch;
  const std::string file = scratch.file("kinds");
  for (const char* option : {"-o ", "--output ", "--output=", "--out ", "--out="}) {
    fs::remove(file);
    EXPECT_EQ(run_program(scratch, "catalog gpus " + std::string(option) + file).exit_code, 0)
        << option;
    EXPECT_THAT(test::read_file(file), HasSubstr("h100-sxm5-80gb")) << option;
  }
  EXPECT_THAT(run_program(scratch, "catalog --help").out, Not(HasSubstr("--out ")));
}

TEST(Output, FormerNamesOfOptionsWarn) {
  const Scratch scratch;
  for (const auto& [former, current] :
       {std::pair<std::string, std::string>{"catalog gpus --out " + scratch.file("kinds"),
                                            "--out is the former name of --output"},
        {"score " VGSIM_SOURCE_DIR "/tests/verdicts/mmio.json --bars " VGSIM_SOURCE_DIR
         "/tests/verdicts/bars.json",
         "--bars is the former name of --thresholds"},
        {"calibrate --hold-back 0.5 missing.json",
         "--hold-back is the former name of --validation-share"}}) {
    EXPECT_THAT(run_program(scratch, former).err, HasSubstr(current)) << former;
  }
  const std::string help = run_program(scratch, "score --help").out;
  EXPECT_THAT(help, HasSubstr("--thresholds"));
  EXPECT_THAT(help, Not(HasSubstr("--bars")));
}

TEST(Output, ASweepMakesItsFolderAndThatOfItsExports) {
  const Scratch scratch;
  const std::string runs = scratch.file("runs/");
  const Ran ran =
      run_program(scratch, "sweep " + kSweep + " --quiet --out " + runs + " --export " + runs +
                               "all.csv --export " + scratch.file("else/where/all.jsonl"));
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_GT(fs::file_size(runs + "all.csv"), 100U);
  EXPECT_GT(fs::file_size(scratch.file("else/where/all.jsonl")), 100U);
}

}  // namespace output_test
}  // namespace vgsim
