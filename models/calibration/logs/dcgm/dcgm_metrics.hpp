#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

#include "topology/input/diagnostics.hpp"
#include "topology/input/source_file.hpp"

namespace vgsim::calibration {

/// The samples of one DCGM field in a file, in `unit`.
struct DcgmMetric {
  std::string name;  ///< "GPU utilization", "SM active", "PCIe rx", "NVLink tx"
  std::string unit;  ///< "": a share from 0 to 1; "B", "B/s", "W", "J", "MHz", "C"
  double least = 0.0;
  double mean = 0.0;
  double most = 0.0;
  std::size_t samples = 0;
};

/// A GPU, or a MIG instance. Missing properties are empty.
struct DcgmEntity {
  std::string host;
  std::string gpu;       ///< DCGM's index, "0"
  std::string instance;  ///< MIG instance
  std::string profile;   ///< MIG profile: "2g.20gb"
  std::string uuid;
  std::string model;
  std::string bus_id;  ///< "0000:3b:00.0"
  std::vector<DcgmMetric> metrics;
};

struct DcgmMetrics {
  std::vector<DcgmEntity> entities;
  std::vector<std::string> unused;  ///< names of unused fields, each once
};

/// Whether a text is NVIDIA DCGM data: output of dcgm-exporter, a table of `dcgmi dmon`, or a list
/// of fields.
[[nodiscard]] bool is_dcgm_metrics(std::string_view text);

/// Reads output of dcgm-exporter (https://github.com/NVIDIA/dcgm-exporter) in Prometheus's text
/// format, one or several scrapes, or the table of `dcgmi dmon`. Fields and units are those of
/// DCGM's field identifiers. PROF_PCIE and PROF_NVLINK bytes are rates, even if the exporter calls
/// them counters; so is DEV_NVLINK_BANDWIDTH_TOTAL, in MB/s. Values that DCGM marks as missing, and
/// those of single links, are ignored.
///
/// `warnings` (W531) lists lines that cannot be read. Errors: E531 a list of fields, which is a
/// configuration of the exporter; E532 no value.
[[nodiscard]] tl::expected<DcgmMetrics, input::Diagnostics> read_dcgm_metrics(
    const input::SourcePtr& file, input::Diagnostics& warnings);

}  // namespace vgsim::calibration
