#include "models/calibration/read/calibration_file.hpp"

#include <fmt/core.h>

#include <optional>

#include "models/calibration/read/parameter_files.hpp"
#include "topology/catalog/catalog.hpp"
#include "topology/catalog/catalog_shapes.hpp"
#include "topology/input/json_reader.hpp"
#include "topology/input/typed.hpp"

namespace vgsim::calibration {

using namespace input;

namespace {

Shape errors_shape() {
  return object_shape({
      field("median", number_shape(0.0)).describe("of the relative errors"),
      field("p90", number_shape(0.0)),
  });
}

Shape fit_shape() {
  return object_shape({
      field("points", count_shape(0)).describe("that were fitted"),
      field("validation_points", count_shape(0)).describe("that were not fitted"),
      field("held_back", count_shape(0)).describe("former name of validation_points"),
      field("noise", number_shape(0.0)).describe("of one measurement: standard deviation"),
      field("before", errors_shape()).describe("of all points, with the defaults"),
      field("after", errors_shape()).describe("of the fitted points"),
      field("proof", errors_shape()).describe("of the validation points"),
      field("outliers", array_shape(string_shape())),
  });
}

Shape correction_shape() {
  return object_shape({
      field("collective", name_shape()).required().examples({"all_reduce"}),
      field("ranks", count_shape(1)).required(),
      field("machines", count_shape(1)).required(),
      field("sizes", array_shape(bytes_shape(Bytes{1}), 1)).required().describe("ascending"),
      field("factors", array_shape(number_shape(0.01, 100.0), 1))
          .required()
          .describe("measured divided by predicted time, one for each size"),
  });
}

std::optional<Correction> read_correction(const Value& value, Diagnostics& diagnostics) {
  Correction correction;
  correction.collective = as_string(*find(value, "collective"));
  correction.ranks = static_cast<std::size_t>(as_count(*find(value, "ranks")));
  correction.machines = static_cast<std::size_t>(as_count(*find(value, "machines")));
  const auto& sizes = find(value, "sizes")->elements();
  const auto& factors = find(value, "factors")->elements();
  bool good = sizes.size() == factors.size();
  for (std::size_t i = 0; good && i < sizes.size(); ++i) {
    const Bytes size = as_bytes(sizes[i]);
    good = correction.factors.empty() || correction.factors.back().first < size;
    correction.factors.emplace_back(size, factors[i].number());
  }
  if (good) return correction;
  diagnostics.error("E424", value.location(), value.pointer(), "sizes and factors do not match",
                    "ascending sizes, and a factor for each");
  return std::nullopt;
}

}  // namespace

Shape calibration_shape() {
  return object_shape({
      field("$schema", string_shape()),
      field("format", enum_shape({kCalibrationFormat})).required(),
      field("name", name_shape()).required(),
      field("date", name_shape()).required().examples({"2026-11-22"}),
      field("description", string_shape()),
      field("conditions", map_shape("conditions of the measurement", string_shape())),
      field("sources", topology::sources_shape()).required(),
      field("parameters", parameter_values_shape()).required(),
      field("correlations",
            array_shape(array_shape(any_of_shape({name_shape(), number_shape(-1.0, 1.0)}), 3, 3)))
          .describe("[one, other, coefficient] of correlated parameters"),
      field("corrections", array_shape(correction_shape()))
          .describe("corrections of bare collectives that the parameters cannot express"),
      field("fit", fit_shape()).describe("quality of the fit"),
  });
}

tl::expected<Calibration, Diagnostics> read_calibration(const SourcePtr& file) {
  const auto document = read_json(file);
  if (!document) return tl::unexpected(document.error());
  Diagnostics diagnostics;
  check(*document, calibration_shape(), diagnostics);
  if (diagnostics.has_errors()) return tl::unexpected(diagnostics);
  Calibration calibration;
  calibration.name = as_string(*find(*document, "name"));
  calibration.date = as_string(*find(*document, "date"));
  const Value sources = *find(*document, "sources");
  for (const auto& [name, key, entry] : find(*document, "parameters")->members()) {
    const Value source = *find(entry, "source");
    if (sources.member(as_string(source)) == nullptr) {
      diagnostics.error("E401", source.location(), source.pointer(),
                        fmt::format("unknown source \"{}\"", as_string(source)),
                        "a key of \"sources\" in the same file");
      continue;
    }
    calibration.source = topology::describe_source(sources, as_string(source));
    if (!find(entry, "low") || !find(entry, "high")) {
      diagnostics.error("E424", key, entry.pointer(), fmt::format("\"{}\" has no interval", name),
                        "\"low\" and \"high\"");
      continue;
    }
    const std::string current = current_name(name);
    calibration.parameters[current] = read_parameter(current, entry).quantity;
    check_interval(calibration.parameters[current], entry, diagnostics);
  }
  if (const auto list = find(*document, "corrections")) {
    for (const Value& entry : list->elements()) {
      if (auto read = read_correction(entry, diagnostics)) {
        calibration.corrections.push_back(std::move(*read));
      }
    }
  }
  if (const auto list = find(*document, "correlations")) {
    for (const Value& entry : list->elements()) {
      const auto& parts = entry.elements();
      if (!parts[0].is_string() || !parts[1].is_string() || parts[2].is_string()) {
        diagnostics.error("E424", entry.location(), entry.pointer(), "no correlation",
                          "[\"one\", \"other\", 0.5]");
        continue;
      }
      calibration.correlations.push_back({parts[0].string(), parts[1].string(), parts[2].number()});
    }
  }
  if (diagnostics.has_errors()) return tl::unexpected(diagnostics);
  return calibration;
}

}  // namespace vgsim::calibration
