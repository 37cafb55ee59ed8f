#include "models/calibration/read/parameter_files.hpp"

#include <fmt/core.h>

#include <map>
#include <memory>
#include <stdexcept>
#include <utility>

#include "topology/catalog/catalog.hpp"
#include "topology/catalog/catalog_shapes.hpp"
#include "topology/graph/gpu_generation.hpp"
#include "topology/input/json_reader.hpp"
#include "topology/input/typed.hpp"

namespace vgsim::calibration {

using namespace input;

namespace {

std::int64_t whole_of(ParameterUnit unit, const Value& value) {
  switch (unit) {
    case ParameterUnit::kTime:
      return as_time(value).count();
    case ParameterUnit::kBytes:
      return as_bytes(value).count();
    case ParameterUnit::kRate:
      return as_rate(value).count();
    case ParameterUnit::kCount:
      return as_count(value);
    case ParameterUnit::kNumber:
      return 0;
  }
  throw std::logic_error("unit of a parameter");
}

Shape value_shape(ParameterUnit unit) {
  switch (unit) {
    case ParameterUnit::kTime:
      return time_shape();
    case ParameterUnit::kBytes:
      return bytes_shape();
    case ParameterUnit::kRate:
      return rate_shape(BytesPerSecond{1});
    case ParameterUnit::kCount:
      return count_shape(1);
    case ParameterUnit::kNumber:
      return number_shape(0.0);
  }
  throw std::logic_error("unit of a parameter");
}

Shape entry_shape(const Shape& value) {
  return object_shape({
      field("meaning", string_shape()).required().describe("description of the number"),
      field("value", value).required(),
      field("low", value).describe("low end of the spread"),
      field("high", value).describe("high end of the spread"),
      field("source", name_shape()).required().describe("key of the file's sources"),
      field("measured_by", name_shape()).describe("key of the file's measurements"),
      field("note", string_shape()),
  });
}

Shape measurements_shape() {
  return map_shape("key that parameters refer to as measured_by",
                   object_shape({
                       field("what", string_shape()).required().describe("in words"),
                       field("command", string_shape())
                           .required()
                           .describe("command to run on the machine, or place to look"),
                   }));
}

Shape measured_on_shape() {
  std::vector<Field> architectures;
  for (const auto& each : topology::kGpuArchitectures) {
    architectures.push_back(field(std::string(each.word), count_shape(1)));
  }
  return map_shape("parameter of this file that describes a model's error",
                   object_shape({
                       field("what", string_shape()).required().describe("in words"),
                       field("machines", object_shape(architectures))
                           .required()
                           .describe("number of measured machines by GPU architecture"),
                   }));
}

/// The machines that the file names for a parameter.
std::optional<MeasuredOn> measured_on(const std::string& name, const Value& document) {
  const auto all = find(document, "measured_on");
  const auto* found = all ? all->member(name) : nullptr;
  if (found == nullptr) return std::nullopt;
  MeasuredOn on{as_string(*find(found->value, "what")), {}};
  const Value machines = *find(found->value, "machines");
  for (const auto& [architecture, key, number] : machines.members()) {
    on.machines[architecture] = static_cast<std::size_t>(as_count(number));
  }
  return on;
}

/// The measurement that the entry names; reports an unknown one.
std::optional<MeasuredBy> measurement_of(const Value& entry, const Value& document,
                                         Diagnostics& diagnostics) {
  const auto named = find(entry, "measured_by");
  if (!named) return std::nullopt;
  const auto all = find(document, "measurements");
  const auto* found = all ? all->member(as_string(*named)) : nullptr;
  if (found == nullptr) {
    diagnostics.error("E401", named->location(), named->pointer(),
                      fmt::format("unknown measurement \"{}\"", as_string(*named)),
                      "a key of \"measurements\" in the same file");
    return std::nullopt;
  }
  return MeasuredBy{as_string(*find(found->value, "what")),
                    as_string(*find(found->value, "command"))};
}

double amount_of(ParameterUnit unit, const Value& value) {
  return unit == ParameterUnit::kNumber ? value.number()
                                        : static_cast<double>(whole_of(unit, value));
}

}  // namespace

Shape parameter_amounts_shape() {
  std::vector<Field> fields;
  for (const auto& [name, unit] : declared_parameters()) {
    fields.push_back(field(name, value_shape(unit)));
    if (const auto former = former_name(name)) fields.push_back(field(*former, value_shape(unit)));
  }
  return object_shape(fields);
}

std::map<std::string, double> read_parameter_amounts(const Value& amounts) {
  std::map<std::string, double> read;
  for (const auto& [name, key, value] : amounts.members()) {
    const std::string current = current_name(name);
    read[current] = amount_of(declared_parameters().at(current), value);
  }
  return read;
}

Shape parameter_values_shape() {
  std::map<ParameterUnit, Shape> entries;
  std::vector<Field> fields;
  for (const auto& [name, unit] : declared_parameters()) {
    auto entry = entries.find(unit);
    if (entry == entries.end()) entry = entries.emplace(unit, entry_shape(value_shape(unit))).first;
    fields.push_back(field(name, entry->second));
    if (const auto former = former_name(name)) fields.push_back(field(*former, entry->second));
  }
  return object_shape(fields);
}

Shape parameters_shape() {
  return object_shape({
      field("sources", topology::sources_shape()).required(),
      field("measurements", measurements_shape()),
      field("measured_on", measured_on_shape()),
      field("parameters", parameter_values_shape()).required(),
  });
}

Parameter read_parameter(const std::string& name, const Value& entry) {
  Parameter parameter;
  parameter.unit = declared_parameters().at(name);
  const auto amount = [&](const Value& value) { return amount_of(parameter.unit, value); };
  const Value value = *find(entry, "value");
  const auto low = find(entry, "low");
  const auto high = find(entry, "high");
  parameter.whole = whole_of(parameter.unit, value);
  parameter.spreads = low && high;
  parameter.quantity = {amount(value), low ? amount(*low) : 0.0, high ? amount(*high) : 0.0};
  parameter.written = as_written(value);
  if (low) parameter.low = as_written(*low);
  if (high) parameter.high = as_written(*high);
  parameter.meaning = as_string(*find(entry, "meaning"));
  if (const auto note = find(entry, "note")) parameter.note = as_string(*note);
  return parameter;
}

void check_interval(const Uncertain& quantity, const Value& entry, Diagnostics& diagnostics) {
  if (quantity.low <= quantity.value && quantity.value <= quantity.high) return;
  diagnostics.error("E424", entry.location(), entry.pointer(),
                    quantity.low > quantity.high ? "\"low\" is above \"high\""
                                                 : "\"value\" is outside its interval",
                    "\"value\" between \"low\" and \"high\"");
}

tl::expected<Parameters, Diagnostics> read_parameters(const std::vector<SourcePtr>& files) {
  Parameters::Entries entries;
  Diagnostics diagnostics;
  std::optional<Shape> shape;
  for (const SourcePtr& file : files) {
    const auto document = read_json(file);
    if (!document) {
      diagnostics.append(document.error());
      continue;
    }
    Diagnostics found;
    if (!file->checked) {
      if (!shape) shape = parameters_shape();
      check(*document, *shape, found);
    }
    diagnostics.append(found);
    if (found.has_errors()) continue;
    const Value sources = *find(*document, "sources");
    for (const auto& [written, key, value] : find(*document, "parameters")->members()) {
      const std::string name = current_name(written);
      const Value source = *find(value, "source");
      if (sources.member(as_string(source)) == nullptr) {
        diagnostics.error("E401", source.location(), source.pointer(),
                          fmt::format("unknown source \"{}\"", as_string(source)),
                          "a key of \"sources\" in the same file");
      }
      Parameter parameter = read_parameter(name, value);
      if (parameter.spreads) check_interval(parameter.quantity, value, diagnostics);
      parameter.source = topology::describe_source(sources, as_string(source));
      parameter.measured_by = measurement_of(value, *document, diagnostics);
      parameter.measured_on = measured_on(name, *document);
      if (!entries.emplace(name, std::make_shared<const Parameter>(std::move(parameter))).second) {
        diagnostics.error("E421", key, value.pointer(),
                          fmt::format("parameter \"{}\" is given twice", name));
      }
    }
  }
  for (const auto& [name, unit] : declared_parameters()) {
    if (diagnostics.has_errors() || entries.contains(name)) continue;
    diagnostics.error("E422", {}, "", fmt::format("no parameter file contains \"{}\"", name));
  }
  if (diagnostics.has_errors()) return tl::unexpected(diagnostics);
  return Parameters(std::move(entries));
}

}  // namespace vgsim::calibration
