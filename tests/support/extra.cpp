#include "tests/support/extra.hpp"

#include <cstdlib>

namespace vgsim::test {

std::filesystem::path extra_files() {
  const char* told = std::getenv("VGSIM_SHARED");
  return told != nullptr ? told : VGSIM_SHARED;
}

void skip_without_extra_files() {
  if (!std::filesystem::exists(extra_files())) GTEST_SKIP() << "extra: no " << extra_files();
}

}  // namespace vgsim::test
