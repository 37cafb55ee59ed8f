#include "tools/cli/score/score_kernels.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "models/questions/score/score_kernels.hpp"
#include "models/scenario/read/library.hpp"
#include "tools/cli/exit_code.hpp"
#include "tools/cli/output.hpp"
#include "tools/text/table.hpp"
#include "tools/text/words.hpp"
#include "topology/input/load_source.hpp"

namespace vgsim::cli {
namespace {

using scenario::KernelScore;
using scenario::MeasuredKernel;

std::string text_of(const std::vector<KernelScore>& scores) {
  Table table({1});
  table.add_row({"", "", "kernels", "median", "nine in ten", "too fast", "datasheet"});
  for (const KernelScore& score : scores) {
    const bool all = score.gpu.empty();
    if (all && &score != &scores.front()) table.add_blank();
    table.add_row({all ? score.kind : "  " + score.gpu, score.type, std::to_string(score.kernels),
                   percent(score.median), percent(score.nine_in_ten), percent(score.too_fast),
                   percent(score.roof_median)});
  }
  return table.text() +
         "\nErrors of a kernel's time, predicted over measured. Datasheet: its operations\n"
         "over the peak or bytes over the memory's rate, whichever takes longer. Short\n"
         "products have fewer than 1,024 rows.\n";
}

std::string json_of(const std::vector<KernelScore>& scores) {
  auto list = nlohmann::ordered_json::array();
  for (const KernelScore& score : scores) {
    auto& entry = list.emplace_back();
    entry["kind"] = score.kind;
    if (!score.gpu.empty()) entry["gpu"] = score.gpu;
    if (!score.type.empty()) entry["type"] = score.type;
    entry["kernels"] = score.kernels;
    entry["median_error"] = score.median;
    entry["nine_in_ten_error"] = score.nine_in_ten;
    entry["too_fast_share"] = score.too_fast;
    entry["datasheet_median_error"] = score.roof_median;
  }
  return nlohmann::ordered_json{{"kernels", list}}.dump(2) + "\n";
}

}  // namespace

bool have_kernel_tables(const std::vector<std::string>& paths) {
  return std::any_of(paths.begin(), paths.end(), scenario::is_kernel_table);
}

int score_kernel_tables(const Options& options, const scenario::Library& library) {
  const ScoreOptions& score = options.score;
  if (!std::all_of(score.paths.begin(), score.paths.end(), scenario::is_kernel_table)) {
    write_message("vgsim: tables of kernels (.csv) and cases are scored apart\n");
    return kBadInput;
  }
  if (score.bars || score.baseline || score.predictions || score.only_class || score.only_case) {
    write_message(
        "vgsim: tables of kernels have no --bars, --baseline, --predictions, --only or --case\n");
    return kBadInput;
  }
  input::Diagnostics diagnostics;
  std::vector<MeasuredKernel> kernels;
  for (const std::string& path : score.paths) {
    const auto file = input::load_source(path);
    const auto table = file ? scenario::read_kernel_table(*file, *library.catalog)
                            : tl::expected<std::vector<MeasuredKernel>, input::Diagnostics>(
                                  tl::unexpected(file.error()));
    if (table) {
      kernels.insert(kernels.end(), table->begin(), table->end());
    } else {
      diagnostics.append(table.error());
    }
  }
  if (diagnostics.has_errors()) {
    write_message(input::render(diagnostics, input::Diagnostics::kCapacity));
    return kBadInput;
  }
  const auto scores = scenario::score_kernels(kernels, *library.catalog, library.parameters);
  const std::string json = json_of(scores);
  if (score.output) write_result(json, score.output);
  write_result(options.format == Format::kJson ? json : text_of(scores), std::nullopt);
  return kDone;
}

}  // namespace vgsim::cli
