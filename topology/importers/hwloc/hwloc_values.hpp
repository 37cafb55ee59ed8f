#pragma once

#include <charconv>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>

namespace vgsim::topology {

/// The whole text as a number; empty if it is none.
template <class Number>
[[nodiscard]] std::optional<Number> number_of(std::string_view text) {
  Number value{};
  const char* end = text.data() + text.size();
  const auto [rest, failure] = std::from_chars(text.data(), end, value);
  if (failure != std::errc() || rest != end) return std::nullopt;
  return value;
}

/// A set as libhwloc writes it: "0x0000ffff,,0x1". Empty if the text is not a set, or if the set
/// has numbers beyond 16383 or no end.
[[nodiscard]] std::optional<std::string> hwloc_set_of(std::string_view text);

/// Class, ids, subsystem and revision, "0302 [10de:2330] [10de:16c1] a1", without any text after
/// them; empty for other texts.
[[nodiscard]] std::string hwloc_pci_type_of(std::string_view text);

/// The domain of the buses behind a bridge: of "0000:[3a-3e]" it is "0000". Empty if the text is
/// not such a range.
[[nodiscard]] std::string_view domain_of_hwloc_buses(std::string_view text);

}  // namespace vgsim::topology
