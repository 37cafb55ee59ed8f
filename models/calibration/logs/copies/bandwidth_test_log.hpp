#pragma once

#include <string_view>
#include <tl/expected.hpp>

#include "models/calibration/measurement.hpp"
#include "topology/input/diagnostics.hpp"
#include "topology/input/source_file.hpp"

namespace vgsim::calibration {

/// Whether a text is the output of bandwidthTest.
[[nodiscard]] bool is_bandwidth_test_log(std::string_view text);

/// Reads the output of bandwidthTest, one of the CUDA samples up to CUDA 12
/// (https://github.com/NVIDIA/cuda-samples): quick, range and shmoo mode, as tables or as lines of
/// --csv, of any release. Other lines may stand around it, launchers may put "[1,0]<stdout>:" or
/// "0: " before each line, and several runs on one machine may follow one another. The measurement
/// has no name.
///
/// Each line becomes one piece of work. Within a GPU's memory the tool counts reading and writing.
/// A rate in GB/s has one digit after the point: below 1 GB/s it is left out. So are sums over
/// several devices, which the tool measures one after another, and write-combined memory.
///
/// MB/s are 1024000 bytes per second from CUDA 5 on, and 1048576 before: see the functions
/// test*Transfer() in bandwidthTest.cu. Errors: E621 nothing could be read, E622 one device with
/// two names. Warnings: W621 no device is named.
[[nodiscard]] tl::expected<Measurement, input::Diagnostics> read_bandwidth_test_log(
    const input::SourcePtr& file, input::Diagnostics& warnings);

}  // namespace vgsim::calibration
