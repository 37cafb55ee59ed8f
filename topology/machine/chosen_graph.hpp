#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace vgsim::topology::inventory {

/// One graph that NCCL chose (NCCL_GRAPH_DUMP_FILE): the channels of one pattern.
struct ChosenGraph {
  std::int64_t id = 0;       ///< 0 ring, 1 tree, 2 CollNet chain, 3 NVLS, 4 CollNet direct
  std::int64_t pattern = 0;  ///< 4 ring, 1 balanced tree, 2 split tree, 3 tree, 5 NVLS, 6 direct
  std::int64_t cross_nic = 0;
  double speed_intra = 0;  ///< GB/s of a channel
  double speed_inter = 0;
  double latency_inter = 0;  ///< us
  std::string type_intra;    ///< "NVL"
  std::string type_inter;
  bool same_channels = true;
  struct Step {
    bool is_net = false;
    std::int64_t dev = 0;

    bool operator==(const Step&) const = default;
  };
  std::vector<std::vector<Step>> channels;

  bool operator==(const ChosenGraph&) const = default;
};

}  // namespace vgsim::topology::inventory
