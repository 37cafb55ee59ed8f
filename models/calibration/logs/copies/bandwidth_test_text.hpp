#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// The text output of bandwidthTest.
namespace vgsim::calibration::logs::bandwidth_test {

inline constexpr const char* kTool = "bandwidthTest";

/// The direction of the copies of a table.
enum class Way { kToGpu, kFromGpu, kLocal };

struct Row {
  std::string size;
  std::string rate;
  std::size_t line = 0;  ///< from 1
};

struct Table {
  Way way = Way::kToGpu;
  bool is_pageable = false;
  bool is_write_combined = false;
  std::string unit;         ///< "GB/s"; empty if unknown
  std::size_t devices = 1;  ///< number of devices in the sum of rates
  std::size_t gpu = 0;      ///< the first device
  std::vector<Row> rows;
};

/// The contents of all runs in a file.
struct Output {
  std::map<std::size_t, std::string> gpus;  ///< names by index
  std::optional<std::size_t> renamed;       ///< offset at which a device gets another name
  bool is_recent = false;                   ///< of CUDA 5 or later
  std::vector<Table> tables;
};

/// The file can contain other lines.
[[nodiscard]] Output read_text(std::string_view text);

/// "Host to Device, pinned"
[[nodiscard]] std::string title(const Table& table);

}  // namespace vgsim::calibration::logs::bandwidth_test
