#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "topology/importers/infragraph/infragraph_model.hpp"

/// What names and descriptions of InfraGraph documents say: the schema leaves to them what an
/// NVLink is, or how fast a PCIe slot.
namespace vgsim::topology::infragraph {

/// What a component is in a host.
enum class Role : std::uint8_t {
  kCpu,
  kGpu,
  kNic,
  kBridge,     ///< a PCIe switch or bridge
  kRoot,       ///< a root complex
  kConnector,  ///< a slot or the like, that passes PCIe on
  kNvSwitch,
  kStorage,
  kMemory,
  kPort,     ///< of a network
  kDisplay,  ///< graphics of a management controller
  kOther,
};

/// From the component's kind, and if that does not say it from its custom type, name and
/// description, the first that knows a word. A device behind a component is not looked into.
[[nodiscard]] Role role_of(const Component& component);

/// Whether a name or a description speaks of a network card.
[[nodiscard]] bool speaks_of_nic(const std::string& text);

/// Description or name, whichever is more than "xpu"; empty if none is.
[[nodiscard]] std::string model_of(const Component& component);

enum class LinkKind : std::uint8_t { kPcie, kNvLink, kXgmi, kC2c, kMemory, kNetwork, kOther };

/// By name, or else by description.
[[nodiscard]] LinkKind kind_of(const Link& link);

/// What a link says of PCIe.
struct PcieTold {
  std::optional<std::int64_t> generation;
  std::optional<std::int64_t> lanes;
  bool inferred = false;  ///< the lanes follow from generation and bandwidth
};

/// From "PCIe Gen4 x16", "PCI Express 5.0", "pcie3", "32 GT/s", 16 lanes and the like in
/// description or name, then from the bandwidth: GT/s of a lane tell the generation, GB/s of the
/// link the lanes once the generation is known.
[[nodiscard]] PcieTold pcie_of(const Link& link);

/// How many NVLinks or xGMI links an edge stands for.
struct LinksTold {
  std::int64_t count = 1;
  std::optional<double> gigabytes_each;  ///< per second and direction
};

/// From "18 NVLinks", "NV12", "NVLink x4", "25 GB/s each" in description or name; nothing if no
/// number is told.
[[nodiscard]] std::optional<LinksTold> links_of(const Link& link);

/// "Gbit/s", "GB/s", "GT/s".
[[nodiscard]] const char* unit_text(BandwidthUnit unit);

}  // namespace vgsim::topology::infragraph
