#include "tests/tools/one_answer/outputs.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <regex>
#include <semaphore>
#include <sstream>

#include "models/vsphere/import/table/xlsx.hpp"
#include "tests/support/scenarios.hpp"
#include "tools/cli/scenario_input.hpp"
#include "tools/studio/serve/service_thread.hpp"

namespace vgsim::one_answer {
namespace {

using nlohmann::json;

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

std::string trimmed(const std::string& text) {
  const std::size_t begin = text.find_first_not_of(' ');
  if (begin == std::string::npos) return {};
  return text.substr(begin, text.find_last_not_of(' ') - begin + 1);
}

std::string quoted(const std::string& text) { return "'" + text + "'"; }

std::string joined(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += (text.empty() ? "" : " ") + trimmed(line);
  return text;
}

/// Sends a request to a service of the studio and waits for the answer.
json ask(studio::ServiceThread& service, studio::Request request) {
  json answer;
  std::binary_semaphore done(0);
  service.ask(std::move(request), [&](const studio::Response& response) {
    answer = json::parse(response.body, nullptr, false);
    done.release();
  });
  done.acquire();
  return answer;
}

/// The studio's state when all computations have finished.
json settled_state(studio::ServiceThread& service) {
  for (int i = 0; i < 600; ++i) {
    json state = ask(service, {"GET", "state", {}, {}});
    const bool refused = state["answer"].is_object() && state["answer"]["now"]["refused"];
    const bool all = state["answer"].is_object() && state["answer"]["in_full"] &&
                     (state["helps"].is_object() || state["helps_later"]);
    if (refused || all) return state;
    const std::string version = std::to_string(state["version"].get<std::uint64_t>());
    ask(service, {"GET", "news", {{"after", version}}, {}});
  }
  ADD_FAILURE() << "the studio found out no more";
  return {};
}

std::map<std::string, json> studio_states(const Case& asked, const std::string& path,
                                          const std::vector<std::string>& settings) {
  std::map<std::string, json> states;
  const auto input = cli::read_scenario_input(path, settings);
  if (!input) return states;
  auto studio = studio::Studio::open(input->document, test::library(), input->load);
  if (!studio) return states;
  studio::ServiceThread service(std::move(*studio), {});
  for (const std::string& layout : asked.layouts) {
    ask(service, {"POST", "start", {}, json{{"layout", layout}}.dump()});
    states[layout] = settled_state(service);
  }
  return states;
}

std::map<std::string, std::map<std::string, double>> sheet_of(const std::string& path) {
  std::map<std::string, std::map<std::string, double>> sheet;
  const auto sheets = vsphere::import::read_xlsx(input::make_source(path, test::read_file(path)),
                                                 [](std::string_view) { return true; });
  if (!sheets) return sheet;
  std::vector<std::vector<std::string>> rows;
  for (const std::string& line : lines_of(sheets->front().table->text)) {
    auto& cells = rows.emplace_back();
    std::string cell;
    bool is_quoted = false;
    for (const char c : line + ",") {
      if (c == '"') {
        is_quoted = !is_quoted;
      } else if (c == ',' && !is_quoted) {
        cells.push_back(cell);
        cell.clear();
      } else {
        cell += c;
      }
    }
  }
  for (std::size_t r = 1; r < rows.size(); ++r) {
    for (std::size_t c = 1; c < rows[r].size(); ++c) {
      char* end = nullptr;
      const double value = std::strtod(rows[r][c].c_str(), &end);
      if (!rows[r][c].empty() && *end == '\0') sheet[rows[r][0]][rows[0][c]] = value;
    }
  }
  return sheet;
}

}  // namespace

Rows Rows::of_text(const std::string& text) {
  static const std::regex gap("  +");
  Rows rows;
  for (const std::string& line : lines_of(text)) {
    const std::string content = trimmed(line);
    std::vector<std::string> cells(
        std::sregex_token_iterator(content.begin(), content.end(), gap, -1), {});
    if (cells.size() < 2) continue;
    const std::string label = (line.starts_with("  ") ? "  " : "") + cells.front();
    cells.erase(cells.begin());
    rows.rows_.emplace(label, std::move(cells));
  }
  return rows;
}

Rows Rows::of_markdown(const std::string& text) {
  Rows rows;
  for (const std::string& line : lines_of(text)) {
    if (!line.starts_with('|')) continue;
    std::vector<std::string> cells;
    std::string cell;
    for (std::size_t i = 1; i < line.size(); ++i) {
      if (line[i] == '\\' && i + 1 < line.size()) {
        cell += line[++i];
      } else if (line[i] == '|') {
        cells.push_back(trimmed(cell));
        cell.clear();
      } else {
        cell += line[i];
      }
    }
    if (cells.size() < 2) continue;
    const std::string label = cells.front();
    cells.erase(cells.begin());
    rows.rows_.emplace(label, std::move(cells));
  }
  return rows;
}

std::optional<std::string> Rows::cell(const std::string& label, std::size_t column,
                                      std::size_t n) const {
  const auto [first, last] = rows_.equal_range(label);
  for (auto row = first; row != last; ++row) {
    if (n-- > 0) continue;
    if (column < row->second.size()) return row->second[column];
    return std::nullopt;
  }
  return std::nullopt;
}

std::string Rows::label_of(const std::string& label) const {
  const auto found = rows_.lower_bound(label + ",");
  return found != rows_.end() && found->first.starts_with(label + ", ") ? found->first : label;
}

bool Rows::has(const std::string& label, const std::string& cell) const {
  const auto [first, last] = rows_.equal_range(label);
  return std::any_of(first, last, [&](const auto& row) {
    return std::find(row.second.begin(), row.second.end(), cell) != row.second.end();
  });
}

Outputs outputs_of(const Case& asked) {
  const test::Scratch scratch;
  const std::string path = std::string(VGSIM_SOURCE_DIR) + "/configs/scenarios/" + asked.file;
  std::string options = quoted(path) + " " + asked.options;
  for (const std::string& layout : asked.layouts) options += " --layout " + quoted(layout);
  Outputs outputs;
  const auto say = [&](const std::string& command, const std::string& more) {
    const test::Ran ran = test::run_program(scratch, command + " " + options + " " + more);
    EXPECT_EQ(ran.err, "") << command;
    outputs.exit_codes[command] = ran.exit_code;
    return ran.out;
  };
  const std::string saved = scratch.file("saved.json");
  outputs.result = nlohmann::ordered_json::parse(say("run", "--quiet --format json"));
  std::ofstream(saved) << outputs.result.dump();
  outputs.screen = say("run", "--quiet");
  outputs.full = say("run", "--quiet --full");
  const std::string sheet = scratch.file("figures.xlsx");
  say("run", "--quiet -o " + sheet);
  outputs.sheet = sheet_of(sheet);
  outputs.explanation = say("explain", "");
  outputs.explained = json::parse(say("explain", "--format json"));
  outputs.report = say("report", "--quiet --format md");
  if (asked.layouts.size() > 1) {
    outputs.compared = say("compare", "");
    outputs.compared_all = say("compare", "--full");
    outputs.compared_saved = test::run_program(scratch, "compare " + saved).out;
  }
  std::vector<std::string> settings;
  const std::regex set("--set '([^']*)'");
  for (std::sregex_iterator each(asked.options.begin(), asked.options.end(), set), none;
       each != none; ++each) {
    settings.push_back((*each)[1]);
  }
  outputs.studio = studio_states(asked, path, settings);
  return outputs;
}

std::string paragraph_of(const std::string& screen, const std::string& label) {
  static const std::regex labelled("^[a-z][a-z ]{0,11}  +[^ ].*");
  std::vector<std::string> own;
  bool inside = label.empty();
  for (const std::string& line : lines_of(screen)) {
    const bool begins = std::regex_match(line, labelled);
    if (line.empty() || (begins && inside && !own.empty())) {
      if (!own.empty()) break;
      continue;
    }
    if (begins) inside = !label.empty() && line.starts_with(label + " ");
    if (inside) own.push_back(begins ? line.substr(label.size()) : line);
  }
  return joined(own);
}

bool is_rounded(const std::string& text, double value, scenario::MetricUnit unit) {
  using scenario::MetricUnit;
  static const std::regex number(R"(^(-?)([0-9,]+)(\.([0-9]+))?( .*)?$)");
  std::smatch found;
  if (!std::regex_match(text, found, number)) return false;
  std::string digits = found[2];
  std::erase(digits, ',');
  const std::string places = found[4];
  const std::string word = trimmed(found[5]);
  static const std::map<std::string, double> times{
      {"ns", 1e-9}, {"us", 1e-6}, {"ms", 1e-3}, {"s", 1}, {"min", 60}, {"h", 3600}, {"d", 86400}};
  double scale = 1;
  if (unit == MetricUnit::kSeconds) {
    if (!times.contains(word)) return false;
    scale = times.at(word);
  } else if (unit == MetricUnit::kBytes) {
    if (word != "GiB") return false;
    scale = 0x1p30;
  } else if (unit == MetricUnit::kShare) {
    if (word != "%") return false;
    scale = 0.01;
  } else if (unit == MetricUnit::kGBps) {
    if (word != "GB/s") return false;
  } else if (unit == MetricUnit::kFlops) {
    if (word != "TFLOP/s") return false;
    scale = 1e12;
  } else if (unit == MetricUnit::kKwh) {
    if (word != "kWh") return false;
  }
  // Trailing zeros of "1900" may be rounded; at least two digits are significant.
  const std::size_t zeros = places.empty() ? digits.size() - 1 - digits.find_last_not_of('0') : 0;
  const std::size_t rounded =
      digits.size() > 2 ? std::min(zeros, digits.size() - 2) : std::size_t{0};
  const double last = places.empty() ? std::pow(10.0, static_cast<double>(rounded))
                                     : std::pow(10.0, -static_cast<double>(places.size()));
  const double shown =
      std::stod(digits + (places.empty() ? "" : "." + places)) * (found[1].length() > 0 ? -1 : 1);
  return std::abs(shown - value / scale) <= 0.5001 * last;
}

}  // namespace vgsim::one_answer
