#pragma once

#include <chrono>
#include <functional>
#include <string>

namespace vgsim::cli {

/// A progress line on stderr: only on a terminal, after a second, updated a few times a second.
/// The destructor erases it.
class ProgressLine {
 public:
  ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;
  ~ProgressLine();

  /// May be called at any rate: `text` is called only when the line is updated, with the
  /// seconds since the start.
  void show(const std::function<std::string(double seconds)>& text);

 private:
  using Clock = std::chrono::steady_clock;

  bool on_terminal_;
  bool shown_ = false;
  Clock::time_point started_;
  Clock::time_point next_;
};

}  // namespace vgsim::cli
