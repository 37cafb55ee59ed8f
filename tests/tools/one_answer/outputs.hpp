#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "models/scenario/answer/metrics.hpp"
#include "tests/tools/program.hpp"

/// Output of all commands and the studio for one scenario, and access to its figures.
namespace vgsim::one_answer {

/// A shipped scenario, and at most two of its layouts, so that they fit side by side.
struct Case {
  const char* about;
  std::string file;  ///< in configs/scenarios
  std::vector<std::string> layouts;
  std::string options;  ///< "--set ...", of every command
};

/// The rows of the tables in a text, by label.
class Rows {
 public:
  /// Columns of a terminal, separated by two blanks.
  static Rows of_text(const std::string& text);
  /// Tables of Markdown, without escapes.
  static Rows of_markdown(const std::string& text);

  /// The cell in this column of the n-th row of that label; nothing if there is none.
  [[nodiscard]] std::optional<std::string> cell(const std::string& label, std::size_t column,
                                                std::size_t n = 0) const;

  /// The label itself, or the one continued after a comma: "training, 3 epochs".
  [[nodiscard]] std::string label_of(const std::string& label) const;

  /// Whether some row of that label has that cell.
  [[nodiscard]] bool has(const std::string& label, const std::string& cell) const;

 private:
  std::multimap<std::string, std::vector<std::string>> rows_;
};

struct Outputs {
  nlohmann::ordered_json result;  ///< run --format json
  std::string screen;
  std::string full;
  std::string explanation;
  std::string report;        ///< as Markdown
  std::string compared;      ///< compare of the scenario
  std::string compared_all;  ///< with --full
  std::string compared_saved;
  nlohmann::json explained;                                    ///< explain --format json
  std::map<std::string, std::map<std::string, double>> sheet;  ///< by layout and column
  std::map<std::string, nlohmann::json> studio;                ///< state, by layout
  std::map<std::string, int> exit_codes;                       ///< by command
};

[[nodiscard]] Outputs outputs_of(const Case& asked);

/// The words between the begin of a text, or a label, and the next label, blank line or end,
/// with single blanks.
[[nodiscard]] std::string paragraph_of(const std::string& screen, const std::string& label);

/// Whether the text is that value in that unit, rounded to its own last digit.
[[nodiscard]] bool is_rounded(const std::string& text, double value, scenario::MetricUnit unit);

}  // namespace vgsim::one_answer
