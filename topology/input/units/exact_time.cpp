#include "topology/input/units/exact_time.hpp"

#include <fmt/format.h>

namespace vgsim::input {

std::string exact_time_text(SimTime time) {
  constexpr std::int64_t kPicosecondsPerMicrosecond = 1'000'000;
  std::string text = fmt::format("{}.{:06}", time.count() / kPicosecondsPerMicrosecond,
                                 time.count() % kPicosecondsPerMicrosecond);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text + " us";
}

}  // namespace vgsim::input
