#pragma once

#include <string_view>
#include <tl/expected.hpp>

#include "models/calibration/measurement.hpp"
#include "topology/input/diagnostics.hpp"
#include "topology/input/source_file.hpp"

namespace vgsim::calibration {

/// Whether a text is the output of p2pBandwidthLatencyTest.
[[nodiscard]] bool is_p2p_test_log(std::string_view text);

/// Reads the output of p2pBandwidthLatencyTest, one of the CUDA samples
/// (https://github.com/NVIDIA/cuda-samples). The file can contain other lines, launcher prefixes
/// such as "[1,0]<stdout>:" or "0: ", and several runs on one machine. The measurement has no name.
///
/// Each cell becomes one work item. Bandwidths: a bidirectional one counts both copies, one on the
/// diagonal counts reading and writing of a copy inside the GPU's memory. Latencies: the time of
/// one of many copies of 16 bytes (1 byte in old releases) by cudaMemcpyPeerAsync that are queued
/// in a stream, so without the time to start a copy. Without P2P, and between GPUs without access
/// in the connectivity matrix, peer_access is false. Damaged values, unknown units and values that
/// do not match the devices are skipped with a reason.
///
/// The size of the copies comes from the command line (--numElems); default: 160 MB, or 40 MB in
/// releases before CUDA 10. With --sm_copy on the command line, kernels copy. Errors: E621 no
/// readable value, E622 runs on different devices. Warnings: W621 no list of devices.
[[nodiscard]] tl::expected<Measurement, input::Diagnostics> read_p2p_test_log(
    const input::SourcePtr& file, input::Diagnostics& warnings);

}  // namespace vgsim::calibration
