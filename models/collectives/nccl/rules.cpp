#include "models/collectives/nccl/rules.hpp"

namespace vgsim::collectives::nccl {
namespace {

void set_detection(const Version& v, Rules& rules) {
  rules.pxn = v >= Version{2, 12, 0};
  rules.net_inside_host = v >= Version{2, 14, 0};
  rules.bcm_gen5_flattened = v >= Version{2, 19, 0};
  rules.gdr_read_ampere = v >= Version{2, 19, 0};
  rules.p2p_through_roots = v < Version{2, 23, 0};
  rules.c2c_type = v >= Version{2, 24, 0};
  rules.p2c_type = v >= Version{2, 27, 0};
  rules.power_only_reverse = v >= Version{2, 24, 0};
  rules.pxn_needs_gdr = v >= Version{2, 28, 0};
  rules.preferred_net_in_group = v >= Version{2, 30, 0};
  rules.device_nodes = v >= Version{2, 30, 0};
  rules.best_type_paths = v >= Version{2, 30, 0};
}

void set_search(const Version& v, Rules& rules) {
  rules.net_order = v < Version{2, 12, 0}   ? NetOrder::kAsListed
                    : v < Version{2, 17, 0} ? NetOrder::kByDistance
                                            : NetOrder::kOfGpusFirst;
  rules.start_gpu = v < Version{2, 19, 0}   ? StartGpu::kIdleFirst
                    : v < Version{2, 27, 0} ? StartGpu::kRotating
                                            : StartGpu::kOwnFirst;
  rules.replay = v < Version{2, 27, 0} ? Replay::kAlways : Replay::kIfEqualOnly;
  rules.total_speed_checked = v >= Version{2, 17, 0};
  rules.simple_tree_sm90 = v >= Version{2, 17, 0};
  rules.cross_nic_handicap = v >= Version{2, 17, 0} && v < Version{2, 20, 0};
  rules.doubling_spares_sm90 = v >= Version{2, 17, 0};
  rules.net_turns_with_channel = v >= Version{2, 19, 0};
  rules.switch_neighbours = v >= Version{2, 19, 0};
  rules.pci_order_first_on_switch = v < Version{2, 19, 0};
  rules.double_before_pass2 = v >= Version{2, 19, 0};
  rules.nvls_from_net = v >= Version{2, 19, 0};
  rules.nvls_counts_inter = v >= Version{2, 19, 0};
  rules.amd_equal_channels = v >= Version{2, 19, 0};
  rules.nvls_heads_differ = v >= Version{2, 19, 0};
  rules.rail_swap = v >= Version{2, 20, 0};
  rules.nearest_type_start = v >= Version{2, 25, 0};
  rules.lone_gpu_unlimited = v < Version{2, 19, 0};
  rules.return_path_checked = v >= Version{2, 18, 0};
  rules.type_inter_bounded = v >= Version{2, 25, 0};
  rules.type_inter_unbounded_below_sm90 = v >= Version{2, 29, 0};
  rules.split_nvlink_pairs = v >= Version{2, 26, 0};
  rules.nets_stay_inside = v >= Version{2, 30, 0};
  rules.ring_channels = v >= Version{2, 25, 0} ? 32 : 16;
}

void set_channels(const Version& v, Rules& rules) {
  rules.types_by_maximum = v >= Version{2, 12, 0};
  rules.nvls = v >= Version{2, 17, 0};
  rules.quadruple_sm90 = v >= Version{2, 18, 0};
  rules.channels_cover_nvls = v >= Version{2, 19, 0} && v < Version{2, 29, 0};
  rules.nvls_min_gpus = v >= Version{2, 30, 0} ? 2 : 3;
  if (v >= Version{2, 27, 0}) {
    rules.nvls_channels_sm100 = 24;
    rules.nvls_channels_sm100_inter = 32;
  }
  const bool rubin = v >= Version{2, 32, 0};
  rules.nvls_channels_sm107 = rubin ? 48 : rules.nvls_channels_sm100;
  rules.nvls_channels_sm107_inter = rubin ? 64 : rules.nvls_channels_sm100_inter;
}

}  // namespace

Rules rules_of(const Version& version) {
  Rules rules;
  set_detection(version, rules);
  set_search(version, rules);
  set_channels(version, rules);
  return rules;
}

}  // namespace vgsim::collectives::nccl
