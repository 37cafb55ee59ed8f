#include "topology/importers/hwloc/hwloc_link_counts.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

#include "topology/importers/hwloc/hwloc_values.hpp"

namespace vgsim::topology {
namespace {

/// NVIDIA chips with NVLink, by the range of their device ids.
///
/// The rate of one link depends on its generation and, from the third on, on the hwloc release,
/// which counted both directions from 2.0 to 2.9.0. The PCI id of the GPU determines the
/// generation; if it is unknown, the rate is one that divides the total of the GPU's links.
struct Chip {
  std::uint32_t first;
  std::uint32_t last;
  int generation;
  std::int64_t links;
};
constexpr std::array kChips = {
    Chip{0x15f7, 0x15ff, 1, 4},   // GP100
    Chip{0x1d81, 0x1dff, 2, 6},   // GV100
    Chip{0x1e00, 0x1eff, 2, 2},   // TU102, TU104
    Chip{0x2080, 0x20ff, 3, 12},  // GA100
    Chip{0x2200, 0x22ff, 3, 4},   // GA102
    Chip{0x2300, 0x23ff, 4, 18},  // GH100
    Chip{0x2900, 0x29ff, 5, 18},  // GB100
    Chip{0x3180, 0x31ff, 5, 18},  // GB110
};

const Chip* chip_of(std::string_view device_id) {
  std::uint32_t id = 0;
  const char* end = device_id.data() + device_id.size();
  const auto [rest, failure] = std::from_chars(device_id.data(), end, id, 16);
  if (failure != std::errc() || rest != end) return nullptr;
  const auto chip = std::ranges::find_if(
      kChips, [&](const Chip& known) { return id >= known.first && id <= known.last; });
  return chip == kChips.end() ? nullptr : &*chip;
}

/// Whether the version is 2.0 to 2.9.0. False for other versions and development builds ("PR-436").
bool counts_both_directions(std::string_view version) {
  if (!version.starts_with("2.")) return false;
  version.remove_prefix(2);
  const std::string_view minor = version.substr(0, version.find('.'));
  const auto number = number_of<int>(minor);
  if (!number || *number > 9) return false;
  return *number < 9 || version == "9" || version == "9.0";
}

}  // namespace

std::int64_t hwloc_nvlink_megabytes(std::string_view device_id, std::int64_t total,
                                    std::string_view version) {
  constexpr std::int64_t kFirst = 20000;
  constexpr std::int64_t kSecond = 25000;
  constexpr std::int64_t kFifth = 50000;
  const Chip* chip = chip_of(device_id);
  if (chip == nullptr) return total % kSecond != 0 && total % kFirst == 0 ? kFirst : kSecond;
  if (chip->generation == 1) return kFirst;
  if (chip->generation == 2) return kSecond;
  if (chip->generation == 5) return kFifth;
  const bool too_many = total > chip->links * kSecond;
  return too_many || counts_both_directions(version) ? 2 * kSecond : kSecond;
}

}  // namespace vgsim::topology
