#include <fmt/format.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <optional>

#include "tools/cli/doctor/check.hpp"
#include "tools/machine/machine_memory.hpp"
#include "tools/text/style.hpp"
#include "tools/text/words.hpp"

namespace vgsim::cli::doctor {
namespace {

/// Below this, scenarios of thousands of GPUs may not fit.
constexpr std::uint64_t kLittleMemory = 2ULL << 30U;
constexpr std::uint64_t kLittleDisk = 100ULL << 20U;

/// The limit of the container's control group; nothing for "max".
std::optional<std::uint64_t> group_limit() {
  for (const char* path :
       {"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"}) {
    std::uint64_t bytes = 0;
    if (std::ifstream(path) >> bytes) return bytes;
  }
  return std::nullopt;
}

std::optional<std::uint64_t> process_limit() {
  rlimit limit{};
  if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return std::nullopt;
  return limit.rlim_cur;
}

Check check_memory() {
  const std::uint64_t machine = machine::machine_memory();
  std::uint64_t usable = machine;
  std::string found =
      fmt::format("{} in the machine", text::bytes_text(static_cast<double>(machine)));
  const auto limited = [&](const std::optional<std::uint64_t>& limit, const char* by) {
    if (!limit || *limit >= usable) return;
    usable = *limit;
    found += fmt::format(", {} allowed by {}", text::bytes_text(static_cast<double>(usable)), by);
  };
  limited(group_limit(), "the container");
  limited(process_limit(), "ulimit -v");
  if (usable >= kLittleMemory) return {State::kOk, "memory", found, {}};
  return {State::kNote, "memory", found, "large clusters may need more; raise the limit"};
}

Check check_cores() {
  const long all = std::max(sysconf(_SC_NPROCESSORS_ONLN), 1L);
  cpu_set_t set;
  CPU_ZERO(&set);
  const bool known = sched_getaffinity(0, sizeof set, &set) == 0;
  const auto usable = static_cast<std::size_t>(known ? CPU_COUNT(&set) : all);
  const std::string found =
      static_cast<long>(usable) == all
          ? text::plural(usable, "core")
          : fmt::format("{} of the {} that the machine has", text::plural(usable, "core"), all);
  return {State::kOk, "cores", found, {}};
}

Check check_folder() {
  std::error_code error;
  const std::string folder = std::filesystem::current_path(error).string();
  if (access(".", W_OK) != 0) {
    return {State::kNote, "working folder",
            fmt::format("{} cannot be written to: {}", folder, std::strerror(errno)),
            "name files elsewhere with -o, or work in another folder"};
  }
  struct statvfs disk {};
  if (statvfs(".", &disk) != 0) return {State::kOk, "working folder", folder, {}};
  const std::uint64_t free = std::uint64_t{disk.f_bavail} * disk.f_frsize;
  const std::string found =
      fmt::format("{}, {} free", folder, text::bytes_text(static_cast<double>(free)));
  if (free >= kLittleDisk) return {State::kOk, "working folder", found, {}};
  return {State::kNote, "working folder", found, "make room before large sweeps"};
}

Check check_terminal() {
  const char* term = std::getenv("TERM");
  const char* no_color = std::getenv("NO_COLOR");
  const bool terminal = isatty(STDOUT_FILENO) == 1;
  std::string found = terminal ? "output goes to a terminal" : "output does not go to a terminal";
  winsize size{};
  if (terminal && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) {
    found += fmt::format(" of {} columns", size.ws_col);
  }
  found += text::style_of(STDOUT_FILENO).colored ? ", coloured" : ", not coloured";
  if (no_color != nullptr && *no_color != '\0') found += " (NO_COLOR)";
  if (terminal && (term == nullptr || *term == '\0')) found += " (TERM is not set)";
  return {State::kOk, "terminal", found, {}};
}

}  // namespace

std::vector<Check> check_machine() {
  return {check_memory(), check_cores(), check_folder(), check_terminal()};
}

}  // namespace vgsim::cli::doctor
