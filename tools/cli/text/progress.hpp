#pragma once

#include <chrono>
#include <functional>
#include <string>

namespace vgsim::cli {

/// One line on stderr that tells how far a run has come: only on a terminal, only after a second,
/// a few times a second. It is wiped out when the object goes.
class ProgressLine {
 public:
  ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;
  ~ProgressLine();

  /// To be called as often as one likes: the text is asked for when it is shown, with the seconds
  /// since the start.
  void show(const std::function<std::string(double seconds)>& text);

 private:
  using Clock = std::chrono::steady_clock;

  bool on_terminal_;
  bool shown_ = false;
  Clock::time_point started_;
  Clock::time_point next_;
};

}  // namespace vgsim::cli
