#pragma once

#include <string>
#include <vector>

#include "topology/catalog/catalog.hpp"
#include "topology/graph/graph.hpp"
#include "topology/graph/path_class.hpp"
#include "topology/importers/nccl/nccl_xml.hpp"
#include "topology/machine/build_host.hpp"

namespace vgsim::topology::testing {

using inventory::HostCompletion;

/// A handful of parts with round numbers, so that tests do not depend on the real catalogue:
/// GPUs t4, a100-40, a100-80 (both sm80), h100, h200; NICs plain-25g, rdma-100g, rdma-200g,
/// rdma-400g; CPUs intel-icelake (6, 106), amd-rome (143, 49), amd-milan (175, 1); PCIe 3 to 5 with
/// 1, 2 and 4 GB/s per lane; NVLink 3 and 4 with 25 GB/s; boards of four A100 with four NVLinks
/// between any two (for IBM's CPUs six), and of eight on an NVSwitch.
[[nodiscard]] Catalog small_catalog();

/// What came of importing a text, and the catalogue that it refers to.
struct Imported {
  Catalog catalog;
  Topology topology;
  input::Diagnostics diagnostics;

  [[nodiscard]] const Host& host() const { return topology.hosts.at(0); }
  [[nodiscard]] bool ok() const { return !diagnostics.has_errors(); }
  [[nodiscard]] PathClass gpu_path(std::size_t a, std::size_t b) const;
  [[nodiscard]] PathClass nic_path(std::size_t gpu, std::size_t nic) const;
  /// The link of a device towards the host.
  [[nodiscard]] const LinkResource& uplink(Vertex device) const;
  /// The NVLink between two vertices, or nullptr.
  [[nodiscard]] const LinkResource* nvlink(Vertex a, Vertex b) const;
  [[nodiscard]] std::size_t count(NodeKind kind) const;
  [[nodiscard]] bool assumes(const std::string& part) const;
  /// "3:5 E508" for each message, in order.
  [[nodiscard]] std::vector<std::string> codes() const;
  [[nodiscard]] bool says(const std::string& part) const;
};

/// How a test completes the file, given the catalogue that it will be imported with.
using Completing = HostCompletion (*)(const Catalog& catalog);

[[nodiscard]] Imported import_text(const std::string& xml, Completing completing = nullptr);
[[nodiscard]] Imported import_with(Catalog catalog, const input::SourcePtr& source,
                                   Completing completing = nullptr);

/// <system version="1"> around the text, on a separate line.
[[nodiscard]] std::string system_of(const std::string& cpus);
/// One Ice Lake NUMA node with the text in it, inside <system>: the text starts on line 3.
[[nodiscard]] std::string one_cpu(const std::string& content);

}  // namespace vgsim::topology::testing
