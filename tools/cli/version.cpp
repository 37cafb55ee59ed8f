#include "tools/cli/version.hpp"

namespace vgsim::cli {

const char* version() { return VGSIM_VERSION; }

}  // namespace vgsim::cli
