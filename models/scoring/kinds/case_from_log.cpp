#include "models/scoring/kinds/case_from_log.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

#include "topology/input/units/exact_time.hpp"

namespace vgsim::scoring {
namespace {

using calibration::LogRow;
using calibration::LogTable;
using input::Diagnostics;
using Json = nlohmann::ordered_json;

constexpr const char* kLogMismatch = "E452";
constexpr const char* kOtherLaunch = "W453";

std::string gpus(std::int64_t count) {
  return count == 1 ? "one GPU" : fmt::format("{} GPUs", count);
}

bool is_of(const LogTable& table, const std::string& collective) {
  return !table.collective || collective.empty() || *table.collective == collective;
}

std::vector<const LogTable*> tables_of(const std::vector<LogTable>& tables,
                                       const std::string& collective, Diagnostics& diagnostics) {
  std::vector<const LogTable*> taken;
  for (const LogTable& table : tables) {
    if (is_of(table, collective)) taken.push_back(&table);
  }
  if (taken.empty()) {
    diagnostics.error(kLogMismatch, tables.front().header, "",
                      fmt::format("the log is of {}, the scenario's job of {}",
                                  *tables.front().collective, collective),
                      "a log of the scenario's collective");
  }
  for (const LogTable* table : taken) {
    if (table->ranks == taken.front()->ranks) continue;
    diagnostics.error(kLogMismatch, table->header, "",
                      "the tables of the log have different numbers of ranks",
                      "a separate log for each");
    break;
  }
  for (const LogTable* table : taken) {
    const auto& first = taken.front()->nccl_version;
    if (!first || !table->nccl_version || table->nccl_version == first) continue;
    diagnostics.error(kLogMismatch, table->header, "",
                      fmt::format("the log mixes NCCL {} and {}", *first, *table->nccl_version),
                      "a separate log for each");
    break;
  }
  return taken;
}

SimTime middle(std::vector<SimTime> times) {
  std::sort(times.begin(), times.end());
  const std::size_t half = times.size() / 2;
  if (times.size() % 2 == 1) return times[half];
  return SimTime{times[half - 1].count() / 2 + times[half].count() / 2};
}

Json points_of(const std::vector<const LogTable*>& tables, bool in_place,
               Diagnostics& diagnostics) {
  std::map<Bytes, std::vector<SimTime>> times;
  for (const LogTable* table : tables) {
    for (const LogRow& row : table->rows) {
      const auto time = in_place ? row.in_place : row.out_of_place;
      if (time) times[row.size].push_back(*time);
    }
  }
  if (times.empty() && !diagnostics.has_errors()) {
    diagnostics.error(
        kLogMismatch, tables.front()->header, "",
        fmt::format("the log has no {} times", in_place ? "in-place" : "out-of-place"),
        in_place ? "a run without --in-place" : "--in-place");
  }
  Json points = Json::array();
  for (const auto& [size, measured] : times) {
    points.push_back({{"size", fmt::format("{} B", size.count())},
                      {"time", input::exact_time_text(middle(measured))}});
  }
  return points;
}

/// The log's description of the machine: "8 x NVIDIA H100 80GB HBM3".
Json stated_by(const LogTable& table) {
  std::map<std::string, std::size_t> models;
  for (const std::string& model : table.devices) ++models[model];
  Json stated = Json::array();
  for (const auto& [model, count] : models) stated.push_back(fmt::format("{} x {}", count, model));
  if (table.nccl_version) stated.push_back("NCCL " + *table.nccl_version);
  if (table.test_settings) stated.push_back("nccl-tests: " + *table.test_settings);
  return stated;
}

/// The file's name without folder and extension, as an id.
std::string id_of(const std::string& log) {
  std::string id = log.substr(log.find_last_of('/') + 1);
  if (const std::size_t dot = id.find_last_of('.'); dot != std::string::npos && dot > 0) {
    id.erase(dot);
  }
  for (char& c : id) {
    const bool is_kept = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                         (c >= '0' && c <= '9') || c == '.' || c == '_' || c == '-' || c == '+';
    if (!is_kept) c = '-';
  }
  return id.empty() ? "log" : id.substr(0, 100);
}

}  // namespace

tl::expected<std::string, Diagnostics> case_from_log(const std::vector<LogTable>& tables,
                                                     const LogCase& settings) {
  Diagnostics diagnostics;
  const auto taken = tables_of(tables, settings.collective, diagnostics);
  if (taken.empty()) return tl::unexpected(diagnostics);
  const Json points = points_of(taken, settings.in_place, diagnostics);
  if (diagnostics.has_errors()) return tl::unexpected(diagnostics);

  const LogTable& table = *taken.front();
  Json out;
  out["format"] = kCollectiveCaseFormat;
  out["id"] = id_of(settings.log);
  out["title"] = fmt::format("{}{} of {}", settings.collective.empty() ? "" : settings.collective,
                             settings.in_place ? ", in place," : "", id_of(settings.log));
  out["class"] = "own";
  out["grade"] = table.nccl_version ? "A" : "B";
  out["source"] = {{"url", settings.log.substr(settings.log.find_last_of('/') + 1)},
                   {"date", "unknown"}};
  out["stated"] = stated_by(table);
  if (!table.nccl_version) out["not_stated"] = {"NCCL version"};
  out["scenario"] = settings.scenario;
  if (settings.layout) out["layout"] = *settings.layout;
  out["points"] = points;
  return out.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

void check_agreement(const std::vector<LogTable>& tables, const std::string& collective,
                     const CollectivePrediction& prediction, Diagnostics& diagnostics) {
  constexpr double kRounding = 0.01;
  const double factor = prediction.points.front().bus_factor;
  for (const LogTable& table : tables) {
    if (!is_of(table, collective)) continue;
    if (table.ranks && *table.ranks != prediction.ranks) {
      diagnostics.error(kLogMismatch, table.header, "",
                        fmt::format("the log has {} ranks, the scenario's job {}", *table.ranks,
                                    prediction.ranks),
                        "a scenario of the log's machine");
    } else if (table.bus_factor && std::abs(*table.bus_factor / factor - 1.0) > kRounding) {
      diagnostics.error(
          kLogMismatch, table.header, "",
          fmt::format("busbw is {:.3f} times algbw, but {:.3f} times in {} on {} ranks",
                      *table.bus_factor, factor, collective, prediction.ranks),
          "a log of the scenario's collective with the same number of ranks");
    }
    const auto launched = calibration::gpus_per_thread(table);
    if (!launched || *launched == prediction.gpus_per_thread) continue;
    diagnostics.warning(
        kOtherLaunch, table.header, "",
        fmt::format(
            "a thread of nccl-tests launched for {} (nGpus), one of the scenario's job for {}",
            gpus(*launched), prediction.gpus_per_thread),
        fmt::format("\"gpus_per_thread\": {} in the job", *launched));
  }
}

}  // namespace vgsim::scoring
