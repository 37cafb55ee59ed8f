#include "sim/fingerprint.hpp"

#include <fmt/format.h>

#include "sim/random.hpp"
#include "sim/recorder.hpp"

namespace vgsim {
void Fingerprint::add(std::uint64_t word) {
  constexpr std::uint64_t kGolden = 0x9e3779b97f4a7c15ULL;
  state_ = split_mix(state_ + kGolden + split_mix(word));
}

std::uint64_t event_fingerprint(const Timeline& timeline) { return timeline.event_fingerprint; }

std::uint64_t result_fingerprint(const Timeline& timeline) {
  Fingerprint print;
  for (const TaskRecord& task : timeline.tasks) {
    print.add(static_cast<std::uint64_t>(task.ready.count()));
    print.add(static_cast<std::uint64_t>(task.end.count()));
  }
  return print.value();
}

std::string fingerprint_text(std::uint64_t fingerprint) {
  return fmt::format("{:016x}", fingerprint);
}

}  // namespace vgsim
