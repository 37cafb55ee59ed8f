#include <fmt/core.h>

#include <csignal>
#include <exception>
#include <new>

#include "sim/engine.hpp"
#include "sim/units.hpp"
#include "tools/cli/command_line.hpp"
#include "tools/cli/commit.hpp"
#include "tools/cli/exit_code.hpp"
#include "tools/cli/output.hpp"
#include "tools/cli/version.hpp"
#include "topology/input/units/unit_strings.hpp"

namespace vgsim::cli {
namespace {

int guarded(int argc, char** argv) {
  try {
    return run_command_line(argc, argv, version_text(commit()));
  } catch (const ReaderLeft&) {
    return kReaderLeft;
  } catch (const OutputError& error) {
    write_message(fmt::format("vgsim: {}\n", error.what()));
    return kBadInput;
  } catch (const OverflowError& error) {
    write_message(fmt::format("vgsim: a quantity is too large to simulate: {}\n", error.what()));
    return kLimitReached;
  } catch (const LimitExceeded& error) {
    write_message(fmt::format("vgsim: {}\n", error.what()));
    return kLimitReached;
  } catch (const Stalled& error) {
    write_message(fmt::format(
        "vgsim: the job never ends: from {} on it waits for links without capacity (a fault "
        "without an end, or a link of rate 0)\n",
        input::format_time(error.at())));
    return kLimitReached;
  } catch (const std::bad_alloc&) {
    write_message("vgsim: out of memory\n");
    return kLimitReached;
  } catch (const std::exception& error) {
    write_message(fmt::format("vgsim: internal error, please report it: {}\n", error.what()));
    return kInternalError;
  }
}

}  // namespace
}  // namespace vgsim::cli

/// Read by jemalloc if linked: huge pages of 2 MiB if available, since the first touch of each
/// page costs more than most programs' work on it.
extern "C" const char* malloc_conf;
const char* malloc_conf = "thp:always";

int main(int argc, char** argv) {
  // A closed pipe, and a file beyond the shell's limit, then fail in write(2), like a full
  // disk.
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
  return vgsim::cli::guarded(argc, argv);
}
