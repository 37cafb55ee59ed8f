#include "tools/cli/output_shapes.hpp"

#include <utility>
#include <vector>

namespace vgsim::cli {
namespace {

using input::any_shape;
using input::array_shape;
using input::boolean_shape;
using input::count_shape;
using input::enum_shape;
using input::field;
using input::Field;
using input::map_shape;
using input::number_shape;
using input::object_shape;
using input::Shape;
using input::string_shape;

Field must(const char* name, Shape shape) { return field(name, std::move(shape)).required(); }

Shape text() { return string_shape(); }
Shape texts() { return array_shape(string_shape()); }

/// Adds the location in a file, as far as known.
Shape placed(std::vector<Field> fields) {
  fields.push_back(field("file", text()));
  fields.push_back(field("line", count_shape(1)));
  fields.push_back(field("column", count_shape(1)));
  fields.push_back(field("pointer", text()).describe("JSON pointer (RFC 6901)"));
  return object_shape(std::move(fields));
}

Shape changes() {
  return array_shape(
      object_shape({must("name", text()), must("before", text()), must("now", text())}));
}

Shape bottleneck() {
  return object_shape({must("kind", text()), must("share", number_shape(0, 1)),
                       field("resource", text()), field("slot", text())});
}

Shape checked_scenario() {
  const Shape finding =
      placed({must("kind", text()), must("layout", text().nullable()), must("figure", text()),
              must("expected", text()), must("found", text()), must("message", text()),
              field("change", number_shape()).describe("as a share")});
  const Shape error =
      placed({must("code", text()), must("message", text()), must("expected", text())});
  return object_shape(
      {must("name", text()), must("outcome", enum_shape({"holds", "failed", "error"})),
       must("baseline",
            enum_shape({"unused", "missing", "compared", "new", "updated", "same", "removed"})),
       must("expectations", count_shape()).describe("number of checked ones"),
       must("figures_compared", count_shape()).describe("with the baseline"),
       must("scenario_changed", boolean_shape()), must("changed_keys", changes()),
       must("layouts", texts()), must("findings", array_shape(finding)),
       must("changed_inputs", changes()), must("errors", array_shape(error)),
       field("limit", text()).describe("that stopped it")});
}

Shape explained_layout() {
  const Shape step = object_shape({must("begin_s", number_shape()), must("end_s", number_shape()),
                                   must("kind", text()), must("what", text()),
                                   field("resource", text()), field("resource_kind", text())});
  const Shape kernel =
      object_shape({must("what", text()), must("kernels", number_shape()),
                    must("time_s", number_shape()), must("roof_s", number_shape())});
  const Shape measure =
      object_shape({must("what", text()), must("command", text()), must("parameters", texts()),
                    must("narrows", number_shape())});
  const Shape assumed = object_shape({must("text", text()), must("time_s", number_shape()),
                                      must("alternative_time_s", number_shape())});
  const Shape change = object_shape(
      {must("id", text()), must("title", text()),
       must("outcome", enum_shape({"simulated", "refused", "impossible"})),
       must("changes_training", boolean_shape()),
       must("set", map_shape("JSON pointer of the scenario", any_shape())), must("needs", texts()),
       field("time_before_s", number_shape()), field("time_after_s", number_shape()),
       field("gain", number_shape()).describe("share of the time that it saves"),
       field("next_bottleneck", text()),
       field("brings", texts()).describe("rules whose warnings are new"),
       field("problems", texts()),
       field("parts", map_shape("catalogue name", number_shape())).describe("that are added"),
       field("price", number_shape())});
  return object_shape(
      {must("refused", boolean_shape()), field("bottleneck_text", text()),
       field("bottleneck", bottleneck()), field("iteration_s", number_shape()),
       field("critical_path", array_shape(step)), field("kernels", array_shape(kernel)),
       field("measure", array_shape(measure)),
       field("undecided",
             object_shape({must("against", text()), must("measure", array_shape(measure))}))
           .describe("what decides whether it is slower than the fastest"),
       field("assumed", array_shape(assumed)),
       field("numa_costs",
             array_shape(object_shape({must("cause", text()), must("share", number_shape())})))
           .describe("what the VMs' NUMA nodes cost, as a share of the time"),
       must("changes", array_shape(change))});
}

}  // namespace

Shape check_shape() {
  return object_shape({must("schema", enum_shape({"vgsim.check/1"})), must("hold", count_shape()),
                       must("failed", count_shape()), must("errors", count_shape()),
                       must("scenarios", map_shape("path of a scenario", checked_scenario()))});
}

Shape comparison_shape() {
  const Shape subject = object_shape({must("label", text()), must("file", text()),
                                      must("layout", text()), must("bottleneck", bottleneck())});
  const Shape difference =
      object_shape({must("pointer", text()), must("before", text()), must("after", text())});
  const Shape figure = object_shape(
      {must("values", array_shape(number_shape().nullable())),
       must("ratios", array_shape(number_shape().nullable())).describe("to the first subject")});
  return object_shape({must("schema", enum_shape({"vgsim.comparison/1"})),
                       must("subjects", array_shape(subject)),
                       must("differences", array_shape(array_shape(difference)))
                           .describe("of each subject's scenario to that of the first"),
                       must("metrics", map_shape("a figure, as in results", figure))});
}

Shape explanation_shape() {
  return object_shape({must("schema", enum_shape({"vgsim.explanation/2"})),
                       must("scenario", text()).describe("its name"),
                       must("layouts", map_shape("name of a layout", explained_layout()))});
}

}  // namespace vgsim::cli
