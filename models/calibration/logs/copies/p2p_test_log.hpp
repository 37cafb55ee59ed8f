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
/// (https://github.com/NVIDIA/cuda-samples). Other lines may stand around it, launchers may
/// put "[1,0]<stdout>:" or "0: " before each line, and several runs on one machine may follow one
/// another. The measurement has no name.
///
/// Each cell becomes one piece of work. Bandwidths: a bidirectional one counts both copies, one on
/// the diagonal counts reading and writing of a copy within the GPU's memory. Latencies: the time
/// of one of many copies of 16 bytes (1 byte in old releases) by cudaMemcpyPeerAsync that wait in
/// a stream together, so without the time it takes to start a copy. Without P2P, and between GPUs
/// that the connectivity matrix parts, peer_access is false. What is damaged, of unknown units or
/// does not fit the devices is left out with a reason.
///
/// The size of the copies is what the command line tells (--numElems), otherwise 160 MB, or 40 MB
/// in releases before CUDA 10. --sm_copy, which only the command line tells, makes them kernels'.
/// Errors: E621 nothing could be read, E622 runs on different devices. Warnings: W621 no list of
/// devices.
[[nodiscard]] tl::expected<Measurement, input::Diagnostics> read_p2p_test_log(
    const input::SourcePtr& file, input::Diagnostics& warnings);

}  // namespace vgsim::calibration
