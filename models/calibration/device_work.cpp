#include "models/calibration/device_work.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <string_view>

#include "topology/input/binary_size.hpp"

namespace vgsim::calibration {
namespace {

/// The number after `start`, if `text` consists of both only.
std::optional<std::size_t> number_after(std::string_view text, std::string_view start) {
  if (!text.starts_with(start)) return std::nullopt;
  text.remove_prefix(start.size());
  std::size_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

struct WorkWords {
  std::string operator()(const Copies& copies) const {
    std::vector<std::string> routes;
    constexpr std::size_t kNamed = 2;
    for (std::size_t r = 0; r < std::min(kNamed, copies.routes.size()); ++r) {
      const Route& route = copies.routes[r];
      routes.push_back(fmt::format("{} -> {}", to_string(route.from), to_string(route.to)));
    }
    if (copies.routes.size() > kNamed) {
      routes.push_back(fmt::format("{} more", copies.routes.size() - kNamed));
    }
    return fmt::format("copy {}{}{}, {}", fmt::join(routes, " and "),
                       copies.by_kernel ? " by a kernel" : "",
                       copies.peer_access ? "" : " without peer access", size(copies.size));
  }
  std::string operator()(const MemoryPass& pass) const {
    return fmt::format("memory of gpu{}, {}", pass.gpu, size(pass.size));
  }
  std::string operator()(const Product& product) const {
    return fmt::format("product on gpu{}, {}, {} x {} x {}", product.gpu, product.precision,
                       product.m, product.n, product.k);
  }
  std::string operator()(const Launch& launch) const {
    return fmt::format("launch on gpu{}{}", launch.gpu, launch.waits ? ", waiting" : "");
  }
  std::string operator()(const TrainingStep& step) const {
    return fmt::format("training step of a {} on gpu{}, {}, batch {}", step.network, step.gpu,
                       step.precision, step.batch);
  }
  std::string operator()(const CollectiveCall& call) const {
    return fmt::format("{} of {} GPUs{}{}{}, {}", call.collective, call.gpus.size(),
                       call.machines > 1 ? fmt::format(" on {} machines", call.machines) : "",
                       call.algorithm ? ", " + *call.algorithm : "",
                       call.protocol ? ", " + *call.protocol : "", size(call.size));
  }

  static std::string size(Bytes bytes) { return input::format_binary_size(bytes); }
};

}  // namespace

std::string to_string(const Place& place) {
  if (place.kind == Place::Kind::kGpu) return fmt::format("gpu{}", place.gpu);
  const char* memory = place.kind == Place::Kind::kPinned ? "pinned" : "pageable";
  return place.numa_node ? fmt::format("{}.numa{}", memory, *place.numa_node) : memory;
}

std::optional<Place> place_of(const std::string& text) {
  if (const auto gpu = number_after(text, "gpu")) return Place{Place::Kind::kGpu, *gpu, {}};
  for (const Place::Kind kind : {Place::Kind::kPinned, Place::Kind::kPageable}) {
    const std::string memory = kind == Place::Kind::kPinned ? "pinned" : "pageable";
    if (text == memory) return Place{kind, 0, {}};
    if (const auto node = number_after(text, memory + ".numa")) return Place{kind, 0, node};
  }
  return std::nullopt;
}

std::string describe(const DeviceWork& work) { return std::visit(WorkWords{}, work); }

}  // namespace vgsim::calibration
