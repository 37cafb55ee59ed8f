#include "models/scoring/case_kind.hpp"
#include "models/scoring/kinds/collective_prediction.hpp"
#include "models/scoring/likeness.hpp"
#include "topology/input/json_reader.hpp"

namespace vgsim::scoring {
namespace {

tl::expected<Case, input::Diagnostics> read_collective(const CaseFile& file) {
  const auto document = input::read_json(file.source);
  if (!document) return tl::unexpected(document.error());
  const auto measured = read_case(*document);
  if (!measured) return tl::unexpected(measured.error());
  return Case{measured->head,
              [measured = *measured, load = file.load](const PredictionSettings& settings)
                  -> tl::expected<Prediction, input::Diagnostics> {
                const auto predicted = predict(measured, settings.library, load, settings.run);
                if (!predicted) return tl::unexpected(predicted.error());
                return compare(measured, *predicted);
              }};
}

}  // namespace

CaseKind collective_cases() {
  return {
      .name = "collectives",
      .format = kCollectiveCaseFormat,
      .shape = &case_shape,
      .read = &read_each<read_collective>,
      .weighting = Weighting::kGroups,
      .parts = with_likeness_parts({"small/one_node", "small/several_nodes", "medium/one_node",
                                    "medium/several_nodes", "large/one_node", "large/several_nodes",
                                    "all/one_node", "all/several_nodes"}),
      .columns = {"groups", "points", "small", "medium", "large", "signed", "median", "p90",
                  "worst", "at", "inside"},
      .factor_tag = "small",
      .legend =
          "errors are of times. small: messages up to 4 KiB, as a factor; medium: 64 kB to 64 "
          "MiB; large: 256 MB and more. like: number of measured machines with this path and GPU "
          "architecture"};
}

}  // namespace vgsim::scoring
