#include "models/scoring/kinds/kernel_tables.hpp"

#include <fmt/format.h>

#include <map>
#include <string>
#include <tuple>
#include <utility>

#include "models/scenario/read/library.hpp"
#include "models/scoring/kinds/kernel_prediction.hpp"

namespace vgsim::scoring {
namespace {

const char* kind_of(const MeasuredKernel& kernel) {
  const auto* product = std::get_if<kernels::MatrixProduct>(&kernel.work);
  if (product == nullptr) return "attention";
  return product->m >= kRowsOfTraining ? "products" : "short_products";
}

std::string label_of(const MeasuredKernel& kernel) {
  if (const auto* product = std::get_if<kernels::MatrixProduct>(&kernel.work)) {
    return fmt::format("{} x {} x {}", product->m, product->n, product->k);
  }
  const auto& attention = std::get<kernels::Attention>(kernel.work);
  return fmt::format("{} x {}, {} heads of {}", attention.sequences, attention.tokens,
                     attention.heads, attention.head_size);
}

Point point_of(const MeasuredKernel& kernel, const scenario::Library& library) {
  Point point;
  point.label = label_of(kernel);
  point.measured = kernel.seconds;
  const auto predicted = predict(kernel, *library.catalog, library.parameters);
  if (!predicted) {
    point.failure = "the catalogue lacks the peak or the multiprocessors of the GPU";
    return point;
  }
  point.predicted = predicted->seconds;
  point.error = predicted->seconds / kernel.seconds - 1;
  point.null_model = predicted->datasheet_seconds;
  point.null_error = predicted->datasheet_seconds / kernel.seconds - 1;
  return point;
}

Prediction predict_kernels(const std::vector<MeasuredKernel>& kernels,
                           const scenario::Library& library) {
  MeasuredSeries series{"kernels", "time_s", {}};
  for (const MeasuredKernel& kernel : kernels) {
    Point& point = series.points.emplace_back(point_of(kernel, library));
    point.source.point = series.points.size() - 1;
  }
  return {{std::move(series)}, {}, {}};
}

std::vector<Case> read_tables(const std::vector<CaseFile>& files, const scenario::Library& library,
                              input::Diagnostics& diagnostics) {
  std::vector<MeasuredKernel> all;
  for (const CaseFile& file : files) {
    const auto table = read_kernel_table(file.source, *library.catalog);
    if (table) {
      all.insert(all.end(), table->begin(), table->end());
    } else {
      diagnostics.append(table.error());
    }
  }
  return kernel_cases(all);
}

}  // namespace

std::vector<Case> kernel_cases(const std::vector<MeasuredKernel>& kernels) {
  std::map<std::tuple<std::string, std::string, std::string>, std::vector<MeasuredKernel>> groups;
  for (const MeasuredKernel& kernel : kernels) {
    groups[{kind_of(kernel), kernel.gpu, kernel.type}].push_back(kernel);
  }
  std::vector<Case> cases;
  for (const auto& [key, members] : groups) {
    const auto& [kind, gpu, type] = key;
    const std::string id = fmt::format("{}/{}/{}", kind, gpu, type);
    CaseHead head{id, fmt::format("{} on {} in {}", kind, gpu, type), gpu, kind, "A", true, {}, {}};
    cases.push_back({std::move(head), [members = members](const PredictionSettings& settings) {
                       return predict_kernels(members, settings.library);
                     }});
  }
  return cases;
}

CaseKind kernel_tables() {
  return {.name = "kernels",
          .format = ".csv",
          .shape = nullptr,
          .read = &read_tables,
          .weighting = Weighting::kRankedPoints,
          .parts = {},
          .columns = {"points", "signed", "median", "p90", "worst", "too low", "null median",
                      "not run"},
          .legend =
              "errors of kernel times. null model: the datasheet, operations "
              "over the peak "
              "or bytes over the memory's rate, whichever takes longer. short_products have fewer "
              "than 1,024 "
              "rows"};
}

}  // namespace vgsim::scoring
