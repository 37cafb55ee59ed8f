#include "models/calibration/logs/nccl_tests/nccl_tests_text.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <unordered_set>
#include <utility>

#include "models/calibration/logs/log_lines.hpp"
#include "models/calibration/logs/nccl/nccl_line.hpp"
#include "models/calibration/logs/nccl_tests/nccl_tests_row.hpp"
#include "models/calibration/logs/nccl_tests/nccl_tests_words.hpp"

namespace vgsim::calibration::logs::nccl_tests {
namespace {

using input::Diagnostics;
using input::Location;

/// Separates the test's own lines from NCCL messages inside them.
class OwnText {
 public:
  /// The line up to the first message in it.
  std::string_view in(std::string_view line) {
    const auto message = first_nccl_line_in(line);
    if (!message) return line;
    const std::string_view host = host_in(message->thread);
    if (!trimmed(message->before).empty()) {
      return line.substr(0, message->before.size() + glued(host));
    }
    if (!host.empty() && hosts_.size() < kMostHosts) hosts_.insert(std::string(host));
    return {};
  }

 private:
  static constexpr std::size_t kMostHosts = 65536;
  static constexpr std::size_t kWidestMeasure = 12;

  /// Length of the test's text that is joined to the host's name.
  std::size_t glued(std::string_view host) const {
    if (hosts_.contains(std::string(host))) return 0;
    std::size_t likely = 0;
    for (std::size_t width = 1; width < std::min(host.size(), kWidestMeasure); ++width) {
      if (!is_measure(host.substr(0, width))) continue;
      const std::string rest(host.substr(width));
      if (hosts_.contains(rest)) return width;
      if (!is_digit(rest.front())) likely = width;
    }
    return likely;
  }

  static bool is_digit(char c) { return c >= '0' && c <= '9'; }

  std::unordered_set<std::string> hosts_;  ///< from lines with messages only
};

/// The header determines the columns, since releases added some. NCCL messages can interrupt rows:
/// the test's own text is extracted first, and an interrupted row continues in a later line. A time
/// is accepted only with the bandwidths after it, since it could have lost digits otherwise.
/// digits.
class TextReader {
 public:
  TextReader(const input::SourcePtr& file, Diagnostics& warnings)
      : file_(file), warnings_(warnings) {}

  tl::expected<std::vector<LogTable>, Diagnostics> read() {
    const std::string_view text = file_->text;
    for (std::size_t begin = 0; begin < text.size();) {
      const std::size_t end = std::min(text.find('\n', begin), text.size());
      read_line(text.substr(begin, end - begin),
                {file_, begin, std::max<std::size_t>(1, end - begin)});
      begin = end + 1;
    }
    end_row();
    check_tables();
    if (errors_.has_errors()) return tl::unexpected(errors_);
    return std::move(tables_);
  }

 private:
  void read_line(std::string_view line, const Location& location) {
    if (const auto version = nccl_version_in(line)) nccl_version_ = version;
    const std::string_view own = own_text_.in(line);
    const Words words = split(own);
    if (words.empty()) return;
    if (auto columns = columns_in(words)) return begin_table(std::move(*columns), location);
    if (std::exchange(expects_units_, false) && contains(own, "(GB/s)")) {
      return check_units(words, location);
    }
    if (auto row = tables_.empty() ? std::nullopt : row_in(words, columns_.root)) {
      end_row();
      row_ = std::move(row);
      row_location_ = location;
      return;
    }
    if (row_ && continue_row(words)) return;
    read_preamble(own);
  }

  /// The lines before a table.
  void read_preamble(std::string_view line) {
    if (contains(line, "in-place") || contains(line, "out-of-place")) above_ = line;
    if (contains(line, "Using devices")) devices_.clear();
    if (const std::size_t at = line.find("nThread "); at != std::string_view::npos) {
      next_.test_settings = printable_text(trimmed(line.substr(at)));
    }
    if (!contains(line, "concluded")) {
      if (auto collective = collective_in(line)) next_.collective = std::move(collective);
    }
    if (auto device = device_in(line)) devices_.push_back(std::move(*device));
  }

  void begin_table(Columns columns, const Location& location) {
    end_row();
    LogTable table = std::exchange(next_, {});
    table.header = location;
    table.nccl_version = nccl_version_;
    take_devices(table);
    if (columns.cpu_times) {
      errors_.error(kBadLog, location, "", "the table contains CPU times", "a run without -C");
    } else if (columns.times.empty() || columns.times.size() > 2) {
      errors_.error(kBadLog, location, "",
                    fmt::format("the table has {} columns \"time\"", columns.times.size()),
                    "one or two of them: out-of-place and in-place");
    }
    only_in_place_ = columns.times.size() == 1 && contains(above_, "in-place") &&
                     !contains(above_, "out-of-place");
    columns_ = std::move(columns);
    expects_units_ = true;
    above_ = {};
    best_bandwidth_ = 0.0;
    tables_.push_back(std::move(table));
  }

  void take_devices(LogTable& table) {
    std::unordered_set<std::string> hosts;
    for (Device& device : std::exchange(devices_, {})) {
      table.ranks = std::max(table.ranks.value_or(0), device.rank + 1);
      if (hosts.insert(device.host).second) table.hosts.push_back(std::move(device.host));
      table.devices.push_back(std::move(device.model));
    }
  }

  void check_units(const Words& words, const Location& location) {
    const auto has = [&](std::string_view word) {
      return std::ranges::find(words, word) != words.end();
    };
    if (has("(B)") && has("(us)")) return;
    errors_.error(kBadLog, location, "", "the table has units that nccl-tests does not print",
                  "sizes in (B), times in (us), bandwidths in (GB/s)");
  }

  /// Measures that an NCCL message separated from the start of their row.
  bool continue_row(const Words& words) {
    const bool fits = words.size() + row_->measures.size() <= columns_.wanted + kExtraMeasures &&
                      std::ranges::all_of(words, is_measure);
    if (!fits) return false;
    row_->measures.insert(row_->measures.end(), words.begin(), words.end());
    return true;
  }

  void end_row() {
    if (!row_) return;
    if (row_->measures.size() < columns_.wanted) {
      warnings_.warning(kCutRow, row_location_, "", "a row of the table is truncated");
    }
    if (row_->size > Bytes{0}) {
      LogRow row;
      row.size = row_->size;
      for (std::size_t t = 0; t < columns_.times.size(); ++t) read_times(t, row);
      check_wrong();
      tables_.back().rows.push_back(row);
    }
    row_.reset();
  }

  /// The time in the `t`-th column of times, if the bandwidths after it show that it is complete.
  void read_times(std::size_t t, LogRow& row) {
    const std::size_t column = columns_.times[t];
    const auto& measures = row_->measures;
    if (column + 2 >= measures.size() || measures[column] == "N/A") return;
    const double us = *parse<double>(measures[column]);
    if (!(us > 0.0) || us > kLongestTime) {
      errors_.error(kBadLog, row_location_, "", fmt::format("a time of {} us", measures[column]),
                    "a time above 0");
      return;
    }
    const bool is_in_place = t == 1 || only_in_place_;
    const double algbw = parse<double>(measures[column + 1]).value_or(0.0);
    const double busbw = parse<double>(measures[column + 2]).value_or(0.0);
    (is_in_place ? row.in_place : row.out_of_place) = SimTime{std::llround(us * 1e6)};
    if (std::isfinite(busbw) && busbw > 0.0) {
      (is_in_place ? row.in_place_bus : row.out_of_place_bus) = busbw * 1e9;
    }
    if (t == 0) note_bus_factor(algbw, busbw);
  }

  void note_bus_factor(double algbw, double busbw) {
    if (!(std::min(algbw, busbw) >= std::max(kLeastBandwidth, best_bandwidth_))) return;
    best_bandwidth_ = std::min(algbw, busbw);
    tables_.back().bus_factor = busbw / algbw;
  }

  void check_wrong() {
    for (const std::size_t column : columns_.wrong) {
      if (column >= row_->measures.size()) continue;
      const auto wrong = parse<double>(row_->measures[column]);
      if (!wrong || *wrong == 0.0) continue;
      warnings_.warning(kWrongData, row_location_, "", "the test found wrong data at this size");
    }
  }

  void check_tables() {
    if (tables_.empty()) {
      errors_.error(kBadLog, {file_, 0, 1}, "", "no table of nccl-tests in this file",
                    "its header, \"# size count type ... time algbw busbw\", and rows below it");
    }
    for (const LogTable& table : tables_) {
      if (!table.rows.empty()) continue;
      errors_.error(kBadLog, table.header, "", "the table has no rows", "sizes of at least 1 B");
    }
  }

  /// Maximum number of additional measures after the known ones.
  static constexpr std::size_t kExtraMeasures = 8;

  input::SourcePtr file_;
  Diagnostics& warnings_;
  Diagnostics errors_;
  OwnText own_text_;
  std::vector<LogTable> tables_;
  LogTable next_;  ///< properties of the next table
  std::vector<Device> devices_;
  std::optional<std::string> nccl_version_;
  std::string_view above_;  ///< the line that names the in-place columns
  Columns columns_;
  bool only_in_place_ = false;
  bool expects_units_ = false;   ///< the previous line was a header
  double best_bandwidth_ = 0.0;  ///< GB/s, of the row that determined the bus factor
  std::optional<PartialRow> row_;
  Location row_location_;
};

}  // namespace

bool is_text(std::string_view text) {
  constexpr std::string_view kWord = "algbw";
  for (std::size_t at = text.find(kWord); at != std::string_view::npos;) {
    const std::size_t before = text.rfind('\n', at);
    const std::size_t begin = before == std::string_view::npos ? 0 : before + 1;
    const std::size_t end = std::min(text.find('\n', at), text.size());
    if (columns_in(split(text.substr(begin, end - begin)))) return true;
    at = text.find(kWord, end);
  }
  return false;
}

tl::expected<std::vector<LogTable>, Diagnostics> read_text(const input::SourcePtr& file,
                                                           Diagnostics& warnings) {
  return TextReader(file, warnings).read();
}

}  // namespace vgsim::calibration::logs::nccl_tests
