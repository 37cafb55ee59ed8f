#include "tools/cli/version.hpp"

namespace vgsim::cli {

const char* version() { return VGSIM_VERSION; }

std::string version_text(const std::string& commit) {
  return std::string("vgsim ") + version() + (commit.empty() ? "" : " (" + commit + ")");
}

}  // namespace vgsim::cli
