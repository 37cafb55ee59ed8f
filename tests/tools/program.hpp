#pragma once

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

namespace vgsim::test {

struct Ran {
  int exit_code = -1;
  std::string out;
  std::string err;
};

inline std::string read_file(const std::filesystem::path& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

/// A folder of this test's own, removed afterwards.
class Scratch {
 public:
  Scratch()
      : path_(std::filesystem::temp_directory_path() /
              (std::string("vgsim-") +
               testing::UnitTest::GetInstance()->current_test_info()->test_suite_name() + "-" +
               std::to_string(::getpid()))) {
    std::filesystem::create_directories(path_);
  }
  ~Scratch() { std::filesystem::remove_all(path_); }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  std::string file(const std::string& name) const { return (path_ / name).string(); }
  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(path_ / name, std::ios::binary) << text;
    return file(name);
  }

 private:
  std::filesystem::path path_;
};

/// Runs the program as a user would, with these arguments (quoted for a shell).
inline Ran run_program(const Scratch& scratch, const std::string& arguments) {
  const std::string command = std::string(VGSIM_PROGRAM) + " " + arguments + " >" +
                              scratch.file("out") + " 2>" + scratch.file("err");
  const int status = std::system(command.c_str());
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, read_file(scratch.file("out")),
          read_file(scratch.file("err"))};
}

}  // namespace vgsim::test
