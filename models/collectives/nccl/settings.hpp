#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "models/collectives/nccl/search/search_result.hpp"
#include "models/collectives/nccl/tuning/algorithm_filter.hpp"
#include "topology/machine/chosen_graph.hpp"

namespace vgsim::collectives::nccl {

/// The NCCL environment variables with an effect in this model. Empty: unset, NCCL's default
/// applies.
struct Settings {
  std::optional<PathType> p2p_level;      ///< NCCL_P2P_LEVEL; kLoc for NCCL_P2P_DISABLE=1
  std::optional<bool> shm_disable;        ///< NCCL_SHM_DISABLE
  std::optional<bool> nvb_disable;        ///< NCCL_NVB_DISABLE
  std::optional<PathType> net_gdr_level;  ///< NCCL_NET_GDR_LEVEL
  std::optional<int> net_gdr_read;        ///< NCCL_NET_GDR_READ
  std::optional<int> cross_nic;           ///< NCCL_CROSS_NIC
  std::optional<int> min_channels;        ///< NCCL_MIN_NCHANNELS, or NCCL_MIN_NRINGS
  std::optional<int> max_channels;        ///< NCCL_MAX_NCHANNELS, or NCCL_MAX_NRINGS
  std::optional<int> min_ctas;            ///< NCCL_MIN_CTAS
  std::optional<int> max_ctas;            ///< NCCL_MAX_CTAS
  std::optional<int> nvls_enable;         ///< NCCL_NVLS_ENABLE
  std::optional<bool> collnet_enable;     ///< NCCL_COLLNET_ENABLE
  std::optional<bool> pxn_disable;        ///< NCCL_PXN_DISABLE
  std::optional<bool> net_disable_intra;  ///< NCCL_NET_DISABLE_INTRA
  AlgorithmFilter filter;                 ///< NCCL_ALGO and NCCL_PROTO
  std::optional<std::string> ib_hca;      ///< NCCL_IB_HCA, as written
  std::optional<bool> ib_disable;         ///< NCCL_IB_DISABLE
  std::optional<std::string> topo_file;   ///< NCCL_TOPO_FILE
  std::optional<std::string> graph_file;  ///< NCCL_GRAPH_FILE, a path
  /// The content of that file, once read: replaces the result of the search.
  std::vector<topology::inventory::ChosenGraph> graphs;
  std::optional<std::int64_t> buffsize;            ///< NCCL_BUFFSIZE, bytes
  std::optional<std::int64_t> ll_buffsize;         ///< NCCL_LL_BUFFSIZE, bytes
  std::optional<std::int64_t> ll128_buffsize;      ///< NCCL_LL128_BUFFSIZE, bytes
  std::optional<std::int64_t> nvls_chunk_size;     ///< NCCL_NVLS_CHUNKSIZE, bytes
  std::optional<std::int64_t> p2p_net_chunk_size;  ///< NCCL_P2P_NET_CHUNKSIZE, bytes
  std::optional<int> threads;                      ///< NCCL_NTHREADS
  std::optional<bool> ignore_cpu_affinity;         ///< NCCL_IGNORE_CPU_AFFINITY

  bool operator==(const Settings&) const = default;
};

/// The reason why a variable cannot be used.
struct SettingError {
  std::string name;     ///< of the variable, as written
  std::string message;  ///< the error
  std::string expected;
  std::vector<std::string> suggestions;  ///< nearest valid words, best first
};

/// The names that parse_settings() accepts, sorted.
[[nodiscard]] std::vector<std::string> setting_names();

/// Reads variables by NCCL's names and rules: paths by letters ("PXB") or old numbers (0 to 5),
/// numbers as strtoll reads them. NCCL variables without effect in this model are errors as well,
/// since they would be ignored. NCCL_P2P_DISABLE=1 takes precedence over NCCL_P2P_LEVEL, and
/// ..._NCHANNELS over ..._NRINGS. Returns all errors, sorted by name.
[[nodiscard]] tl::expected<Settings, std::vector<SettingError>> parse_settings(
    const std::map<std::string, std::string>& given);

/// Whether NCCL has such a variable without effect in this model: logging, retries, plug-ins and
/// similar. Source: NCCL's user guide, environment variables.
[[nodiscard]] bool is_without_effect(const std::string& name);

}  // namespace vgsim::collectives::nccl
