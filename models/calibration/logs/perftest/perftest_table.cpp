#include "models/calibration/logs/perftest/perftest_table.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace vgsim::calibration::logs::perftest {
namespace {

constexpr double kMostRate = 100e12;   ///< bytes/s; higher rates are implausible
constexpr double kLongestTime = 1e4;   ///< seconds
constexpr double kMostMessages = 1e6;  ///< millions per second
constexpr std::int64_t kMostSize = std::int64_t{1} << 40;
constexpr std::size_t kFewestColumns = 3;

struct Name {
  std::string_view begin;
  Column column;
};

/// The beginnings of column names. Units follow in brackets.
constexpr std::array<Name, 20> kNames = {
    {{"#bytes", Column::kSize},          {"#iterations", Column::kIterations},
     {"#iters", Column::kIterations},    {"#sl", Column::kOther},
     {"BW peak", Column::kPeak},         {"BW average", Column::kAverage},
     {"MsgRate[", Column::kMessageRate}, {"BW Port1", Column::kOther},
     {"BW Port2", Column::kOther},       {"MsgRate Port1", Column::kOther},
     {"MsgRate Port2", Column::kOther},  {"t_min", Column::kLeast},
     {"t_max", Column::kMost},           {"t_typical", Column::kTypical},
     {"t_avg", Column::kMean},           {"t_stdev", Column::kOther},
     {"99% percentile", Column::kP99},   {"99.9% percentile", Column::kOther},
     {"tps average", Column::kOther},    {"CPU_Util", Column::kOther}}};

/// The text in the brackets after that name.
std::string_view unit_behind(std::string_view line, std::string_view name) {
  const std::size_t at = line.find(name);
  if (at == std::string_view::npos) return {};
  const std::string_view rest = line.substr(at + name.size());
  if (!rest.starts_with('[')) return {};
  return rest.substr(1, std::min(rest.find(']'), rest.size()) - 1);
}

double rate_factor(std::string_view unit) {
  if (unit == "MB/sec" || unit == "MiB/sec") return 1048576.0;
  if (unit == "Gb/sec") return 125e6;
  return 0.0;
}

double time_factor(std::string_view unit) {
  if (unit == "usec") return 1e-6;
  if (unit == "nsec") return 1e-9;
  return 0.0;
}

/// Reads a number of 0 or more; 0 means unknown.
bool take(double number, double factor, double most, std::optional<double>& value) {
  const double scaled = number * factor;
  if (!(scaled >= 0.0) || scaled > most) return false;
  if (scaled > 0.0) value = scaled;
  return true;
}

bool take(Column column, double number, const Header& header, PerftestPoint& point) {
  const auto rate = [&](auto& value) { return take(number, header.rate_factor, kMostRate, value); };
  const auto time = [&](auto& value) {
    return take(number, header.time_factor, kLongestTime, value);
  };
  switch (column) {
    case Column::kSize:
      point.size = Bytes{static_cast<std::int64_t>(number)};
      return number >= 1.0;
    case Column::kIterations:
      point.iterations = static_cast<std::int64_t>(number);
      return number >= 0.0;
    case Column::kPeak:
      return rate(point.peak);
    case Column::kAverage:
      return rate(point.average);
    case Column::kMessageRate:
      return take(number, 1e6, kMostMessages * 1e6, point.message_rate);
    case Column::kLeast:
      return time(point.least_s);
    case Column::kTypical:
      return time(point.typical_s);
    case Column::kMean:
      return time(point.mean_s);
    case Column::kMost:
      return time(point.most_s);
    case Column::kP99:
      return time(point.p99_s);
    case Column::kOther:
      return true;
  }
  return false;
}

}  // namespace

/// Columns are named with their unit in brackets, which differs between releases and options. The
/// header determines the meaning of each column and the factor to SI units.
std::optional<Header> header_in(std::string_view line) {
  if (!contains(line, "#bytes")) return std::nullopt;
  std::vector<std::pair<std::size_t, Column>> found;
  for (const Name& name : kNames) {
    const std::size_t at = line.find(name.begin);
    if (at != std::string_view::npos) found.emplace_back(at, name.column);
  }
  std::ranges::sort(found);
  Header header;
  for (const auto& [at, column] : found) header.columns.push_back(column);
  header.rate_factor = rate_factor(unit_behind(line, "BW average"));
  const std::string_view typical = unit_behind(line, "t_typical");
  header.time_factor = time_factor(typical.empty() ? unit_behind(line, "t_avg") : typical);
  const bool measures = std::ranges::any_of(found, [](const auto& each) {
    return each.second == Column::kAverage || each.second == Column::kTypical ||
           each.second == Column::kMean;
  });
  return measures ? std::optional(std::move(header)) : std::nullopt;
}

bool is_line(const Words& words) {
  return words.size() >= kFewestColumns &&
         std::ranges::all_of(
             words, [](std::string_view word) { return parse<double>(word).has_value(); }) &&
         parse<std::int64_t>(words[0]).has_value();
}

std::optional<PerftestPoint> point_in(const Words& words, const Header& header) {
  PerftestPoint point;
  if (words.size() < std::min(header.columns.size(), kFewestColumns)) return std::nullopt;
  for (std::size_t c = 0; c < std::min(words.size(), header.columns.size()); ++c) {
    const double number = *parse<double>(words[c]);
    if (!std::isfinite(number) || std::abs(number) > static_cast<double>(kMostSize)) {
      return std::nullopt;
    }
    if (!take(header.columns[c], number, header, point)) return std::nullopt;
  }
  const bool measures = point.average || point.typical_s || point.mean_s;
  return measures ? std::optional(point) : std::nullopt;
}

}  // namespace vgsim::calibration::logs::perftest
