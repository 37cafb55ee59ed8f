#include "models/calibration/nccl_tests_log.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <string_view>
#include <utility>

namespace vgsim::calibration {
namespace {

using input::Diagnostics;
using input::Location;

using Tokens = std::vector<std::string_view>;

constexpr const char* kBadLog = "E451";
/// Bandwidths stand with two digits after the point: from 10 GB/s on they are good to 0.1 %.
constexpr double kLeastBandwidth = 10.0;
constexpr double kLongestTime = 9e12;  ///< microseconds: 104 days, what a SimTime can hold

constexpr std::array<std::string_view, 20> kTypes = {
    "int8",     "char", "uint8",  "int32",   "int",      "uint32",  "int64",
    "uint64",   "half", "float",  "float16", "float32",  "double",  "float64",
    "bfloat16", "bf16", "f8e4m3", "f8e5m2",  "fp8_e4m3", "fp8_e5m2"};

/// The programs of nccl-tests and what a job calls their collective.
constexpr std::array<std::pair<std::string_view, std::string_view>, 10> kPrograms = {{
    {"all_reduce", "all_reduce"},
    {"all_gather", "all_gather"},
    {"reduce_scatter", "reduce_scatter"},
    {"broadcast", "broadcast"},
    {"reduce", "reduce"},
    {"alltoall", "all_to_all"},
    {"sendrecv", "send_recv"},
    {"gather", "gather"},
    {"scatter", "scatter"},
    {"hypercube", "hypercube"},
}};

bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

Tokens split(std::string_view line) {
  Tokens tokens;
  for (std::size_t begin = 0; begin < line.size();) {
    if (is_blank(line[begin])) {
      ++begin;
      continue;
    }
    std::size_t end = begin;
    while (end < line.size() && !is_blank(line[end])) ++end;
    tokens.push_back(line.substr(begin, end - begin));
    begin = end;
  }
  return tokens;
}

template <class Number>
std::optional<Number> parse(std::string_view text) {
  Number number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

/// The line before a message of NCCL, which begins "host:pid:tid [gpu] NCCL INFO".
std::string_view without_message(std::string_view line) {
  const std::size_t word = line.find(" NCCL ");
  if (word == std::string_view::npos) return line;
  const std::string_view before = line.substr(0, word);
  const std::size_t bracket = before.find_last_of('[');
  if (bracket == std::string_view::npos) return before;
  std::size_t begin = bracket;
  while (begin > 0 && is_blank(before[begin - 1])) --begin;
  while (begin > 0 && !is_blank(before[begin - 1])) --begin;
  return before.substr(0, begin);
}

/// The first word "..._perf" of the line, by the name that a job has for it.
std::optional<std::string> collective_in(std::string_view line) {
  for (std::size_t at = line.find("_perf"); at != std::string_view::npos;
       at = line.find("_perf", at + 1)) {
    std::size_t begin = at;
    while (begin > 0 &&
           ((line[begin - 1] >= 'a' && line[begin - 1] <= 'z') || line[begin - 1] == '_')) {
      --begin;
    }
    const std::string_view name = line.substr(begin, at - begin);
    for (const auto& [program, collective] : kPrograms) {
      if (name == program) return std::string(collective);
    }
  }
  return std::nullopt;
}

/// A release from the number that NCCL has for it: 2708 is 2.7.8, 22105 is 2.21.5.
std::string version_text(int number) {
  const int major = number >= 10000 ? number / 10000 : number / 1000;
  const int minor = number >= 10000 ? number / 100 % 100 : number / 100 % 10;
  return fmt::format("{}.{}.{}", major, minor, number % 100);
}

std::optional<std::string> nccl_version_in(std::string_view line) {
  constexpr std::string_view kInTest = "nccl-library=";
  constexpr std::string_view kInMessage = "NCCL version ";
  std::size_t at = line.find(kInTest);
  if (at != std::string_view::npos) {
    std::string_view digits = line.substr(at + kInTest.size());
    digits = digits.substr(0, digits.find_first_not_of("0123456789"));
    const auto number = parse<int>(digits);
    return number ? std::optional(version_text(*number)) : std::nullopt;
  }
  at = line.find(kInMessage);
  if (at == std::string_view::npos) return std::nullopt;
  const std::string_view rest = line.substr(at + kInMessage.size());
  const std::string_view version = rest.substr(0, rest.find_first_not_of("0123456789."));
  return version.empty() ? std::nullopt : std::optional(std::string(version));
}

/// "Rank  3 ... device  3 [0x66] NVIDIA H100 80GB HBM3": the rank and the model.
struct Device {
  std::size_t rank = 0;
  std::string model;
};

std::optional<Device> device_in(std::string_view line) {
  const std::size_t hash = line.find('#');
  if (hash == std::string_view::npos) return std::nullopt;
  const Tokens tokens = split(line.substr(hash + 1));
  if (tokens.size() < 2 || tokens[0] != "Rank" || !contains(line, " device ")) return std::nullopt;
  const auto rank = parse<std::size_t>(tokens[1]);
  if (!rank || *rank > 1'000'000) return std::nullopt;
  const std::size_t bracket = line.find("] ", line.find(" device "));
  std::string_view model = bracket == std::string_view::npos ? "" : line.substr(bracket + 2);
  while (!model.empty() && is_blank(model.back())) model.remove_suffix(1);
  return Device{*rank, std::string(model)};
}

/// Which times the columns of a table hold.
struct Columns {
  bool out_of_place = false;
  bool in_place = false;
  bool root = false;          ///< stands before the measurements
  bool counts_wrong = false;  ///< "#wrong"; older tests print the largest deviation
};

bool is_header(const Tokens& tokens) {
  const auto at = [&](std::string_view word) {
    return std::find(tokens.begin(), tokens.end(), word);
  };
  const auto size = at("size");
  return size != tokens.end() && tokens.end() - size > 3 && *(size + 1) == "count" &&
         *(size + 2) == "type" && at("algbw") != tokens.end();
}

/// The measurement columns of a row, or as many as are there: numbers and "N/A".
bool is_measure(std::string_view token) {
  return token == "N/A" || parse<double>(token).has_value();
}

/// A row as far as it has been read.
struct PartialRow {
  Bytes size{};
  std::vector<std::string_view> measures;  ///< without root
  Location location;
};

/// The digits at the end of a token: launchers may glue their prefix to the size.
std::string_view trailing_digits(std::string_view token) {
  std::size_t begin = token.size();
  while (begin > 0 && is_digit(token[begin - 1])) --begin;
  const bool is_prefixed = begin > 0 && (token[begin - 1] == ':' || token[begin - 1] == '>' ||
                                         token[begin - 1] == ']' || token[begin - 1] == '|');
  return begin == 0 || is_prefixed ? token.substr(begin) : std::string_view();
}

/// The start of a row: size, count and type, then what follows of redop, root and measures.
std::optional<PartialRow> row_in(const Tokens& tokens, bool has_root) {
  for (std::size_t t = 2; t < tokens.size(); ++t) {
    if (std::find(kTypes.begin(), kTypes.end(), tokens[t]) == kTypes.end()) continue;
    const auto size = parse<std::int64_t>(trailing_digits(tokens[t - 2]));
    if (!size || !parse<std::int64_t>(tokens[t - 1])) return std::nullopt;
    PartialRow row;
    row.size = Bytes{*size};
    std::size_t next = t + 1;
    const bool has_redop = next < tokens.size() && !is_measure(tokens[next]) &&
                           tokens[next].front() >= 'a' && tokens[next].front() <= 'z';
    for (next += has_redop ? 1 : 0; next < tokens.size() && is_measure(tokens[next]); ++next) {
      row.measures.push_back(tokens[next]);
    }
    if (has_root && !row.measures.empty()) row.measures.erase(row.measures.begin());
    return row;
  }
  return std::nullopt;
}

class LogReader {
 public:
  LogReader(const input::SourcePtr& file, Diagnostics& warnings)
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
    const std::string_view own = without_message(line);
    const Tokens tokens = split(own);
    if (is_header(tokens)) return begin_table(tokens, location);
    if (contains(own, "(GB/s)") && !tables_.empty()) return check_units(tokens, location);
    if (auto row = tables_.empty() ? std::nullopt : row_in(tokens, columns_.root)) {
      end_row();
      row->location = location;
      row_ = std::move(row);
      return;
    }
    if (row_ && continue_row(tokens)) return;
    read_preamble(own, tokens);
  }

  /// What stands before a table.
  void read_preamble(std::string_view line, const Tokens& tokens) {
    if (contains(line, "in-place") || contains(line, "out-of-place")) above_ = line;
    if (contains(line, "Using devices")) devices_.clear();
    if (contains(line, "nThread ")) {
      std::string_view settings = line.substr(line.find("nThread "));
      while (!settings.empty() && is_blank(settings.back())) settings.remove_suffix(1);
      next_.test_settings = std::string(settings);
    }
    if (!contains(line, "concluded")) {
      if (auto collective = collective_in(line)) next_.collective = std::move(collective);
    }
    if (!tokens.empty()) {
      if (auto device = device_in(line)) devices_.push_back(std::move(*device));
    }
  }

  void begin_table(const Tokens& tokens, const Location& location) {
    end_row();
    LogTable table = std::exchange(next_, {});
    table.header = location;
    table.nccl_version = nccl_version_;
    for (Device& device : devices_) {
      table.ranks = std::max(table.ranks.value_or(0), device.rank + 1);
      table.devices.push_back(std::move(device.model));
    }
    devices_.clear();
    const auto times = std::count(tokens.begin(), tokens.end(), "time");
    if (std::find(tokens.begin(), tokens.end(), "cputime") != tokens.end()) {
      errors_.error(kBadLog, location, "", "the table holds CPU times", "a run without -C");
    } else if (times < 1 || times > 2) {
      errors_.error(kBadLog, location, "", fmt::format("the table has {} columns \"time\"", times),
                    "one or two of them: out-of-place and in-place");
    }
    const bool only_in_place = contains(above_, "in-place") && !contains(above_, "out-of-place");
    columns_.out_of_place = times == 2 || !only_in_place;
    columns_.in_place = times == 2 || only_in_place;
    columns_.root = std::find(tokens.begin(), tokens.end(), "root") != tokens.end();
    columns_.counts_wrong = std::find(tokens.begin(), tokens.end(), "#wrong") != tokens.end();
    above_ = {};
    best_bandwidth_ = 0.0;
    tables_.push_back(std::move(table));
  }

  void check_units(const Tokens& tokens, const Location& location) {
    const auto has = [&](std::string_view word) {
      return std::find(tokens.begin(), tokens.end(), word) != tokens.end();
    };
    if (has("(B)") && has("(us)")) return;
    errors_.error(kBadLog, location, "", "the table has units that nccl-tests does not print",
                  "sizes in (B), times in (us), bandwidths in (GB/s)");
  }

  /// Measures that a message of NCCL had parted from the start of their row.
  bool continue_row(const Tokens& tokens) {
    const bool fits = !tokens.empty() && tokens.size() <= 8 &&
                      std::all_of(tokens.begin(), tokens.end(), is_measure);
    if (!fits) return false;
    row_->measures.insert(row_->measures.end(), tokens.begin(), tokens.end());
    return true;
  }

  /// A time, if the bandwidths after it show that it is whole.
  std::optional<SimTime> time_at(std::size_t column) {
    const bool is_whole = column + 2 < row_->measures.size();
    if (!is_whole || row_->measures[column] == "N/A") return std::nullopt;
    const double us = *parse<double>(row_->measures[column]);
    if (!(us > 0.0) || us > kLongestTime) {
      errors_.error(kBadLog, row_->location, "",
                    fmt::format("a time of {} us", row_->measures[column]), "a time above 0");
      return std::nullopt;
    }
    return SimTime{std::llround(us * 1e6)};
  }

  void end_row() {
    if (!row_) return;
    const std::size_t wanted = columns_.out_of_place && columns_.in_place ? 8 : 4;
    if (row_->measures.size() < wanted) {
      warnings_.warning("W451", row_->location, "", "a row of the table is cut short");
    }
    if (row_->size > Bytes{0}) {
      LogRow row{row_->size, {}, {}};
      if (columns_.out_of_place) row.out_of_place = time_at(0);
      if (columns_.in_place) row.in_place = time_at(columns_.out_of_place ? 4 : 0);
      check_wrong();
      note_bus_factor();
      tables_.back().rows.push_back(row);
    }
    row_.reset();
  }

  void note_bus_factor() {
    if (row_->measures.size() < 3) return;
    const double algbw = parse<double>(row_->measures[1]).value_or(0.0);
    const double busbw = parse<double>(row_->measures[2]).value_or(0.0);
    if (std::min(algbw, busbw) < std::max(kLeastBandwidth, best_bandwidth_)) return;
    best_bandwidth_ = std::min(algbw, busbw);
    tables_.back().bus_factor = busbw / algbw;
  }

  void check_wrong() {
    if (!columns_.counts_wrong) return;
    for (std::size_t column = 3; column < row_->measures.size(); column += 4) {
      const auto wrong = parse<double>(row_->measures[column]);
      if (!wrong || *wrong == 0.0) continue;
      warnings_.warning("W452", row_->location, "", "the test found wrong data at this size");
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

  input::SourcePtr file_;
  Diagnostics& warnings_;
  Diagnostics errors_;
  std::vector<LogTable> tables_;
  LogTable next_;  ///< what is known of the table that comes next
  std::vector<Device> devices_;
  std::optional<std::string> nccl_version_;
  std::string_view above_;  ///< the line that says which columns are in place
  Columns columns_;
  double best_bandwidth_ = 0.0;  ///< GB/s, of the row that gave the bus factor
  std::optional<PartialRow> row_;
};

}  // namespace

tl::expected<std::vector<LogTable>, Diagnostics> read_nccl_tests_log(const input::SourcePtr& file,
                                                                     Diagnostics& warnings) {
  return LogReader(file, warnings).read();
}

}  // namespace vgsim::calibration
