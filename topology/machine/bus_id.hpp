#pragma once

#include <string>
#include <string_view>

namespace vgsim::topology {

/// Normal form of a PCI address: lower-case hex, a domain of four digits or, if needed, up to eight
/// ("0000:3b:00.0"). NVML, for instance, writes "00000000:3B:00.0". Empty if the text is not
/// domain:bus:device.function.
[[nodiscard]] std::string normalized_bus_id(std::string_view text);

/// The device of the function with a normalized bus id: "0000:3b:00" for "0000:3b:00.1".
[[nodiscard]] std::string_view card_of(std::string_view bus_id);

/// Whether NVML and Linux order the device at normalized bus id `a` before the one at `b`.
[[nodiscard]] bool bus_id_less(const std::string& a, const std::string& b);

}  // namespace vgsim::topology
