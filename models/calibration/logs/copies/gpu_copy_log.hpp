#pragma once

#include <string_view>
#include <tl/expected.hpp>

#include "models/calibration/measurement.hpp"
#include "topology/input/diagnostics.hpp"
#include "topology/input/source_file.hpp"

namespace vgsim::calibration {

/// Whether a text is the output of SuperBench's gpu_copy.
[[nodiscard]] bool is_gpu_copy_log(std::string_view text);

/// Reads the output of gpu_copy, the program behind SuperBench's gpu-copy-bw
/// (https://github.com/microsoft/superbenchmark): lines such as "cpu_to_gpu0_by_dma_under_numa0
/// 26.2" or, for both directions at a time, "gpu0_and_gpu1_write_by_sm 440.0", with "_uni" or "_bi"
/// behind them in early releases. Other lines may stand around them, launchers may put
/// "[1,0]<stdout>:" or "0: " before each. The measurement has no name, its GPUs neither.
///
/// Each line becomes one piece of work; of both directions the tool tells the sum. Host memory is
/// pinned, on the NUMA node that is named. The size of the copies is what the command line tells
/// (--size), otherwise SuperBench's default: 64 MiB in early releases, then 256 MiB. Left out are
/// copies between all GPUs at the same time, and those within a GPU but for early releases: later
/// ones differ in whether reading and writing both count. Errors: E621 nothing could be read.
[[nodiscard]] tl::expected<Measurement, input::Diagnostics> read_gpu_copy_log(
    const input::SourcePtr& file, input::Diagnostics& warnings);

}  // namespace vgsim::calibration
