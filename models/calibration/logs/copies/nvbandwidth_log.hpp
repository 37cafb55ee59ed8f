#pragma once

#include <string_view>
#include <tl/expected.hpp>

#include "models/calibration/measurement.hpp"
#include "topology/input/diagnostics.hpp"
#include "topology/input/source_file.hpp"

namespace vgsim::calibration {

/// Whether a text is the output of nvbandwidth, as text or as JSON.
[[nodiscard]] bool is_nvbandwidth_log(std::string_view text);

/// Reads the output of nvbandwidth (https://github.com/NVIDIA/nvbandwidth), from v0.2 on, as text
/// or as JSON (`nvbandwidth -j`). Other lines may stand around it, launchers may put
/// "[1,0]<stdout>:" or "0: " before each line of text, and several runs of one version on one
/// machine may follow one another. The measurement has no name.
///
/// Each cell of a table becomes one piece of work, a table of all_to_host and host_to_all one in
/// all: its time is that of the slowest GPU. The first route is the one whose rate is told. What
/// is waived, damaged, of an unknown kind or does not fit the devices is left out with a reason.
///
/// The size of the copies is what the command line tells (-b), otherwise the tool's default: 64 MiB
/// before v0.7, then 512 MiB. Errors: E621 nothing could be read, E622 runs of different versions
/// or devices; those of read_json(). Warnings: W621 no list of devices.
[[nodiscard]] tl::expected<Measurement, input::Diagnostics> read_nvbandwidth_log(
    const input::SourcePtr& file, input::Diagnostics& warnings);

}  // namespace vgsim::calibration
