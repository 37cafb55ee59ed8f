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

/// One line of a table. A time is missing where the test did not print it.
struct LogRow {
  Bytes size{};
  std::optional<SimTime> out_of_place;
  std::optional<SimTime> in_place;
  std::optional<double> out_of_place_bus{};  ///< "busbw", in bytes per second
  std::optional<double> in_place_bus{};
};

/// What one run of one of the nccl-tests printed.
struct LogTable {
  std::optional<std::string> collective;     ///< as a job names it: "all_reduce", "all_to_all"
  std::optional<std::size_t> ranks;          ///< from the list of devices
  std::vector<std::string> devices;          ///< model of each rank's GPU, as far as listed
  std::vector<std::string> hosts;            ///< of the ranks, each once
  std::optional<std::string> test_settings;  ///< "nThread 1 nGpus 8 minBytes 8 ..."
  std::optional<std::string> nccl_version;   ///< "2.21.5"
  std::optional<double> bus_factor;          ///< busbw over algbw, of the row where it shows best
  std::vector<LogRow> rows;                  ///< sizes of at least one byte, in the log's order
  input::Location header;
};

/// How many GPUs each thread launched for, as far as the table says it: "nGpus 8".
[[nodiscard]] std::optional<std::int64_t> gpus_per_thread(const LogTable& table);

/// Whether a text holds a table of nccl-tests, as text or as JSON.
[[nodiscard]] bool is_nccl_tests_log(std::string_view text);

/// Reads the output of nccl-tests (https://github.com/NVIDIA/nccl-tests), of any version: columns
/// with or without redop and root, "error" or "#wrong", columns of single iterations and others
/// behind them, devices with or without groups; or the file that -J writes. Around the text may
/// stand anything else: the command line, NCCL's own messages (also in the middle of a row), and
/// before each line what launchers add (time stamps, "[1,0]<stdout>:", "0: ").
///
/// Every row that can be read counts; `warnings` gets a word for those that are cut short or
/// whose data were wrong. Errors: E451 no table, a table without rows, CPU times, unknown units;
/// those of read_json().
[[nodiscard]] tl::expected<std::vector<LogTable>, input::Diagnostics> read_nccl_tests_log(
    const input::SourcePtr& file, input::Diagnostics& warnings);

}  // namespace vgsim::calibration
