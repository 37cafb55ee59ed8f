#pragma once

#include <optional>
#include <string>

#include "models/questions/studies/one_run.hpp"
#include "models/scenario/run/result.hpp"

namespace vgsim::scenario {

/// Bus bandwidth of one collective on a layout, without training, by message size.
struct BusbwCurve {
  std::string layout;
  CollectiveResult collective;   ///< without points if it was not computed
  std::optional<LinkUse> limit;  ///< busiest link for the largest message
  std::string left_out;          ///< why it was not computed; empty if it was
};

/// The bus bandwidth with the limiting link fully used, in GB/s; nothing if no link is used.
[[nodiscard]] std::optional<double> limit_GBps(const BusbwCurve& curve);

/// The points of a layout with a collective of several sizes. For other layouts runs an AllReduce
/// of 8 B to 4 GiB on the GPUs and with the NCCL settings of its job.
[[nodiscard]] BusbwCurve busbw_curve(const Studied& studied, const LayoutResult& layout);

}  // namespace vgsim::scenario
