#include "topology/input/binary_size.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <iterator>

#include "topology/input/units/unit_strings.hpp"

namespace vgsim::input {

std::string format_binary_size(Bytes bytes) {
  constexpr const char* kUnits[] = {"B", "KiB", "MiB", "GiB", "TiB"};
  std::int64_t count = bytes.count();
  std::size_t unit = 0;
  while (unit + 1 < std::size(kUnits) && count > 0 && count % 1024 == 0) {
    count /= 1024;
    ++unit;
  }
  return count < 10'000 ? fmt::format("{} {}", count, kUnits[unit]) : format_bytes(bytes);
}

}  // namespace vgsim::input
