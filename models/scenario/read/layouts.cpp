#include "models/scenario/read/layouts.hpp"

#include <fmt/core.h>

#include <memory>
#include <set>
#include <string_view>
#include <utility>

#include "models/scenario/read/known_names.hpp"
#include "models/scenario/read/layout_keys.hpp"
#include "models/scenario/read/training_keys.hpp"
#include "topology/input/merge_patch.hpp"
#include "topology/input/name_ranges.hpp"
#include "topology/input/shapes/shape.hpp"
#include "topology/input/typed.hpp"

namespace vgsim::scenario {
namespace {

using input::Diagnostics;
using input::find;
using input::Member;
using input::Value;

/// The object with `change` applied to the member of that name, if any.
template <class Change>
Value with_member(const Value& object, const char* name, const Change& change) {
  if (object.member(name) == nullptr) return object;
  std::vector<Member> members = object.members();
  for (Member& member : members) {
    if (member.name == name) member.value = change(member.value);
  }
  return Value::make_object(std::move(members), object.origin());
}

/// Reports names with a bracket that are not ranges.
void check_brackets(const Value& machines, Diagnostics& diagnostics) {
  for (const Member& member : machines.members()) {
    if (input::has_range(member.name) || member.name.find_first_of("[]") == std::string::npos) {
      continue;
    }
    diagnostics.error("E208", member.key, member.value.pointer(),
                      fmt::format("\"{}\" is not a range of names", member.name),
                      "a name without brackets, or a range such as \"esx[01-04]\"");
  }
}

/// Expands the NICs of each machine, then the machines, so that machines of a range share their
/// content.
Value expand_machines(const Value& machines, Diagnostics& diagnostics) {
  if (!machines.is_object()) return machines;
  check_brackets(machines, diagnostics);
  std::vector<Member> members = machines.members();
  for (Member& member : members) {
    if (!member.value.is_object()) continue;
    member.value = with_member(member.value, "nics", [&](const Value& nics) {
      return nics.is_object() ? input::expand_object_ranges(nics, diagnostics) : nics;
    });
  }
  return input::expand_object_ranges(Value::make_object(std::move(members), machines.origin()),
                                     diagnostics);
}

Value expand_names(const Value& layout, Diagnostics& diagnostics) {
  const auto expand = [&](const Value& v) { return expand_machines(v, diagnostics); };
  return with_member(with_member(layout, "hosts", expand), "vms", expand);
}

Value without(const Value& object, std::string_view name) {
  std::vector<Member> members;
  for (const Member& member : object.members()) {
    if (member.name != name) members.push_back(member);
  }
  return Value::make_object(std::move(members), object.origin());
}

/// The first of "jobs" becomes the job, with its name unless it is the only one.
Value with_first_job(const Value& layout) {
  const Member* jobs = layout.member("jobs");
  if (jobs == nullptr || layout.member("job") != nullptr) return layout;
  if (!jobs->value.is_object() || jobs->value.members().empty()) return layout;
  std::vector<Member> others = jobs->value.members();
  const Member first = others.front();
  others.erase(others.begin());
  Value job = first.value;
  if (!others.empty() && job.is_object()) {
    std::vector<Member> keys = job.members();
    keys.push_back({"name", first.key, Value::make_string(first.name, job.origin())});
    job = Value::make_object(std::move(keys), job.origin());
  }
  std::vector<Member> members;
  for (const Member& member : layout.members()) {
    if (member.name != "jobs") {
      members.push_back(member);
      continue;
    }
    members.push_back({"job", member.key, job});
    if (others.empty()) continue;
    members.push_back(
        {"jobs", member.key, Value::make_object(std::move(others), member.value.origin())});
  }
  return Value::make_object(std::move(members), layout.origin());
}

/// The layouts that have another of several jobs as theirs.
void add_other_jobs(Layout& layout, Diagnostics& diagnostics) {
  if (layout.jobs.empty()) return;
  layout.job_name = *layout.job->name;
  for (const auto& other : layout.jobs) {
    if (other.name != layout.job_name) continue;
    diagnostics.error("E411", other.key, input::to_pointer(other.origin.path),
                      fmt::format("two jobs have the name \"{}\"", other.name),
                      "another name, or a \"name\" in \"job\"");
  }
  const auto others = layout.jobs;
  layout.jobs.insert(layout.jobs.begin(),
                     {layout.job_name, layout.job.origin.location, layout.job, layout.job.origin});
  for (const auto& own : others) {
    auto other = std::make_shared<Layout>(layout);
    other->other_jobs.clear();
    other->job = *own;
    other->job_name = own.name;
    layout.other_jobs.push_back(std::move(other));
  }
}

std::string said_of_machines(const Value& layout) {
  static const std::set<std::string_view> kBesideThem = {
      "name", "calibration", "hosts",       "vms",         "job",
      "jobs", "prices",      "reliability", "disruptions", "maintenance"};
  std::vector<Member> members = layout.members();
  std::erase_if(members, [](const Member& member) { return kBesideThem.contains(member.name); });
  return input::to_canonical_string(Value::make_object(std::move(members), layout.origin()));
}

}  // namespace

Document with_single_names(const Document& document, Diagnostics& diagnostics) {
  return with_member(expand_names(document.value(), diagnostics), "layouts",
                     [&](const Value& layouts) {
                       if (!layouts.is_object()) return layouts;
                       std::vector<Member> members = layouts.members();
                       for (Member& member : members) {
                         if (member.value.is_object())
                           member.value = expand_names(member.value, diagnostics);
                       }
                       return Value::make_object(std::move(members), layouts.origin());
                     });
}

std::vector<LayoutInput> read_layouts(const Document& document, Diagnostics& diagnostics) {
  // Built once, since a sweep reads thousands of scenarios.
  static const input::Shape shape_of_document = scenario_shape();
  Diagnostics found;
  input::check(document.value(), shape_of_document, found);
  std::vector<LayoutInput> layouts;
  if (!found.has_errors()) {
    const Value base = expand_names(without(without(document.value(), "layouts"), "expect"), found);
    if (const auto patches = find(document.value(), "layouts")) {
      for (const auto& [name, key, patch] : patches->members()) {
        layouts.push_back({name, input::merge_patch(base, expand_names(patch, found))});
      }
    } else {
      layouts.push_back({input::as_string(*find(base, "name")), base});
    }
    for (LayoutInput& layout : layouts) {
      layout.document = with_first_job(layout.document.value());
      const Value& value = layout.document.value();
      if (!found.has_errors()) input::check(value, layout_decoder().shape, found);
      if (!found.has_errors()) {
        layout.document = with_member(value, "job", with_plain_parallel);
        layout.document = with_member(layout.document.value(), "jobs", [](const Value& jobs) {
          std::vector<Member> members = jobs.members();
          for (Member& member : members) member.value = with_plain_parallel(member.value);
          return Value::make_object(std::move(members), jobs.origin());
        });
      }
    }
  }
  diagnostics.append(found);
  return found.has_errors() ? std::vector<LayoutInput>{} : layouts;
}

std::vector<LayoutInput> read_layouts(const Document& document, const Library& library,
                                      Diagnostics& diagnostics) {
  std::vector<LayoutInput> layouts = read_layouts(document, diagnostics);
  for (LayoutInput& layout : layouts) {
    layout.document = with_known_names(layout.document.value(), library, diagnostics);
  }
  return layouts;
}

tl::expected<Scenario, Diagnostics> read_scenario(const Document& document,
                                                  const Library& library) {
  Scenario scenario;
  Diagnostics found;
  for (const LayoutInput& input : read_layouts(document, library, found)) {
    if (found.has_errors()) break;
    auto layout = std::make_shared<Layout>(layout_decoder().read(input.document.value(), found));
    layout->name = input.name;
    layout->said_of_machines = said_of_machines(input.document.value());
    add_other_jobs(*layout, found);
    scenario.layouts.push_back(std::move(layout));
  }
  if (found.has_errors()) return tl::unexpected(found);
  scenario.name = document.text("name");
  return scenario;
}

}  // namespace vgsim::scenario
