#pragma once

#include <string_view>
#include <tl/expected.hpp>

#include "models/calibration/measurement.hpp"
#include "topology/input/diagnostics.hpp"
#include "topology/input/source_file.hpp"

namespace vgsim::calibration {

/// Whether a text is the output of nvbandwidth, as text or as JSON.
[[nodiscard]] bool is_nvbandwidth_log(std::string_view text);

/// Reads the output of nvbandwidth (https://github.com/NVIDIA/nvbandwidth) from v0.2 on, as text or
/// as JSON (`nvbandwidth -j`). The file can contain other lines, launcher prefixes such as
/// "[1,0]<stdout>:" or "0: ", and several runs of one version on one machine. The measurement has
/// no name.
///
/// Each cell of a table becomes one work item. A table of all_to_host and host_to_all becomes a
/// single item, with the time of the slowest GPU. The first route is the one with the reported
/// rate. Waived, damaged and unknown tests, and those that do not match the devices, are skipped
/// with a reason.
///
/// The size of the copies comes from the command line (-b); default: 64 MiB before v0.7, then 512
/// MiB. Errors: E621 no readable value, E622 runs of different versions or devices; those of
/// read_json(). Warnings: W621 no list of devices.
[[nodiscard]] tl::expected<Measurement, input::Diagnostics> read_nvbandwidth_log(
    const input::SourcePtr& file, input::Diagnostics& warnings);

}  // namespace vgsim::calibration
