#include "models/calibration/logs/copies/bandwidth_test_log.hpp"

#include <fmt/core.h>

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "models/calibration/logs/copies/bandwidth_matrix.hpp"
#include "models/calibration/logs/copies/bandwidth_test_text.hpp"
#include "models/calibration/logs/log_lines.hpp"
#include "models/calibration/logs/log_problems.hpp"
#include "topology/input/binary_size.hpp"

namespace vgsim::calibration {
namespace {

namespace bandwidth_test = logs::bandwidth_test;

using input::Diagnostics;

constexpr std::int64_t kMostTransfer = std::int64_t{1} << 40;
/// Bytes/s. Smaller rates are accurate to 5 % at best: "%.1f" in printResultsReadable().
constexpr double kLeastOfOneDigit = 1e9;

/// Converts the tables to a measurement.
///
/// 1 MB/s was 2^20 bytes/s up to CUDA 4 and is 1024000 since. Copies inside a GPU count reading and
/// writing, so their rate is halved. Rates below 1 GB/s with one decimal are too coarse for a fit
/// and are skipped as one range of sizes.
class BandwidthTestConverter {
 public:
  BandwidthTestConverter(const bandwidth_test::Output& output, Measurement& measurement)
      : output_(output), measurement_(measurement) {}

  void convert() {
    for (const bandwidth_test::Table& table : output_.tables) convert(table);
  }

 private:
  void convert(const bandwidth_test::Table& table) {
    const auto factor = factor_of(table.unit);
    std::string why;
    if (table.rows.empty()) why = "no line below its heading";
    if (!factor) why = fmt::format("unknown unit \"{}\": expected GB/s or MB/s", table.unit);
    if (table.is_write_combined && table.way != bandwidth_test::Way::kLocal)
      why = "write-combined host memory";
    if (table.devices != 1) {
      why = fmt::format("the sum of {} devices, measured one after another: expected --device=0",
                        table.devices);
    }
    if (!why.empty()) {
      measurement_.left_out.push_back({logs::bandwidth_test::title(table), std::move(why)});
      return;
    }
    for (const bandwidth_test::Row& row : table.rows) convert(table, row, *factor);
    end_rounded(table);
  }

  [[nodiscard]] std::optional<double> factor_of(const std::string& unit) const {
    if (unit == "MB/s") return output_.is_recent ? 1024e3 : 1048576.0;
    return logs::bytes_per_second(unit);
  }

  void convert(const bandwidth_test::Table& table, const bandwidth_test::Row& row, double factor) {
    const auto size = logs::parse<std::int64_t>(row.size);
    if (!size || *size <= 0 || *size > kMostTransfer) {
      return leave_out(table, row, fmt::format("\"{}\" is not a size in bytes", row.size));
    }
    const logs::Cell rate = logs::rate_in(row.rate, factor, "rate");
    const bool has_one_digit = factor >= kLeastOfOneDigit;
    if (has_one_digit && (row.rate == "0.0" || (rate.value && *rate.value < kLeastOfOneDigit))) {
      return note_rounded(Bytes{*size});
    }
    if (!rate.value) return leave_out(table, row, rate.why);
    add(table, Bytes{*size}, *rate.value);
  }

  void add(const bandwidth_test::Table& table, Bytes size, double rate) {
    const Place gpu{Place::Kind::kGpu, table.gpu, {}};
    const Place host{table.is_pageable ? Place::Kind::kPageable : Place::Kind::kPinned, 0, {}};
    Copies copies;
    copies.size = size;
    if (table.way == bandwidth_test::Way::kToGpu) copies.routes = {{host, gpu}};
    if (table.way == bandwidth_test::Way::kFromGpu) copies.routes = {{gpu, host}};
    if (table.way == bandwidth_test::Way::kLocal) copies.routes = {{gpu, gpu}};
    const double counted = table.way == bandwidth_test::Way::kLocal ? 2.0 : 1.0;
    logs::add_copies(std::move(copies), static_cast<double>(size.count()) * counted / rate,
                     measurement_);
  }

  void leave_out(const bandwidth_test::Table& table, const bandwidth_test::Row& row,
                 std::string why) {
    measurement_.left_out.push_back(
        {fmt::format("{} (line {})", logs::bandwidth_test::title(table), row.line),
         std::move(why)});
  }

  void note_rounded(Bytes size) {
    if (rounded_++ == 0) first_rounded_ = size;
    last_rounded_ = size;
  }

  void end_rounded(const bandwidth_test::Table& table) {
    if (rounded_ == 0) return;
    const std::string first = input::format_binary_size(first_rounded_);
    const std::string last = input::format_binary_size(last_rounded_);
    measurement_.left_out.push_back(
        {rounded_ == 1 ? fmt::format("{}, {}", logs::bandwidth_test::title(table), first)
                       : fmt::format("{}, {} sizes from {} to {}",
                                     logs::bandwidth_test::title(table), rounded_, first, last),
         "rates below 1 GB/s, rounded to 0.1 GB/s"});
    rounded_ = 0;
  }

  const bandwidth_test::Output& output_;
  Measurement& measurement_;
  std::size_t rounded_ = 0;  ///< rates of the table that are too coarse
  Bytes first_rounded_{};
  Bytes last_rounded_{};
};

std::vector<MeasuredGpu> devices_of(const bandwidth_test::Output& output) {
  std::vector<MeasuredGpu> gpus(output.gpus.empty() ? 1 : output.gpus.rbegin()->first + 1);
  for (const auto& [index, name] : output.gpus) gpus[index].name = name;
  return gpus;
}

}  // namespace

bool is_bandwidth_test_log(std::string_view text) {
  return logs::contains(text, "[CUDA Bandwidth Test]") ||
         (logs::contains(text, "bandwidthTest-") && logs::contains(text, ", Bandwidth = ")) ||
         (logs::contains(text, "Transfer Size (Bytes)") && logs::contains(text, "Bandwidth("));
}

tl::expected<Measurement, Diagnostics> read_bandwidth_test_log(const input::SourcePtr& file,
                                                               Diagnostics& warnings) {
  const bandwidth_test::Output output = logs::bandwidth_test::read_text(file->text);
  Diagnostics errors;
  if (output.renamed) {
    logs::tell_other_devices(errors, file, *output.renamed, bandwidth_test::kTool);
    return tl::unexpected(errors);
  }
  Measurement measurement;
  measurement.tool = bandwidth_test::kTool;
  measurement.machine.gpus = devices_of(output);
  BandwidthTestConverter(output, measurement).convert();
  if (measurement.results.empty()) {
    logs::tell_nothing_read(errors, file, bandwidth_test::kTool, measurement.left_out,
                            "tables below \"Host to Device Bandwidth, 1 Device(s)\" or the like, "
                            "or lines \"bandwidthTest-H2D-Pinned, Bandwidth = ...\"");
    return tl::unexpected(errors);
  }
  if (output.gpus.empty()) {
    warnings.warning(
        "W621", {file, 0, 1}, "",
        fmt::format("{} names no device: assumed to be the first", bandwidth_test::kTool));
  }
  return measurement;
}

}  // namespace vgsim::calibration
