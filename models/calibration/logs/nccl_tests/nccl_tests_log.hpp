#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

#include "sim/units.hpp"
#include "topology/input/diagnostics.hpp"
#include "topology/input/source_file.hpp"

namespace vgsim::calibration {

/// One line of a table. A time is empty if the test did not print it.
struct LogRow {
  Bytes size{};
  std::optional<SimTime> out_of_place;
  std::optional<SimTime> in_place;
  std::optional<double> out_of_place_bus{};  ///< "busbw", in bytes/s
  std::optional<double> in_place_bus{};
};

/// The output of one run of an nccl-tests program.
struct LogTable {
  std::optional<std::string> collective;     ///< name in a job: "all_reduce", "all_to_all"
  std::optional<std::size_t> ranks;          ///< from the list of devices
  std::vector<std::string> devices;          ///< GPU model of each rank, as far as listed
  std::vector<std::string> hosts;            ///< of the ranks, each once
  std::optional<std::string> test_settings;  ///< "nThread 1 nGpus 8 minBytes 8 ..."
  std::optional<std::string> nccl_version;   ///< "2.21.5"
  std::optional<double> bus_factor;          ///< busbw / algbw of the row with the best precision
  std::vector<LogRow> rows;                  ///< sizes of at least one byte, in log order
  input::Location header;
};

/// The number of GPUs of each thread, if the table states it: "nGpus 8".
[[nodiscard]] std::optional<std::int64_t> gpus_per_thread(const LogTable& table);

/// Whether a text holds a table of nccl-tests, as text or as JSON.
[[nodiscard]] bool is_nccl_tests_log(std::string_view text);

/// Reads the output of nccl-tests (https://github.com/NVIDIA/nccl-tests), in any version: columns
/// with or without redop and root, "error" or "#wrong", additional columns, devices with or without
/// groups; or the file that -J writes. The text can contain a command line, NCCL's own messages
/// (even inside a row), and launcher prefixes (time stamps, "[1,0]<stdout>:", "0: ").
///
/// Every readable row counts; `warnings` lists truncated rows and rows with wrong data. Errors:
/// E451 no table, a table without rows, CPU times, unknown units; those of read_json().
[[nodiscard]] tl::expected<std::vector<LogTable>, input::Diagnostics> read_nccl_tests_log(
    const input::SourcePtr& file, input::Diagnostics& warnings);

}  // namespace vgsim::calibration
