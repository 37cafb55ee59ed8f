// Files are written completely or not at all, also if the process is killed or files are left
// over.

#include <fcntl.h>
#include <gmock/gmock.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <fstream>
#include <set>

#include "tests/tools/program.hpp"
#include "tools/files/atomic_file.hpp"
#include "tools/machine/control_groups.hpp"

namespace vgsim {
namespace files_test {

namespace fs = std::filesystem;
using files::AtomicFile;
using test::Ran;
using test::run_program;
using test::Scratch;
using testing::HasSubstr;

constexpr auto kBothWays = {AtomicFile::Way::kUnnamed, AtomicFile::Way::kNamed};

std::set<std::string> names_in(const std::string& folder) {
  std::set<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder)) {
    names.insert(entry.path().filename().string());
  }
  return names;
}

struct stat status_of(const std::string& file) {
  struct stat status {};
  EXPECT_EQ(::stat(file.c_str(), &status), 0) << file;
  return status;
}

void replace(const std::string& file, AtomicFile::Way way) {
  AtomicFile out(file, way);
  out.write("new");
  out.finish();
}

TEST(AtomicFile, KeepsPermissionsAndOwner) {
  const Scratch scratch;
  for (const auto way : kBothWays) {
    for (const unsigned mode : {0600U, 0640U, 0664U, 0444U, 0777U}) {
      const std::string file = scratch.write("kept", "old");
      ASSERT_EQ(::chmod(file.c_str(), mode), 0);
      const bool given = ::getuid() == 0 && ::chown(file.c_str(), 4321, 8765) == 0;
      replace(file, way);
      EXPECT_EQ(test::read_file(file), "new");
      const struct stat status = status_of(file);
      EXPECT_EQ(status.st_mode & 07777U, mode);
      if (given) {
        EXPECT_EQ(status.st_uid, 4321U);
        EXPECT_EQ(status.st_gid, 8765U);
      }
      fs::remove(file);
    }
  }
}

TEST(AtomicFile, GetsPermissionsOfTheUmaskWhenNew) {
  const Scratch scratch;
  const mode_t before = ::umask(027);
  for (const auto way : kBothWays) {
    const std::string file = scratch.file("new");
    replace(file, way);
    EXPECT_EQ(status_of(file).st_mode & 07777U, 0640U);
    fs::remove(file);
  }
  ::umask(before);
}

TEST(AtomicFile, ReplacesWhatALinkPointsTo) {
  const Scratch scratch;
  const std::string file = scratch.write("file", "old");
  const std::string link = scratch.file("link");
  fs::create_symlink("file", link);
  for (const auto way : kBothWays) replace(link, way);
  EXPECT_TRUE(fs::is_symlink(link));
  EXPECT_EQ(test::read_file(file), "new");
}

bool has_files_without_names(const std::string& folder) {
  const int descriptor = ::open(folder.c_str(), O_TMPFILE | O_WRONLY, 0600);
  if (descriptor >= 0) ::close(descriptor);
  return descriptor >= 0;
}

TEST(AtomicFile, LeavesNothingWhereItsWriterIsKilled) {
  const Scratch scratch;
  const std::string folder = scratch.file("folder");
  fs::create_directory(folder);
  for (const auto way : kBothWays) {
    for (const int signal : {SIGTERM, SIGINT, SIGHUP, SIGKILL}) {
      const bool is_certain = signal != SIGKILL ||
                              (way == AtomicFile::Way::kUnnamed && has_files_without_names(folder));
      if (!is_certain) continue;
      const pid_t child = ::fork();
      if (child == 0) {
        AtomicFile out(folder + "/result.json", way);
        out.write(std::string(1 << 20, 'x'));
        ::raise(signal);
        ::_exit(0);
      }
      int status = 0;
      ASSERT_EQ(::waitpid(child, &status, 0), child);
      EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == signal) << signal;
      EXPECT_THAT(names_in(folder), testing::IsEmpty()) << signal;
    }
  }
}

/// In a container the process id is the same each time, and so was the name of a file left
/// over.
TEST(AtomicFile, IsNotStoppedByWhatAnyProcessLeft) {
  const Scratch scratch;
  const std::string file = scratch.file("gpus.txt");
  for (int number = 1; number <= 5000; ++number) {
    std::ofstream(file + "." + std::to_string(::getpid() + number) + ".tmp") << "left";
  }
  const Ran ran = run_program(scratch, "catalog gpus -o " + file);
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_THAT(test::read_file(file), HasSubstr("h100-sxm5-80gb"));
}

TEST(Output, BeyondALimitOfFileSizesIsAnErrorThatNamesTheFile) {
  const Scratch scratch;
  const std::string folder = scratch.file("folder");
  fs::create_directory(folder);
  const std::string command = std::string("ulimit -f 1; ") + VGSIM_PROGRAM + " catalog gpus -o " +
                              folder + "/gpus.txt 2>" + scratch.file("said");
  const int status = std::system(command.c_str());
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 2) << status;
  EXPECT_THAT(test::read_file(scratch.file("said")), HasSubstr("cannot write " + folder));
  EXPECT_THAT(names_in(folder), testing::IsEmpty());
}

TEST(Output, ThatIsLostIsAnError) {
  const Scratch scratch;
  if (!fs::exists("/dev/full")) GTEST_SKIP() << "no /dev/full";
  for (const char* arguments : {"--version", "--help", "help run", "run --help", "catalog gpus",
                                "schema", "doctor", "man", "completion bash"}) {
    const std::string command =
        std::string(VGSIM_PROGRAM) + " " + arguments + " >/dev/full 2>" + scratch.file("said");
    const int status = std::system(command.c_str());
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 2) << arguments;
    EXPECT_THAT(test::read_file(scratch.file("said")), HasSubstr("cannot write the result"))
        << arguments;
  }
}

/// A tree of control groups as /sys/fs/cgroup shows it.
class Groups {
 public:
  void limit(const std::string& group, const std::string& file, const std::string& limit) {
    const std::string folder = scratch_.file("cgroup/" + group);
    fs::create_directories(folder);
    std::ofstream(folder + "/" + file) << limit << "\n";
  }
  [[nodiscard]] std::optional<std::uint64_t> memory(const std::string& groups) const {
    return machine::memory_of_groups(groups, scratch_.file("cgroup"));
  }

 private:
  Scratch scratch_;
};

TEST(MachineMemory, IsTheLeastThatAnyGroupLeaves) {
  Groups two;
  two.limit("", "memory.max", "max");
  two.limit("batch.slice", "memory.max", "4294967296");
  two.limit("batch.slice/job", "memory.max", "max");
  EXPECT_EQ(two.memory("0::/batch.slice/job\n"), 4294967296U) << "of the group above";
  EXPECT_EQ(two.memory("0::/\n"), std::nullopt) << "\"max\" is none";
  two.limit("batch.slice/job", "memory.max", "1048576");
  EXPECT_EQ(two.memory("0::/batch.slice/job\n"), 1048576U);

  Groups one;
  one.limit("memory/docker/a1b2", "memory.limit_in_bytes", "2147483648");
  one.limit("cpu/docker/a1b2", "memory.limit_in_bytes", "7");
  const std::string groups = "5:cpuset,memory:/docker/a1b2\n4:cpu:/docker/a1b2\n0::/\n";
  EXPECT_EQ(one.memory(groups), 2147483648U);

  Groups inside;  // a container has its own group as the tree's root, and its host's path
  inside.limit("memory", "memory.limit_in_bytes", "536870912");
  EXPECT_EQ(inside.memory("9:memory:/docker/c3d4\n"), 536870912U);
  EXPECT_EQ(inside.memory(""), std::nullopt);
  EXPECT_EQ(inside.memory("no such line\n::\n1:memory\n"), std::nullopt);
}

}  // namespace files_test
}  // namespace vgsim
