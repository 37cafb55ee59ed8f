#include "tools/cli/text/progress.hpp"

#include <fmt/core.h>
#include <unistd.h>

#include <cstdio>

namespace vgsim::cli {
namespace {

constexpr const char* kWipe = "\r\x1b[K";

}  // namespace

ProgressLine::ProgressLine()
    : on_terminal_(isatty(STDERR_FILENO) == 1),
      started_(Clock::now()),
      next_(started_ + std::chrono::seconds(1)) {}

ProgressLine::~ProgressLine() {
  if (shown_) fmt::print(stderr, "{}", kWipe);
}

void ProgressLine::show(const std::function<std::string(double seconds)>& text) {
  if (!on_terminal_) return;
  const Clock::time_point now = Clock::now();
  if (now < next_) return;
  next_ = now + std::chrono::milliseconds(250);
  shown_ = true;
  const auto seconds = std::chrono::duration<double>(now - started_).count();
  fmt::print(stderr, "{}{}", kWipe, text(seconds));
  std::fflush(stderr);
}

}  // namespace vgsim::cli
