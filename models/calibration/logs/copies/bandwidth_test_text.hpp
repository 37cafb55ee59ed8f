#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// What bandwidthTest prints.
namespace vgsim::calibration::logs::bandwidth_test {

inline constexpr const char* kTool = "bandwidthTest";

/// Which way the copies of a table go.
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
  std::string unit;         ///< "GB/s"; empty where none is told
  std::size_t devices = 1;  ///< whose rates are summed up
  std::size_t gpu = 0;      ///< the first of them
  std::vector<Row> rows;
};

/// Everything that the runs in a file tell.
struct Output {
  std::map<std::size_t, std::string> gpus;  ///< names by index
  std::optional<std::size_t> renamed;       ///< where a device gets another name
  bool is_recent = false;                   ///< of CUDA 5 or later
  std::vector<Table> tables;
};

/// Lines of anything else may stand around those of the test.
[[nodiscard]] Output read_text(std::string_view text);

/// "Host to Device, pinned"
[[nodiscard]] std::string title(const Table& table);

}  // namespace vgsim::calibration::logs::bandwidth_test
