#include <fmt/format.h>

#include <algorithm>
#include <regex>
#include <set>

#include "tests/generated/relations.hpp"

namespace vgsim::generated {
namespace {

/// Where a name ends and its numbers or ranges begin: "esx" of "esx[01-04]" and of "esx01".
std::string stem_of(const std::string& name) {
  const std::size_t end = name.find_first_of("0123456789[");
  return end == std::string::npos ? name : name.substr(0, end);
}

/// Replaces the stem at the beginning of names, in every text and key.
Json renamed(const Json& value, const std::map<std::string, std::string>& stems) {
  if (value.is_string()) {
    const std::string text = value;
    for (const auto& [from, to] : stems) {
      if (!from.empty() && text.starts_with(from)) return to + text.substr(from.size());
    }
    return value;
  }
  if (value.is_array()) {
    Json made = Json::array();
    for (const Json& one : value) made.push_back(renamed(one, stems));
    return made;
  }
  if (!value.is_object()) return value;
  Json made = Json::object();
  for (const auto& [name, one] : value.items()) {
    made[renamed(Json(name), stems).get<std::string>()] = renamed(one, stems);
  }
  return made;
}

/// Other stems for machines of a kind, in the same alphabetical order (VMs of one power_on are
/// powered on in the order of their names); empty if the meaning of a name is not clear.
std::map<std::string, std::string> other_stems(const Json& scenario, const std::string& kind) {
  std::set<std::string> stems;
  for (const auto& [name, one] : scenario[kind].items()) stems.insert(stem_of(name));
  std::map<std::string, std::string> others;
  for (const std::string& stem : stems) {
    others[stem] = fmt::format("x{}x", static_cast<char>('a' + others.size()));
    for (const std::string& other : stems) {
      if (stem.empty() || (other != stem && other.starts_with(stem))) return {};
    }
    for (const char* beside : {"hosts", "vms"}) {
      if (beside == kind || !scenario.contains(beside)) continue;
      for (const auto& [name, one] : scenario[beside].items()) {
        if (name.starts_with(stem)) return {};
      }
    }
  }
  return others;
}

/// Hosts or VMs with other names, for themselves or for the hosts that they refer to.
Json renamed_machines(const Json& machines, bool own,
                      const std::map<std::string, std::string>& stems) {
  Json made = Json::object();
  for (const auto& [name, one] : machines.items()) {
    Json machine = one;
    for (const char* place : {"host", "remote_client"}) {
      if (machine.contains(place)) machine[place] = renamed(machine[place], stems);
    }
    made[own ? renamed(Json(name), stems).get<std::string>() : name] = std::move(machine);
  }
  return made;
}

/// A scenario whose hosts (VMs) are called otherwise, wherever it names them.
std::optional<Changed> with_other_names(const Json& scenario, const std::string& kind) {
  if (!scenario.contains(kind) || scenario["job"].contains("beside")) return std::nullopt;
  const auto stems = other_stems(scenario, kind);
  if (stems.empty()) return std::nullopt;
  Changed changed{scenario, {}};
  for (const char* part : {"hosts", "vms"}) {
    if (!scenario.contains(part)) continue;
    changed.scenario[part] = renamed_machines(scenario[part], part == kind, stems);
  }
  for (const char* part : {"disruptions", "neighbours", "faults", "variability"}) {
    if (scenario.contains(part)) changed.scenario[part] = renamed(scenario[part], stems);
  }
  for (const char* list : {"vms", "ranks"}) {
    if (!scenario["job"].contains(list)) continue;
    Json& named = changed.scenario["job"][list];
    if (named.dump().find("\"*") != std::string::npos) return std::nullopt;
    named = renamed(named, stems);
  }
  return changed;
}

Json reversed(const Json& value) {
  if (value.is_array()) {
    Json made = Json::array();
    for (const Json& one : value) made.push_back(reversed(one));
    return made;
  }
  if (!value.is_object()) return value;
  Json made = Json::object();
  for (auto member = value.rbegin(); member != value.rend(); ++member) {
    made[member.key()] = reversed(member.value());
  }
  return made;
}

/// A range of names as two, "h[1-4]" as "h[1-2]" and "h[3-4]"; nothing of what is none.
std::vector<std::string> halves_of(const std::string& name) {
  static const std::regex kRange("^([^\\[\\]]*)\\[([0-9]+)-([0-9]+)\\]([^\\[\\]]*)$");
  std::smatch match;
  if (!std::regex_match(name, match, kRange)) return {};
  const std::size_t width = match[2].str().size();
  const long first = std::stol(match[2]);
  const long last = std::stol(match[3]);
  if (last <= first) return {};
  const auto range = [&](long from, long to) {
    return fmt::format("{}[{:0{}}-{:0{}}]{}", match[1].str(), from, width, to, width,
                       match[4].str());
  };
  const long middle = (first + last) / 2;
  return {range(first, middle), range(middle + 1, last)};
}

/// The hosts and VMs of each range in two ranges.
std::optional<Changed> with_split_ranges(const Json& scenario) {
  static const std::regex kInner("\\[[0-9]+-[0-9]+\\]");  // ranges that go along with the names
  Changed changed{scenario, {}};
  bool any = false;
  for (const char* kind : {"hosts", "vms"}) {
    if (!scenario.contains(kind)) continue;
    Json made = Json::object();
    for (const auto& [name, one] : scenario[kind].items()) {
      const auto halves = halves_of(name);
      if (halves.empty() || std::regex_search(one.dump(), kInner)) {
        made[name] = one;
        continue;
      }
      for (const std::string& half : halves) made[half] = one;
      any = true;
    }
    changed.scenario[kind] = std::move(made);
  }
  return any ? std::optional(changed) : std::nullopt;
}

/// "25 Gbit/s" as "25000 Mbit/s", "1 MiB" as "1024 KiB".
Json in_other_units(const Json& value) {
  static const std::map<std::string, std::pair<std::string, double>> kUnits = {
      {" Gbit/s", {" Mbit/s", 1000}},
      {" GB/s", {" MB/s", 1000}},
      {" GiB", {" MiB", 1024}},
      {" MiB", {" KiB", 1024}},
      {" ms", {" us", 1000}},
      {" s", {" ms", 1000}},
      {" min", {" s", 60}}};
  if (value.is_string()) {
    const std::string text = value;
    const std::size_t space = text.find(' ');
    if (space == std::string::npos || space == 0) return value;
    const auto unit = kUnits.find(text.substr(space));
    std::size_t read = 0;
    if (unit == kUnits.end() || text.find_first_not_of("0123456789.") != space) return value;
    const double number = std::stod(text, &read);
    return fmt::format("{}{}", number * unit->second.second, unit->second.first);
  }
  Json made = value;
  if (value.is_structured()) {
    for (auto& [name, one] : made.items()) one = in_other_units(one);
  }
  return made;
}

/// A host more that no VM runs on and that none could be placed on.
std::optional<Changed> with_idle_host(const Json& scenario) {
  if (!scenario.contains("vms") || scenario.contains("maintenance") ||
      scenario.contains("disruptions") || scenario.contains("fabric")) {
    return std::nullopt;
  }
  for (const auto& [name, vm] : scenario["vms"].items()) {
    if (!vm.contains("host")) return std::nullopt;
  }
  Changed changed{scenario, {}};
  changed.scenario["hosts"]["zz-idle"] = {{"server", "dell-r740"}};
  return changed;
}

}  // namespace

void add_other_words(const scenario::Library&, std::vector<Relation>& to) {
  using E = Effect;
  to.push_back({"hosts renamed", E::kSame, "names mean nothing",
                [](const Json& s) { return with_other_names(s, "hosts"); }});
  to.push_back({"VMs renamed", E::kSame, "names mean nothing",
                [](const Json& s) { return with_other_names(s, "vms"); }});
  to.push_back({"keys in reverse order", E::kSame, "order means nothing", [](const Json& s) {
                  return std::optional(Changed{reversed(s), {}});
                }});
  to.push_back({"ranges split", E::kSame, "a range is its names",
                [](const Json& s) { return with_split_ranges(s); }});
  to.push_back({"other units", E::kSame, "1 Gbit/s is 1000 Mbit/s",
                [](const Json& s) -> std::optional<Changed> {
                  Json other = in_other_units(s);
                  if (other == s) return {};
                  return Changed{other, {}};
                }});
  to.push_back({"another name", E::kSame, "the scenario's name means nothing",
                [](const Json& s) { return with(s, "/name", "another name"); }});
  to.push_back({"an idle host", E::kSame, "it takes no part",
                [](const Json& s) { return with_idle_host(s); }});
  to.push_back(
      {"with prices", E::kSame, "prices cost no time", [](const Json& s) -> std::optional<Changed> {
         if (!s["job"].contains("network")) return {};
         return with(s, "/prices", {{"currency", "EUR"}, {"gpu_hour", 2}, {"kwh", 0.3}});
       }});
  to.push_back({"with maintenance", E::kSame, "it is reported besides the training time",
                [](const Json& s) -> std::optional<Changed> {
                  if (!s["job"].contains("network")) return {};
                  return with(s, "/maintenance", {{"per_month", 2}});
                }});
  to.push_back({"with failures", E::kSame, "goodput is reported besides the training time",
                [](const Json& s) -> std::optional<Changed> {
                  if (!s["job"].contains("network") || s.contains("reliability")) return {};
                  return with(s, "/reliability", Json::object());
                }});
  to.push_back({"three epochs", E::kSame, "an iteration of a longer training is the same",
                [](const Json& s) -> std::optional<Changed> {
                  if (!s["job"].contains("network")) return {};
                  return with(s, "/job/epochs", 3);
                }});
  to.push_back({"unlimited memory", E::kSame, "what fits does not get faster",
                [](const Json& s) { return with(s, "/idealise/memory", "unlimited"); }});
  to.push_back(
      {"another seed", E::kSame, "nothing is drawn", [](const Json& s) -> std::optional<Changed> {
         if (s.contains("variability")) return {};
         return with(s, "/variability", {{"seed", 7}});
       }});
  to.push_back({"defaults written out", E::kSame, "a default applies without its key",
                [](const Json& s) -> std::optional<Changed> {
                  Changed changed{s, {}};
                  const auto write = [&](Json& object, const char* key, const Json& value) {
                    if (!object.contains(key)) object[key] = value;
                  };
                  write(changed.scenario, "vsphere", "8.0U3");
                  if (s.contains("vms")) {
                    for (auto& [name, vm] : changed.scenario["vms"].items()) {
                      write(vm, "guest_topology", "flat");
                      write(vm, "firmware", "efi");
                      write(vm, "memory_reserved", true);
                      write(vm, "guest_os", "linux");
                      write(vm, "power_on", 0);
                    }
                  }
                  Json& job = changed.scenario["job"];
                  if (job.contains("network")) {
                    write(job, "overlap", true);
                    write(job, "cuda_graphs", false);
                    write(job, "epochs", 1);
                  } else {
                    write(job, "gpus_per_thread", 1);
                    write(job, "fidelity", "fluid");
                  }
                  return changed;
                }});
}

}  // namespace vgsim::generated
