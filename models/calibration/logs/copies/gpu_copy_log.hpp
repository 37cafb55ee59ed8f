#pragma once

#include <string_view>
#include <tl/expected.hpp>

#include "models/calibration/measurement.hpp"
#include "topology/input/diagnostics.hpp"
#include "topology/input/source_file.hpp"

namespace vgsim::calibration {

/// Whether a text is the output of SuperBench's gpu_copy.
[[nodiscard]] bool is_gpu_copy_log(std::string_view text);

/// Reads the output of gpu_copy, the program of SuperBench's gpu-copy-bw
/// (https://github.com/microsoft/superbenchmark): lines such as
/// "cpu_to_gpu0_by_dma_under_numa0 26.2" or, for both directions, "gpu0_and_gpu1_write_by_sm
/// 440.0", with the suffix "_uni" or "_bi" in early releases. The file can contain other lines and
/// launcher prefixes such as "[1,0]<stdout>:" or "0: ". The measurement and its GPUs have no name.
///
/// Each line becomes one work item; for both directions the tool reports the sum. Host memory is
/// pinned on the named NUMA node. The size of the copies comes from the command line (--size);
/// default: 64 MiB in early releases, then 256 MiB. Skipped are concurrent copies between all GPUs,
/// and copies inside a GPU except in early releases: later ones differ in whether both reading and
/// writing count. Errors: E621 no readable value.
[[nodiscard]] tl::expected<Measurement, input::Diagnostics> read_gpu_copy_log(
    const input::SourcePtr& file, input::Diagnostics& warnings);

}  // namespace vgsim::calibration
