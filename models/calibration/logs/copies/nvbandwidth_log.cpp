#include "models/calibration/logs/copies/nvbandwidth_log.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "models/calibration/logs/copies/nvbandwidth_output.hpp"
#include "models/calibration/logs/copies/nvbandwidth_tests.hpp"
#include "models/calibration/logs/log_lines.hpp"
#include "models/calibration/logs/log_problems.hpp"

namespace vgsim::calibration {
namespace {

namespace nvbandwidth = logs::nvbandwidth;

using input::Diagnostics;
using logs::Cell;

constexpr const char* kNvbandwidth = "nvbandwidth";

/// "N/A" means not measured.
Cell cell_of(std::string_view text, double factor) {
  return text == "N/A" ? Cell{} : logs::rate_in(text, factor, "rate");
}

/// Converts the tables to a measurement.
///
/// A table's test name determines its meaning, see nvbandwidth_tests.hpp: which end copies, one
/// direction or both, all GPUs at once. For two-way tests, tables of one direction are skipped and
/// the totals that follow are used.
class NvbandwidthConverter {
 public:
  NvbandwidthConverter(const nvbandwidth::Output& output, Measurement& measurement)
      : output_(output), measurement_(measurement), size_(copy_size(output)) {}

  void convert() {
    for (const nvbandwidth::Table& table : output_.tables) convert(table);
  }

 private:
  /// The default is defaultBufferSize in nvbandwidth's common.h: 64 MiB before v0.7, then 512 MiB.
  static Bytes copy_size(const nvbandwidth::Output& output) {
    bool is_old = false;
    for (const std::string old : {"v0.1", "v0.2", "v0.3", "v0.4", "v0.5", "v0.6"}) {
      is_old = is_old || output.version == old || output.version.starts_with(old + ".");
    }
    return Bytes{output.mebibytes.value_or(is_old ? 64 : 512) << 20};
  }

  void leave_out(std::string what, std::string why) {
    measurement_.left_out.push_back({std::move(what), std::move(why)});
  }

  void convert(const nvbandwidth::Table& table) {
    const nvbandwidth::TestKind* const kind = nvbandwidth::kind_of(table.test);
    if (kind == nullptr) {
      return leave_out(table.test.empty() ? table.heading : table.test,
                       "not a known test of copies");
    }
    if (const std::string_view part = nvbandwidth::part_in(table.heading); !part.empty()) {
      return leave_out(fmt::format("{}, {}", table.test, part),
                       "one direction alone: the table of totals counts both");
    }
    const std::string_view unit = logs::unit_in(table.heading);
    const auto factor = logs::bytes_per_second(unit);
    if (!factor) {
      return leave_out(table.test,
                       fmt::format("unknown unit \"{}\": expected GB/s, MB/s or GiB/s", unit));
    }
    if (auto reason = mismatch(*kind, table); !reason.empty()) {
      return leave_out(table.test, std::move(reason));
    }
    if (kind->all_at_once) return convert_at_once(*kind, table, *factor);
    convert_cells(*kind, table, *factor);
  }

  /// The reason why the table's cells do not match the devices; empty if they match.
  [[nodiscard]] std::string mismatch(const nvbandwidth::TestKind& kind,
                                     const nvbandwidth::Table& table) const {
    const std::size_t gpus = measurement_.machine.gpus.size();
    if (table.columns == 0) return "the number of its columns is unknown";
    if (table.columns != gpus) {
      return fmt::format("{} columns for {} GPUs", table.columns, gpus);
    }
    const std::size_t rows = rows_of(kind);
    if (table.rows.empty() || table.rows.back().label < rows) return {};
    return fmt::format("{} rows, expected {}", table.rows.back().label + 1, rows);
  }

  [[nodiscard]] std::size_t rows_of(const nvbandwidth::TestKind& kind) const {
    return nvbandwidth::is_of_pairs(kind) ? measurement_.machine.gpus.size() : 1;
  }

  void convert_cells(const nvbandwidth::TestKind& kind, const nvbandwidth::Table& table,
                     double factor) {
    logs::take_cells(
        table.test, table.rows, rows_of(kind), table.columns,
        [&](const logs::Row& row, std::size_t column, std::string_view text) {
          if (nvbandwidth::is_of_pairs(kind) && column == row.label) {
            return std::string();
          }
          Cell cell = cell_of(text, factor);
          if (cell.value) add(kind, table, row.label, column, *cell.value);
          return std::move(cell.why);
        },
        measurement_.left_out);
  }

  void add(const nvbandwidth::TestKind& kind, const nvbandwidth::Table& table, std::size_t row,
           std::size_t column, double rate) {
    Copies copies;
    nvbandwidth::add_routes(kind, row, column, copies.routes);
    add(std::move(copies), table,
        rate / nvbandwidth::copies_counted(kind, table.test, table.heading));
  }

  /// `rate`: of each copy.
  void add(Copies copies, const nvbandwidth::Table& table, double rate) {
    copies.size = size_;
    copies.by_kernel = nvbandwidth::is_by_kernel(table.test);
    logs::add_copies(std::move(copies), static_cast<double>(size_.count()) / rate, measurement_);
  }

  /// All GPUs copy at the same time, so all rates are needed to find the slowest.
  void convert_at_once(const nvbandwidth::TestKind& kind, const nvbandwidth::Table& table,
                       double factor) {
    if (table.rows.empty()) return leave_out(table.test + ", row 0", "missing");
    const logs::Row& row = table.rows.front();
    if (row.cells.size() != table.columns ||
        logs::whole_cells(row, table.columns) < table.columns) {
      return leave_out(logs::cells_text(table.test, row, 0, table.columns), "no rate for each GPU");
    }
    Copies copies;
    double slowest = logs::kMostRate;
    for (std::size_t column = 0; column < table.columns; ++column) {
      const Cell cell = cell_of(row.cells[column], factor);
      if (!cell.value) {
        return leave_out(logs::cells_text(table.test, row, column, column + 1),
                         "no rate for each GPU" + (cell.why.empty() ? cell.why : ": " + cell.why));
      }
      slowest = std::min(slowest, *cell.value);
      nvbandwidth::add_routes(kind, row.label, column, copies.routes);
    }
    add(std::move(copies), table, slowest);
  }

  const nvbandwidth::Output& output_;
  Measurement& measurement_;
  Bytes size_;
};

}  // namespace

bool is_nvbandwidth_log(std::string_view text) {
  return logs::contains(text, "nvbandwidth Version:") || nvbandwidth::is_json(text) ||
         (logs::contains(text, "Running ") && logs::contains(text, "GPU(column)"));
}

tl::expected<Measurement, Diagnostics> read_nvbandwidth_log(const input::SourcePtr& file,
                                                            Diagnostics& warnings) {
  nvbandwidth::Output output(file);
  if (nvbandwidth::is_json(file->text)) {
    nvbandwidth::read_json(file, output);
  } else {
    nvbandwidth::read_text(file->text, output);
  }
  Measurement measurement;
  measurement.machine.gpus = output.devices();
  if (output.errors.has_errors()) return tl::unexpected(output.errors);
  if (measurement.machine.gpus.empty()) {
    std::size_t widest = 0;
    for (const nvbandwidth::Table& table : output.tables) {
      if (nvbandwidth::kind_of(table.test) != nullptr) widest = std::max(widest, table.columns);
    }
    measurement.machine.gpus = logs::unnamed_gpus(widest);
    logs::tell_no_devices(warnings, file, kNvbandwidth, measurement.machine.gpus.size(), "tables");
  }
  measurement.tool =
      output.version.empty() ? kNvbandwidth : fmt::format("{} {}", kNvbandwidth, output.version);
  measurement.machine.driver = output.driver;
  measurement.machine.cuda = output.cuda;
  measurement.left_out = std::move(output.left_out);
  NvbandwidthConverter(output, measurement).convert();
  if (!measurement.results.empty()) return measurement;
  logs::tell_nothing_read(output.errors, file, kNvbandwidth, measurement.left_out,
                          "tables below \"Running host_to_device_memcpy_ce.\" or the like");
  return tl::unexpected(output.errors);
}

}  // namespace vgsim::calibration
