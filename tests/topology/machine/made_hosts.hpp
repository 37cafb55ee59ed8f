#pragma once

#include <cstdint>
#include <string>

#include "topology/machine/inventory.hpp"

/// Inventories as dumps would give them, of machines that do not exist.
namespace vgsim::topology::inventory::testing {

inline constexpr const char* kMadeUp = "made-up.xml";

template <class T>
[[nodiscard]] Stated<T> stated(T value) {
  return {std::move(value), kMadeUp};
}

[[nodiscard]] Device bridge(const std::string& bus_id, PcieWidth link);
[[nodiscard]] Device gpu(std::int64_t index, const std::string& bus_id, PcieWidth link);
[[nodiscard]] Device nic(const std::string& name, const std::string& bus_id, PcieWidth link);
/// NVLinks of 25 GB/s each.
void add_nvlinks(Device& gpu, const std::string& target, std::int64_t count);

/// Two sockets with two switches each, of Gen5 x16; below each switch two GPUs and two NICs; from
/// each GPU 18 NVLinks to switches that are not seen.
[[nodiscard]] Inventory eight_gpu_host();

}  // namespace vgsim::topology::inventory::testing
