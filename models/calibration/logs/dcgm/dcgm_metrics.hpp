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

/// What one field of DCGM tells over the samples of a file, in `unit`.
struct DcgmMetric {
  std::string name;  ///< "GPU utilization", "SM active", "PCIe rx", "NVLink tx"
  std::string unit;  ///< "": a share from 0 to 1; "B", "B/s", "W", "J", "MHz", "C"
  double least = 0.0;
  double mean = 0.0;
  double most = 0.0;
  std::size_t samples = 0;
};

/// A GPU, or an instance that MIG has made of one. What is not told is empty.
struct DcgmEntity {
  std::string host;
  std::string gpu;       ///< DCGM's number of it, "0"
  std::string instance;  ///< of MIG
  std::string profile;   ///< of MIG: "2g.20gb"
  std::string uuid;
  std::string model;
  std::string bus_id;  ///< "0000:3b:00.0"
  std::vector<DcgmMetric> metrics;
};

struct DcgmMetrics {
  std::vector<DcgmEntity> entities;
  std::vector<std::string> unused;  ///< names of fields that are not used, each once
};

/// Whether a text is of NVIDIA's DCGM: what dcgm-exporter serves, a table of `dcgmi dmon`, or a
/// list of fields.
[[nodiscard]] bool is_dcgm_metrics(std::string_view text);

/// Reads what dcgm-exporter (https://github.com/NVIDIA/dcgm-exporter) serves in Prometheus's text
/// format, once or several times in a row, or the table of `dcgmi dmon`. Fields and units are those
/// of DCGM's field identifiers: PROF_PCIE and PROF_NVLINK bytes are rates, also where the exporter
/// calls them counters; so is DEV_NVLINK_BANDWIDTH_TOTAL, in MB/s. Values that DCGM marks as
/// missing do not count, nor do those of single links.
///
/// `warnings` (W531) gets a word for lines that cannot be read. Errors: E531 a list of fields, with
/// which the exporter is configured; E532 no value.
[[nodiscard]] tl::expected<DcgmMetrics, input::Diagnostics> read_dcgm_metrics(
    const input::SourcePtr& file, input::Diagnostics& warnings);

}  // namespace vgsim::calibration
