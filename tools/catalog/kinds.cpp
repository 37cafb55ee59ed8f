#include "tools/catalog/kinds.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <string>
#include <utility>

#include "models/scenario/read/library.hpp"
#include "tools/catalog/library_files.hpp"
#include "topology/catalog/catalog_shapes.hpp"
#include "topology/catalog/part_names.hpp"
#include "topology/input/json_reader.hpp"
#include "topology/input/load_source.hpp"
#include "topology/input/typed.hpp"

namespace vgsim::catalog {
namespace {

using input::Diagnostics;
using input::find;
using input::Member;
using input::Value;

constexpr std::pair<const char*, const char*> kParts[] = {
    {"gpus", "GPUs"},
    {"boards", "GPU boards, with their NVLinks"},
    {"servers", "servers, with their slots and PCIe trees"},
    {"nics", "network adapters and DPUs"},
    {"cpus", "CPUs"},
    {"switches", "network switches"},
    {"pcie", "generations of PCIe"},
    {"nvlink", "generations of NVLink and NVSwitch"},
    {"datasets", "data sets"}};

std::string member_text(const Value& object, const char* key) {
  const auto value = find(object, key);
  return value && value->is_string() ? value->string() : std::string();
}

Value made_object(std::vector<Member> members) { return Value::make_object(std::move(members)); }

Kind part_kind(const topology::Catalog& catalog, const char* name, const char* about) {
  Kind kind{name, about, catalog.documents.at(name), {}};
  const Value entries = *find(kind.document, "entries");
  for (input::KnownName& names : topology::known_parts(catalog, name)) {
    const Value value = entries.member(names.name)->value;
    kind.entries.push_back({std::move(names), value, *find(kind.document, "sources")});
  }
  return kind;
}

/// A board and one of its profiles as one object.
Value profile_value(const Member& board, const Value& profile, bool mig) {
  std::vector<Member> members = {{"board", {}, Value::make_string(board.name)},
                                 {"gpus", {}, *find(board.value, "gpus")},
                                 {"mode", {}, Value::make_string(mig ? "MIG" : "time-sliced")}};
  for (const Member& member : profile.members()) members.push_back(member);
  for (const char* key : {"source", "note"}) {
    const bool has_own = profile.member(key) != nullptr;
    if (const auto value = find(board.value, key); value && !has_own) {
      members.push_back({key, {}, *value});
    }
  }
  return made_object(std::move(members));
}

std::string profile_title(const Member& board, const Value& profile, bool mig) {
  std::vector<std::string> gpus;
  for (const Value& gpu : find(board.value, "gpus")->elements())
    gpus.push_back(input::as_written(gpu));
  return fmt::format("{}, {} a GPU, {}{}{}", member_text(profile, "framebuffer"),
                     input::as_written(*find(profile, "per_gpu")), mig ? "MIG" : "time-sliced",
                     gpus.empty() ? "" : ": ", fmt::join(gpus, ", "));
}

Kind profile_kind(const Value& document) {
  Kind kind{"profiles", "vGPU profiles, time-sliced and MIG-backed", document, {}};
  for (const Member& board : find(document, "boards")->members()) {
    for (const bool mig : {false, true}) {
      const auto list = find(board.value, mig ? "mig" : "time_sliced");
      if (!list) continue;
      for (const auto& [name, key, profile] : list->members()) {
        kind.entries.push_back({{name, {profile_title(board, profile, mig)}},
                                profile_value(board, profile, mig),
                                *find(document, "sources")});
      }
    }
  }
  return kind;
}

/// A rule with how well it is known, which follows from its sources.
Value rule_value(const Value& rule, const vsphere::Evidence& evidence) {
  std::vector<Member> members = rule.members();
  members.push_back({"evidence", {}, Value::make_string(evidence.kind)});
  members.push_back({"confidence", {}, Value::make_string(evidence.confidence)});
  return made_object(std::move(members));
}

Kind rule_kind(const Value& document, const vsphere::Rules& rules) {
  Kind kind{"rules", "rules of vSphere, vGPU and NCCL in a guest", document, {}};
  for (const auto& [name, key, rule] : find(document, "rules")->members()) {
    const vsphere::Evidence& evidence = rules.at(name).evidence;
    kind.entries.push_back({{name,
                             {fmt::format("{} ({}, confidence {})", member_text(rule, "title"),
                                          evidence.kind, evidence.confidence)}},
                            rule_value(rule, evidence),
                            *find(document, "sources")});
  }
  return kind;
}

/// The names of the sources that a version's own entry and the features that came with it cite.
void add_cited(const Value& value, std::set<std::string>& cited) {
  if (!value.is_object()) return;
  for (const Member& member : value.members()) {
    const bool cites = member.name.ends_with("source") && member.value.is_string();
    if (cites) cited.insert(member.value.string());
    add_cited(member.value, cited);
  }
}

/// A version with its new features and the documents that were read for it.
Value version_value(const Member& version, const Value& document) {
  std::vector<Member> members = version.value.members();
  std::set<std::string> cited;
  add_cited(version.value, cited);
  std::vector<Member> brought;
  for (const Member& feature : find(document, "features")->members()) {
    if (member_text(feature.value, "since") != version.name) continue;
    brought.push_back(feature);
    add_cited(feature.value, cited);
  }
  std::vector<Member> documents;
  for (const Member& source : find(document, "sources")->members()) {
    if (cited.contains(source.name)) documents.push_back(source);
  }
  if (!brought.empty()) members.push_back({"features", {}, made_object(std::move(brought))});
  members.push_back({"documents", {}, made_object(std::move(documents))});
  return made_object(std::move(members));
}

Kind version_kind(const Value& document) {
  Kind kind{"versions", "versions of vSphere, and the documents read for each", document, {}};
  for (const Member& version : find(document, "versions")->members()) {
    const std::string date = member_text(version.value, "date");
    kind.entries.push_back({{version.name, {date.empty() ? "vSphere" : "vSphere, of " + date}},
                            version_value(version, document),
                            *find(document, "sources")});
  }
  return kind;
}

Kind parameter_kind(const calibration::Parameters& parameters) {
  Kind kind{"parameters", "constants of the models", {}, {}};
  std::vector<Member> members;
  for (const auto& [name, parameter] : parameters.all()) {
    std::vector<Member> own;
    const auto add = [&own](const char* key, const std::string& text) {
      if (!text.empty()) own.push_back({key, {}, Value::make_string(text)});
    };
    const auto add_amount = [&, &parameter = *parameter](const char* key, double amount,
                                                         const std::string& written) {
      if (parameter.unit != calibration::ParameterUnit::kNumber &&
          parameter.unit != calibration::ParameterUnit::kCount) {
        add(key, written);
      } else if (!written.empty()) {
        own.push_back({key, {}, Value::make_number(amount)});
      }
    };
    add("meaning", parameter->meaning);
    add_amount("value", parameter->quantity.value, parameter->written);
    add_amount("low", parameter->quantity.low, parameter->low);
    add_amount("high", parameter->quantity.high, parameter->high);
    add("source", parameter->source);
    add("note", parameter->note);
    members.push_back({name, {}, made_object(std::move(own))});
    kind.entries.push_back(
        {{name, {parameter->meaning}}, members.back().value, Value::make_null()});
  }
  kind.document = made_object(std::move(members));
  return kind;
}

/// A kind with one file per entry.
Kind file_kind(const char* name, const char* about, const std::filesystem::path& folder,
               Diagnostics& diagnostics) {
  Kind kind{name, about, {}, {}};
  std::vector<Member> members;
  for (const auto& file : json_files(folder)) {
    const auto source = input::load_source(file.string());
    const auto document = source ? input::read_json(*source)
                                 : tl::expected<Value, Diagnostics>(tl::unexpected(source.error()));
    if (!document) {
      diagnostics.append(document.error());
      continue;
    }
    const std::string date = member_text(*document, "date");
    kind.entries.push_back(
        {{file.stem().string(), {date.empty() ? member_text(*document, "name") : "of " + date}},
         *document,
         Value::make_null()});
    members.push_back({file.stem().string(), {}, *document});
  }
  kind.document = made_object(std::move(members));
  return kind;
}

}  // namespace

tl::expected<std::vector<Kind>, Diagnostics> all_kinds(const scenario::Library& library,
                                                       const std::string& config_dir) {
  Diagnostics diagnostics;
  const std::filesystem::path folder(config_dir);
  const auto read = [&](const std::filesystem::path& file) -> std::optional<Value> {
    const auto source = input::load_source((folder / file).string());
    const auto document = source ? input::read_json(*source)
                                 : tl::expected<Value, Diagnostics>(tl::unexpected(source.error()));
    if (document) return *document;
    diagnostics.append(document.error());
    return std::nullopt;
  };
  std::vector<Kind> kinds;
  for (const auto& [name, about] : kParts)
    kinds.push_back(part_kind(*library.catalog, name, about));
  if (const auto profiles = read("vsphere/profiles.json")) kinds.push_back(profile_kind(*profiles));
  kinds.push_back(file_kind("networks", "networks that can be trained by name", folder / "networks",
                            diagnostics));
  if (const auto rules = read("vsphere/rules.json")) {
    kinds.push_back(rule_kind(*rules, library.vsphere->rules));
  }
  if (const auto versions = read("vsphere/versions.json")) kinds.push_back(version_kind(*versions));
  kinds.push_back(file_kind("calibrations", "what was fitted to measured machines",
                            folder / "calibrations", diagnostics));
  kinds.push_back(parameter_kind(library.parameters));
  if (diagnostics.has_errors()) return tl::unexpected(diagnostics);
  return kinds;
}

std::vector<const Entry*> meant_entries(const Kind& kind, const std::string& text) {
  std::vector<input::KnownName> known;
  for (const Entry& entry : kind.entries) known.push_back(entry.names);
  const auto names = input::matching_names(text, known);
  std::vector<const Entry*> entries;
  for (const Entry& entry : kind.entries) {
    if (std::find(names.begin(), names.end(), entry.names.name) != names.end()) {
      entries.push_back(&entry);
    }
  }
  return entries;
}

}  // namespace vgsim::catalog
