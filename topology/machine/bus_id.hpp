#pragma once

#include <string>
#include <string_view>

namespace vgsim::topology {

/// A PCI address in the one form that compares: lower-case hex, a domain of four digits or, if it
/// needs them, up to eight ("0000:3b:00.0"). Sources differ: NVML writes "00000000:3B:00.0". Empty
/// if the text is not domain:bus:device.function.
[[nodiscard]] std::string normalized_bus_id(std::string_view text);

/// The device that a normalized bus id is a function of: "0000:3b:00" of "0000:3b:00.1".
[[nodiscard]] std::string_view card_of(std::string_view bus_id);

/// Whether NVML and Linux number the device at normalized bus id `a` before the one at `b`.
[[nodiscard]] bool bus_id_less(const std::string& a, const std::string& b);

}  // namespace vgsim::topology
