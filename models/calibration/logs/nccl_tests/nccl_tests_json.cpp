#include "models/calibration/logs/nccl_tests/nccl_tests_json.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <utility>

#include "models/calibration/logs/log_lines.hpp"
#include "models/calibration/logs/nccl_tests/nccl_tests_words.hpp"
#include "topology/input/json_reader.hpp"

namespace vgsim::calibration::logs::nccl_tests {
namespace {

using input::Diagnostics;
using input::Kind;
using input::Value;

constexpr std::int64_t kMostRanks = 1'000'000;

const Value* member(const Value& object, std::string_view key) {
  const input::Member* const found = object.member(key);
  return found == nullptr ? nullptr : &found->value;
}

/// A number, also as a string: the test writes "nan".
std::optional<double> number_in(const Value* value) {
  if (value == nullptr) return std::nullopt;
  if (value->is_string()) return parse<double>(trimmed(value->string()));
  if (value->kind() != Kind::integer && value->kind() != Kind::number) return std::nullopt;
  return value->number();
}

std::optional<std::int64_t> count_in(const Value& object, std::string_view key) {
  const Value* const value = member(object, key);
  if (value == nullptr || value->kind() != Kind::integer) return std::nullopt;
  return value->integer();
}

std::string text_in(const Value& object, std::string_view key) {
  const Value* const value = member(object, key);
  return value != nullptr && value->is_string() ? printable_text(value->string()) : std::string();
}

/// The line of settings that the test prints, as far as the file contains it.
std::string settings_in(const Value& config) {
  std::string settings;
  const auto add = [&](std::string_view word, std::string_view key) {
    const auto count = count_in(config, key);
    if (!count) return;
    settings += fmt::format("{}{} {}", settings.empty() ? "" : " ", word, *count);
  };
  add("nThread", "nthreads");
  add("nGpus", "ngpus");
  add("minBytes", "minimum_bytes");
  add("maxBytes", "maximum_bytes");
  add("step: factor", "step_factor");
  add("step: bytes", "step_bytes");
  add("warmup iters:", "warmup_iters");
  add("iters:", "iterations");
  add("agg iters:", "aggregated_iterations");
  add("validation:", "validation");
  add("graph:", "graph");
  return settings;
}

/// The members of the JSON of nccl-tests are the columns of the table; it is read into the same
/// LogTable with the same limits and warnings, so that both formats are equivalent for callers.
class DocumentReader {
 public:
  DocumentReader(const input::SourcePtr& file, Diagnostics& warnings)
      : file_(file), warnings_(warnings) {}

  tl::expected<std::vector<LogTable>, Diagnostics> read() {
    const auto document = input::read_json(file_);
    if (!document) return tl::unexpected(document.error());
    table_.header = {file_, 0, 1};
    read_program(*document);
    if (const Value* const config = member(*document, "config")) read_config(*config);
    const Value* const results = member(*document, "results");
    if (results == nullptr || !results->is_array()) {
      errors_.error(kBadLog, {file_, 0, 1}, "", "no results of nccl-tests in this file",
                    "the list \"results\" that all_reduce_perf -J writes");
    } else {
      for (const Value& result : results->elements()) read_result(result);
      check_rows(*results);
    }
    if (errors_.has_errors()) return tl::unexpected(errors_);
    return std::vector{std::move(table_)};
  }

 private:
  void read_program(const Value& document) {
    const Value* const words = member(document, "args");
    if (words != nullptr && words->is_array() && !words->elements().empty()) {
      const Value& program = words->elements().front();
      if (program.is_string()) table_.collective = collective_in(program.string());
    }
    const auto version = count_in(document, "nccl_version");
    if (version && *version > 0 && *version < 1'000'000) {
      table_.nccl_version = version_text(static_cast<int>(*version));
    }
  }

  void read_config(const Value& config) {
    const std::string settings = settings_in(config);
    if (!settings.empty()) table_.test_settings = settings;
    const Value* const devices = member(config, "devices");
    if (devices == nullptr || !devices->is_array() || devices->elements().empty()) return;
    for (const Value& device : devices->elements()) read_device(device);
    table_.ranks = ranks_in(config, devices->elements());
  }

  void read_device(const Value& device) {
    table_.devices.push_back(text_in(device, "device_info"));
    std::string host = text_in(device, "hostname");
    const bool is_known = !table_.hosts.empty() && table_.hosts.back() == host;
    if (!is_known && !host.empty()) table_.hosts.push_back(std::move(host));
  }

  /// Each process lists only its first rank. If these are consecutive, all ranks are listed.
  static std::optional<std::size_t> ranks_in(const Value& config,
                                             const std::vector<Value>& devices) {
    bool lists_all = devices.size() > 1;
    std::int64_t last = 0;
    for (std::size_t d = 0; d < devices.size(); ++d) {
      const auto rank = count_in(devices[d], "rank");
      if (!rank || *rank < 0 || *rank > kMostRanks) return std::nullopt;
      lists_all = lists_all && *rank == static_cast<std::int64_t>(d);
      last = std::max(last, *rank);
    }
    const std::int64_t threads = count_in(config, "nthreads").value_or(1);
    const std::int64_t gpus = count_in(config, "ngpus").value_or(1);
    if (threads < 1 || threads > kMostRanks || gpus < 1 || gpus > kMostRanks) return std::nullopt;
    const std::int64_t ranks = last + (lists_all ? 1 : threads * gpus);
    if (ranks > kMostRanks) return std::nullopt;
    return static_cast<std::size_t>(ranks);
  }

  void read_result(const Value& result) {
    const auto size = count_in(result, "size");
    if (!size || *size < 0) {
      return errors_.error(kBadLog, result.location(), result.pointer(), "a result without a size",
                           "\"size\", a number of bytes");
    }
    if (*size == 0) return;
    LogRow row;
    row.size = Bytes{*size};
    read_times(member(result, "out_of_place"), row.out_of_place, row.out_of_place_bus);
    read_times(member(result, "in_place"), row.in_place, row.in_place_bus);
    table_.rows.push_back(row);
  }

  void read_times(const Value* stated, std::optional<SimTime>& time, std::optional<double>& bus) {
    if (stated == nullptr || !stated->is_object()) return;
    if (member(*stated, "cpu_time") != nullptr) {
      return errors_.error(kBadLog, stated->location(), stated->pointer(),
                           "the results contain CPU times", "a run without -C");
    }
    const auto us = number_in(member(*stated, "time"));
    if (!us || !(*us > 0.0) || *us > kLongestTime) {
      return errors_.error(kBadLog, stated->location(), stated->pointer(), "no time, or one of 0",
                           "\"time\", in microseconds");
    }
    time = SimTime{std::llround(*us * 1e6)};
    const double algbw = number_in(member(*stated, "alg_bw")).value_or(0.0);
    const double busbw = number_in(member(*stated, "bus_bw")).value_or(0.0);
    if (std::isfinite(busbw) && busbw > 0.0) bus = busbw * 1e9;
    if (std::isfinite(busbw) && std::min(algbw, busbw) >= best_bandwidth_) {
      best_bandwidth_ = std::min(algbw, busbw);
      table_.bus_factor = busbw / algbw;
    }
    if (number_in(member(*stated, "nwrong")).value_or(0.0) != 0.0) {
      warnings_.warning(kWrongData, stated->location(), stated->pointer(),
                        "the test found wrong data at this size");
    }
  }

  void check_rows(const Value& results) {
    if (!table_.rows.empty() || errors_.has_errors()) return;
    errors_.error(kBadLog, results.location(), results.pointer(), "the list of results is empty",
                  "sizes of at least 1 B");
  }

  input::SourcePtr file_;
  Diagnostics& warnings_;
  Diagnostics errors_;
  LogTable table_;
  double best_bandwidth_ = kLeastBandwidth;  ///< GB/s, of the row that determined the bus factor
};

}  // namespace

bool is_json(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r\n\xef\xbb\xbf");
  if (first == std::string_view::npos || text[first] != '{') return false;
  return contains(text, "\"results\"") && contains(text, "\"bus_bw\"");
}

tl::expected<std::vector<LogTable>, Diagnostics> read_json(const input::SourcePtr& file,
                                                           Diagnostics& warnings) {
  return DocumentReader(file, warnings).read();
}

}  // namespace vgsim::calibration::logs::nccl_tests
