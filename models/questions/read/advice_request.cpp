#include "models/questions/read/advice_request.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "models/scenario/answer/figures.hpp"
#include "models/scenario/read/layouts.hpp"
#include "topology/input/suggest.hpp"
#include "topology/input/typed.hpp"

namespace vgsim::scenario {
namespace {

using namespace input;

Shape figure_shape() { return any_of_shape({string_shape(), number_shape()}); }

Shape limits_shape() {
  return object_shape({
      field("min", figure_shape()).describe("at least").examples({"35 %"}),
      field("max", figure_shape()).describe("at most").examples({"2 h"}),
  });
}

Shape goal_shape() {
  return object_shape({
      field("require", map_shape("name of a figure", limits_shape()))
          .describe("limits of a figure")
          .default_text("nothing"),
      field("minimize", array_shape(name_shape(), 1, 8))
          .describe("figures to minimize, such as cost_epoch, hosts, gpu_hours")
          .examples({R"(["epoch_time_s", "hosts"])"}),
      field("maximize", array_shape(name_shape(), 1, 8))
          .describe("figures to maximize, such as samples_per_s"),
  });
}

/// The unit of a figure; reports unknown names.
std::optional<MetricUnit> unit_of(const std::string& metric, const Location& at,
                                  const std::string& pointer, Diagnostics& diagnostics) {
  if (const auto known = metric_named(metric)) return known->unit;
  const auto names = metric_names();
  diagnostics.error("E651", at, pointer, fmt::format("no result has a figure \"{}\"", metric),
                    "a figure such as epoch_time_s", suggest(metric, names));
  return std::nullopt;
}

std::optional<double> limit(const std::optional<Value>& value, MetricUnit unit,
                            Diagnostics& diagnostics) {
  if (!value) return std::nullopt;
  if (!value->is_string()) return value->number();
  const auto figure = read_figure(value->string(), unit);
  if (!figure) {
    diagnostics.error("E652", value->location(), value->pointer(),
                      fmt::format("cannot read \"{}\" as a figure", value->string()),
                      fmt::format("a quantity such as \"{}\"", in_words(1.0, unit)));
  }
  return figure;
}

void read_requirements(const Value& goal, AdviceRequest& request, Diagnostics& diagnostics) {
  const auto required = find(goal, "require");
  if (!required) return;
  for (const Member& member : required->members()) {
    const auto unit = unit_of(member.name, member.key, member.value.pointer(), diagnostics);
    if (!unit) continue;
    Requirement requirement{member.name, limit(find(member.value, "min"), *unit, diagnostics),
                            limit(find(member.value, "max"), *unit, diagnostics), member.name};
    if (requirement.min) {
      requirement.words += fmt::format(" at least {}", in_words(*requirement.min, *unit));
    }
    if (requirement.max) {
      requirement.words += fmt::format("{} at most {}", requirement.min ? " and" : "",
                                       in_words(*requirement.max, *unit));
    }
    request.requirements.push_back(std::move(requirement));
  }
}

void read_objectives(const Value& goal, AdviceRequest& request, Diagnostics& diagnostics) {
  for (const bool larger : {false, true}) {
    const auto names = find(goal, larger ? "maximize" : "minimize");
    if (!names) continue;
    for (const Value& name : names->elements()) {
      if (unit_of(name.string(), name.location(), name.pointer(), diagnostics)) {
        request.objectives.push_back({name.string(), larger});
      }
    }
  }
  if (request.objectives.empty() && !diagnostics.has_errors()) {
    diagnostics.error("E653", goal.location(), goal.pointer(), "the goal names no figure",
                      "\"minimize\" or \"maximize\" with a figure");
  }
}

/// The keys of the document that form a sweep.
Value sweep_part(const Value& document) {
  std::vector<Member> members{
      {"format", document.location(), Value::make_string("vgsim.sweep/1", document.origin())}};
  for (const Member& member : document.members()) {
    for (const char* key : {"name", "scenario", "vary", "together", "layouts"}) {
      if (member.name == key) members.push_back(member);
    }
  }
  return Value::make_object(std::move(members), document.origin());
}

}  // namespace

Shape advice_shape() {
  return object_shape({
      field("format", enum_shape({"vgsim.advice/1"})).required(),
      field("name", name_shape()).required().describe("name of the question in results"),
      field("scenario",
            any_of_shape({name_shape(), map_shape("key of a scenario", any_shape(), 1)}))
          .required()
          .describe(
              "the job on the machines that exist or are planned: a file in the same folder, or "
              "the contents of such a file")
          .examples({"../bert.json"}),
      field("goal", goal_shape())
          .required()
          .describe("requirements and figures to minimize or maximize"),
      field("vary", vary_shape())
          .describe("places in the scenario, as JSON pointers, with the allowed values of each"),
      field("together", together_shape())
          .describe("places that change together: each object is one choice"),
      field("hosts", array_shape(count_shape(1, 100'000), 1, 1000))
          .describe("allowed numbers of hosts: the first ones of the scenario, with their VMs")
          .default_text("all")
          .examples({"[1, 2, 4, 8]"}),
      field("hosts_down", count_shape(0, 8))
          .describe(
              "hosts that may fail: the last ones run no VMs, so that HA can restart those of "
              "a failed host there, and the goal must hold although hosts fail at the worst "
              "moment, with restarts and lost work")
          .default_text("0"),
      field("layouts", array_shape(name_shape(), 1, 100))
          .describe("layouts of the scenario to consider")
          .default_text("all"),
      field("most_runs", count_shape(1, 10'000'000))
          .describe("largest number of combinations to simulate; a larger space is searched by an "
                    "evolutionary "
                    "algorithm (NSGA-II)")
          .default_text("2000"),
  });
}

tl::expected<AdviceRequest, Diagnostics> read_advice_request(const Document& written) {
  const Value& document = written.value();
  Diagnostics diagnostics;
  check(document, advice_shape(), diagnostics);
  if (diagnostics.has_errors()) return tl::unexpected(diagnostics);
  AdviceRequest request;
  auto space = read_sweep(sweep_part(document));
  if (space) {
    request.space = std::move(*space);
  } else {
    diagnostics.append(space.error());
  }
  const Value goal = *find(document, "goal");
  read_requirements(goal, request, diagnostics);
  read_objectives(goal, request, diagnostics);
  if (const auto hosts = find(document, "hosts")) {
    for (const Value& count : hosts->elements()) request.hosts.push_back(as_count(count));
  }
  if (const auto down = find(document, "hosts_down")) request.hosts_down = as_count(*down);
  if (const auto most = find(document, "most_runs")) {
    request.most_runs = static_cast<std::uint64_t>(as_count(*most));
  }
  if (diagnostics.has_errors()) return tl::unexpected(diagnostics);
  return request;
}

AdviceRequest with_hosts(const AdviceRequest& request, const Document& scenario,
                         Diagnostics& diagnostics) {
  AdviceRequest changed = request;
  if (request.hosts.empty()) {
    if (request.hosts_down > 0) {
      diagnostics.error("E655", scenario.value().location(), "/hosts_down",
                        "\"hosts_down\" without \"hosts\"",
                        "\"hosts\": the numbers of hosts to try, such as [2, 3, 4]");
    }
    return changed;
  }
  const Value single = with_single_names(scenario, diagnostics).value();
  const auto hosts = find(single, "hosts");
  if (!hosts || !hosts->is_object()) return changed;
  const auto vms = find(single, "vms");
  const bool has_layouts = find(single, "layouts").has_value();
  // A layout's patch would restore the removed entries.
  const auto leave_out = [&](const std::string& place, std::vector<Override>& set) {
    set.push_back(take_away(place));
    if (has_layouts) set.push_back(take_away("/layouts/*" + place));
  };
  ValueSets sets;
  for (const std::int64_t count : request.hosts) {
    if (count > static_cast<std::int64_t>(hosts->members().size())) {
      diagnostics.error(
          "E654", scenario.value().location(), "/hosts",
          fmt::format("the scenario has {} hosts, not {}", hosts->members().size(), count));
      continue;
    }
    if (count <= request.hosts_down) {
      diagnostics.error(
          "E655", scenario.value().location(), "/hosts_down",
          fmt::format("{} of {} hosts down leave none for the job", request.hosts_down, count),
          "more \"hosts\" than \"hosts_down\"");
      continue;
    }
    std::vector<Override>& set = sets.emplace_back();
    const auto busy =
        static_cast<std::size_t>(std::max<std::int64_t>(count - request.hosts_down, 0));
    for (std::size_t h = busy; h < hosts->members().size(); ++h) {
      const std::string& name = hosts->members()[h].name;
      if (h >= static_cast<std::size_t>(count)) leave_out(fmt::format("/hosts/{}", name), set);
      if (!vms || !vms->is_object()) continue;
      for (const Member& vm : vms->members()) {
        const auto its_host = find(vm.value, "host");
        if (its_host && its_host->is_string() && its_host->string() == name) {
          leave_out(fmt::format("/vms/{}", vm.name), set);
        }
      }
    }
  }
  changed.space.grid.insert(changed.space.grid.begin(), Axis{std::move(sets)});
  changed.space.points *= request.hosts.size();
  return changed;
}

}  // namespace vgsim::scenario
