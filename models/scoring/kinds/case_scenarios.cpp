#include "models/scoring/kinds/case_scenarios.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "models/scenario/read/layout_keys.hpp"
#include "topology/input/merge_patch.hpp"
#include "topology/input/shapes/shape_node.hpp"
#include "topology/input/typed.hpp"
#include "topology/look_up.hpp"

namespace vgsim::scoring {
namespace {

using namespace input;

// Above the size of the largest clusters and servers.
constexpr std::int64_t kMostHosts = 100'000;
constexpr std::int64_t kMostGpusOfAHost = 1024;

/// A number of hosts of a machine with a number of GPUs each.
struct Use {
  At<std::string> machine;
  std::int64_t hosts = 1;
  std::optional<std::int64_t> gpus;
};

const Decoder<Use>& use_decoder() {
  static const Decoder<Use> decoder = record<Use>({
      key("machine", &Use::machine, name()).required().describe("one of \"machines\""),
      key("hosts", &Use::hosts, count(1, kMostHosts)).required().describe("number of hosts"),
      key("gpus", &Use::gpus, count(1, kMostGpusOfAHost))
          .describe("GPUs of each host that are used")
          .default_text("all"),
  });
  return decoder;
}

/// The shape of a whole scenario; cached, since it is large.
const Shape& whole_scenario() {
  static const Shape shape = scenario::scenario_shape();
  return shape;
}

/// "n[001-128]" for 128.
std::string host_range(std::int64_t hosts) {
  const std::string last = std::to_string(hosts);
  return "n[" + std::string(last.size() - 1, '0') + "1-" + last + "]";
}

Value wrapped(const char* name, Value value) {
  const Origin origin = value.origin();
  return Value::make_object({Member{name, origin.location, std::move(value)}}, origin);
}

Value with_hosts(const Value& rest, const Use& use, const Origin& origin,
                 const CaseMachines& machines, Diagnostics& diagnostics) {
  const Named<Value>* machine = nullptr;
  std::vector<std::string> known;
  for (const Named<Value>& each : machines) {
    known.push_back(each.name);
    if (each.name == *use.machine) machine = &each;
  }
  if (machine == nullptr) {
    topology::report_unknown(use.machine, "machine of this case", known, diagnostics);
    return rest;
  }
  const Value hosts =
      Value::make_object({Member{host_range(use.hosts), machine->key, **machine}}, machine->origin);
  Value patch = wrapped("hosts", hosts);
  if (use.gpus) {
    const std::string whose = find(rest, "vms") ? "*" : "n*";
    const Value ranks =
        Value::make_string(fmt::format("{}/gpu[0-{}]", whose, *use.gpus - 1), origin);
    patch =
        merge_patch(patch, wrapped("job", wrapped("ranks", Value::make_array({ranks}, origin))));
  }
  return merge_patch(rest, patch);
}

}  // namespace

Decoder<std::string> case_word(std::vector<std::string> words) {
  return changed(as_written(enum_shape(std::move(words))),
                 [](const Value& word) { return word.string(); });
}

Decoder<Value> case_source() {
  return as_written(object_shape({
      field("url", string_shape()).required().describe("address of the measurements"),
      field("date", name_shape()).describe("of the measurements").examples({"2021-04"}),
      field("also", array_shape(string_shape())).describe("other documents that were read"),
  }));
}

Decoder<Value> case_left_out() {
  return as_written(array_shape(object_shape({
      field("id", name_shape()).required().describe("of the series in the source"),
      field("points", count_shape(0)).describe("number of its points"),
      field("reason", string_shape()).required().describe("reason for the omission"),
  })));
}

const Shape& case_patch() {
  static const Shape shape = [] {
    ShapeNode node = whole_scenario().node();
    node.fields.push_back(
        field("use", use_decoder().shape)
            .describe("the hosts: a number of hosts of a machine, with a number of GPUs each"));
    return patch_of(Shape(std::move(node))).published_in("case-patch.schema.json");
  }();
  return shape;
}

void check_machines(const CaseMachines& machines, const Origin& origin, Diagnostics& diagnostics) {
  for (const Named<Value>& machine : machines) {
    const Value hosts = Value::make_object(
        {Member{"hosts", {}, Value::make_object({Member{"host", {}, *machine}})}}, origin);
    check(hosts, case_patch(), diagnostics);
  }
}

Value case_scenario(const Value& merged, const CaseMachines& machines, Diagnostics& diagnostics) {
  const std::optional<Value> use = find(merged, "use");
  if (!use) return merged;
  std::vector<Member> members = merged.members();
  std::erase_if(members, [](const Member& each) { return each.name == "use"; });
  const Value rest = Value::make_object(std::move(members), merged.origin());
  Diagnostics incomplete;
  check(*use, use_decoder().shape, incomplete);
  diagnostics.append(incomplete);
  if (incomplete.has_errors()) return rest;
  return with_hosts(rest, use_decoder().read(*use, diagnostics), use->origin(), machines,
                    diagnostics);
}

bool check_case_scenario(const Value& scenario, const Origin& point, Diagnostics& diagnostics) {
  Diagnostics found;
  check(scenario, whole_scenario(), found);
  diagnostics.append(found);
  if (found.has_errors()) return false;
  if (!find(scenario, "hosts")) {
    topology::report(diagnostics, point, "the point has no hosts", "\"use\" in a patch");
  }
  return true;
}

}  // namespace vgsim::scoring
