#include "tools/cli/commands/compare_command.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>

#include "tools/cli/commands/scenario_answer.hpp"
#include "tools/cli/compare/comparison_screen.hpp"
#include "tools/cli/compare/comparison_text.hpp"
#include "tools/cli/compare/subjects.hpp"
#include "tools/cli/config_files.hpp"
#include "tools/cli/exit_code.hpp"
#include "tools/cli/options/common_options.hpp"
#include "tools/cli/options/without_effect.hpp"
#include "tools/cli/output.hpp"
#include "tools/tables/result_table.hpp"

namespace vgsim::cli {
namespace {

constexpr const char* kCompareFooter = R"(
Examples:
  vgsim compare configs/scenarios/bert-large-4xr750xa.json
  vgsim compare mine.json#vgpu mine.json#passthrough
  vgsim compare before.json after.json)";

tables::Table table_of(const std::vector<Subject>& subjects) {
  std::vector<tables::FigureRow> rows;
  for (const Subject& subject : subjects) {
    const bool refused = subject.result.value("refused", false);
    rows.push_back({{subject.file, subject.name, refused}, subject.metrics});
  }
  return tables::figure_table({"file", "layout", "refused"}, rows);
}

}  // namespace

CLI::App* add_compare_command(CLI::App& app, CompareOptions& options) {
  CLI::App* command = app.add_subcommand(
      "compare",
      "compare layouts, scenarios or saved results: differences of inputs and of figures");
  command
      ->add_option("subjects", options.subjects,
                   "scenarios or results; FILE#LAYOUT selects one layout")
      ->required()
      ->type_name("FILE[#LAYOUT]");
  add_format_option(*command, options.format);
  add_full_option(*command, options.full);
  add_out_option(*command, options.out,
                 "write to this file instead of stdout; .csv and .xlsx: as a table");
  add_layout_option(*command, options.layouts);
  add_set_option(*command, options.set);
  add_draws_option(*command, options.draws);
  command->footer(kCompareFooter);
  return command;
}

int compare_command(const CompareOptions& options) {
  const auto of_table = table_options_without_effect(options.out, options.format, options.full);
  if (const int bad = report_options(of_table, "compare"); bad != kDone) return bad;
  const auto library = load_library(config_dir());
  if (!library) return report_errors(library.error());
  const auto read =
      read_subjects(options.subjects, {options.set, options.layouts, options.draws}, *library);
  if (!read) return report_errors(read.error());
  const std::vector<Subject>& subjects = read->good;
  if (options.draws && !read->simulated) {
    return report_options({"--draws has no effect on saved results: they keep their own draws; "
                           "leave it out, or name the scenarios"},
                          "compare");
  }
  if (subjects.size() < 2) {
    write_message("vgsim: one layout alone cannot be compared; name another scenario or result\n");
    return kBadInput;
  }
  const text::TerminalSize terminal = text::terminal_size(options.out);
  if (const auto table = options.out ? tables::table_kind(*options.out) : std::nullopt) {
    tables::Table rows = table_of(subjects);
    rows.about = provenance("comparison", options.subjects);
    write_result(tables::table_bytes(rows, *table), options.out);
  } else {
    write_result(options.format == Format::kJson ? comparison_json(subjects)
                 : options.full                  ? comparison_in_full(subjects, terminal)
                                                 : comparison_screen(subjects, terminal),
                 options.out);
  }
  if (!read->complete) return kBadInput;
  const bool refused = std::any_of(subjects.begin(), subjects.end(), [](const Subject& each) {
    return each.result.value("refused", false);
  });
  return refused ? kExpectationFailed : kDone;
}

}  // namespace vgsim::cli
