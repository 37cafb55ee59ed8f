#pragma once

#include <cstdlib>
#include <string>

namespace vgsim::test {

/// Whether the machine has a program that a test tries our output with.
inline bool is_installed(const std::string& program) {
  return std::system(("command -v " + program + " >/dev/null").c_str()) == 0;
}

}  // namespace vgsim::test
