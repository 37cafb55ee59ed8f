#pragma once

#include <optional>
#include <string>

#include "models/questions/studies/one_run.hpp"
#include "models/scenario/run/result.hpp"

namespace vgsim::scenario {

/// What the links of a layout make of one collective, alone, by message size.
struct BusbwCurve {
  std::string layout;
  CollectiveResult collective;   ///< no points where it was not done
  std::optional<LinkUse> limit;  ///< the busiest link, with the largest message
  std::string left_out;          ///< why it was not done; empty where it was
};

/// The bus bandwidth that the limit would allow if it were used all the time, in GB/s; nothing
/// where no link is used.
[[nodiscard]] std::optional<double> limit_GBps(const BusbwCurve& curve);

/// The points of a layout that ran a collective of several sizes. For others an AllReduce of 8 B to
/// 4 GiB among the GPUs of its job, which keeps what it says of NCCL, is run.
[[nodiscard]] BusbwCurve busbw_curve(const Studied& studied, const LayoutResult& layout);

}  // namespace vgsim::scenario
