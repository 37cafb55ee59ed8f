#pragma once

#include <sys/wait.h>

#include <cstdlib>
#include <string>

#include "tests/support/scratch.hpp"

namespace vgsim::test {

struct Ran {
  int exit_code = -1;
  std::string out;
  std::string err;
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
