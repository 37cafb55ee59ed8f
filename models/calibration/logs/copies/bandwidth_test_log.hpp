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
/// (https://github.com/NVIDIA/cuda-samples), in any release: quick, range and shmoo mode, as tables
/// or as lines of --csv. The file can contain other lines, launcher prefixes such as
/// "[1,0]<stdout>:" or "0: ", and several runs on one machine. The measurement has no name.
///
/// Each line becomes one work item. Inside a GPU's memory the tool counts reading and writing. A
/// rate in GB/s has one decimal, so rates below 1 GB/s are skipped. So are sums over several
/// devices, which the tool measures one after another, and write-combined memory.
///
/// 1 MB/s is 1024000 bytes/s from CUDA 5 on, and 1048576 before: see the functions test*Transfer()
/// in bandwidthTest.cu. Errors: E621 no readable value, E622 one device with two names. Warnings:
/// W621 no device name.
[[nodiscard]] tl::expected<Measurement, input::Diagnostics> read_bandwidth_test_log(
    const input::SourcePtr& file, input::Diagnostics& warnings);

}  // namespace vgsim::calibration
