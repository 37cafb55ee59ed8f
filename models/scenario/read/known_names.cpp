#include "models/scenario/read/known_names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <utility>

#include "models/scenario/read/library.hpp"
#include "models/vsphere/mig_words.hpp"
#include "topology/catalog/part_names.hpp"
#include "topology/graph/gpu_count.hpp"
#include "topology/input/typed.hpp"
#include "topology/look_up.hpp"

namespace vgsim::scenario {
namespace {

using input::find;
using input::Member;
using input::Value;

/// The object with a changed value of a member, if it has this member.
template <class Rename>
Value renamed_member(const Value& object, std::string_view name, const Rename& rename) {
  const Member* member = object.member(name);
  if (member == nullptr) return object;
  Value changed = rename(member->value);
  if (changed.content() == member->value.content()) return object;
  std::vector<Member> members = object.members();
  for (Member& each : members) {
    if (each.name == name) each.value = std::move(changed);
  }
  return Value::make_object(std::move(members), object.origin());
}

/// The same for all members.
template <class Rename>
Value renamed_members(const Value& object, const Rename& rename) {
  if (!object.is_object()) return object;
  std::vector<Member> members = object.members();
  bool changed = false;
  for (Member& member : members) {
    Value value = rename(member.value);
    changed = changed || value.content() != member.value.content();
    member.value = std::move(value);
  }
  return changed ? Value::make_object(std::move(members), object.origin()) : object;
}

/// The default GPU of the host's server; may be empty.
std::string default_gpu_of(const Value& host, const topology::Catalog& catalog) {
  const auto server = find(host, "server");
  if (!server || !server->is_string()) return {};
  const auto model = catalog.servers.find(server->string());
  return model == catalog.servers.end() ? std::string() : model->second.default_gpu;
}

/// The GPU model of a host, by catalogue name; nothing if not stated.
std::optional<std::string> gpu_of(const Value& host, const topology::Catalog& catalog) {
  if (const auto gpus = find(host, "gpus")) {
    const auto count = topology::parse_gpu_count(input::as_string(*gpus));
    return count ? std::optional(count->gpu) : std::nullopt;
  }
  const std::string gpu = default_gpu_of(host, catalog);
  return gpu.empty() ? std::nullopt : std::optional(gpu);
}

class Renamer {
 public:
  Renamer(const Library& library, input::Diagnostics& diagnostics)
      : library_(library), diagnostics_(diagnostics) {}

  Value layout(Value layout) {
    layout = renamed_member(layout, "hosts", [&](const Value& hosts) {
      return renamed_members(hosts, [&](const Value& each) { return host(each); });
    });
    layout = renamed_member(layout, "fabric", [&](const Value& fabric) {
      return renamed_member(fabric, "switch", part("switches"));
    });
    const auto with_names = [&](const Value& job) {
      return renamed_member(renamed_member(job, "dataset", part("datasets")), "network",
                            [&](const Value& name) { return network(name); });
    };
    layout = renamed_member(layout, "job", with_names);
    layout = renamed_member(layout, "jobs",
                            [&](const Value& jobs) { return renamed_members(jobs, with_names); });
    const auto hosts = find(layout, "hosts");
    return renamed_member(layout, "vms", [&](const Value& vms) {
      return renamed_members(vms, [&](const Value& vm) { return machine(vm, *hosts); });
    });
  }

 private:
  /// Replaces the name of a part of that kind.
  std::function<Value(const Value&)> part(const char* kind) const {
    return [this, kind](const Value& text) {
      if (!text.is_string()) return text;
      const auto name = topology::matching_part(*library_.catalog, kind, text.string());
      return name ? in_place_of(text, *name) : text;
    };
  }

  static Value in_place_of(const Value& text, const std::string& name) {
    return name == input::as_string(text) ? text : Value::make_string(name, text.origin());
  }

  /// Hosts of a range share their content, so most are cached.
  Value host(const Value& value) {
    const auto known = hosts_.find(value.content());
    if (known != hosts_.end()) return known->second.second;
    Value host = renamed_member(value, "server", part("servers"));
    host = renamed_member(host, "gpus", [&](const Value& text) { return gpus(text, host); });
    host = renamed_member(host, "nics", [&](const Value& nics) {
      return renamed_members(
          nics, [&](const Value& nic) { return renamed_member(nic, "nic", part("nics")); });
    });
    hosts_.emplace(value.content(), std::pair(value, host));
    return host;
  }

  Value gpus(const Value& text, const Value& host) {
    const auto count = topology::parse_gpu_count(input::as_string(text));
    if (!count) return text;
    const auto name = topology::matching_part(*library_.catalog, "gpus", count->gpu,
                                              default_gpu_of(host, *library_.catalog));
    return in_place_of(text, fmt::format("{} x {}", count->count, name.value_or(count->gpu)));
  }

  Value network(const Value& name) const {
    if (!name.is_string()) return name;
    const auto meant = input::matching_names(name.string(), library_.networks->names());
    return meant.size() == 1 ? in_place_of(name, meant.front()) : name;
  }

  Value machine(const Value& vm, const Value& hosts) {
    const auto gpus = find(vm, "gpus");
    if (!gpus || gpus->member("profile") == nullptr) return vm;
    return renamed_member(vm, "gpus", [&](const Value& wanted) {
      return renamed_member(wanted, "profile",
                            [&](const Value& text) { return profile(text, vm, hosts); });
    });
  }

  /// Possible GPU boards of the VM: those of its host, or of all hosts.
  vsphere::Boards boards_for(const Value& vm, const Value& hosts) {
    if (boards_.empty()) {
      for (const Member& host : hosts.members()) {
        const auto gpu = gpu_of(host.value, *library_.catalog);
        boards_[host.name] = gpu ? library_.vsphere->profiles.board_of(*gpu) : nullptr;
      }
    }
    const auto own = find(vm, "host");
    const auto of_host = own ? boards_.find(input::as_string(*own)) : boards_.end();
    std::map<std::string, const vsphere::Board*> found;
    for (const auto& [host, board] : boards_) {
      const bool is_meant = of_host == boards_.end() || of_host->first == host;
      if (is_meant && board != nullptr) found.emplace(board->name, board);
    }
    vsphere::Boards boards;
    for (const auto& [name, board] : found) boards.push_back(board);
    return boards;
  }

  Value profile(const Value& text, const Value& vm, const Value& hosts) {
    const std::string& word = input::as_string(text);
    const vsphere::Profiles& profiles = library_.vsphere->profiles;
    if (profiles.find(word) != nullptr) return text;
    const vsphere::Boards boards = boards_for(vm, hosts);
    if (const auto why = vsphere::without_mig(word, boards, profiles)) {
      topology::report(diagnostics_, text, why->message, why->instead);
      return text;
    }
    if (const auto* mig = vsphere::mig_profile(word, boards)) return in_place_of(text, mig->name);
    const auto meant = input::matching_names(word, profiles.names());
    return meant.size() == 1 ? in_place_of(text, meant.front()) : text;
  }

  const Library& library_;
  input::Diagnostics& diagnostics_;
  /// By content, kept alive by the first of each pair.
  std::map<const void*, std::pair<Value, Value>> hosts_;
  std::map<std::string, const vsphere::Board*> boards_;  ///< by host; nullptr if unknown
};

}  // namespace

Value with_known_names(const Value& layout, const Library& library,
                       input::Diagnostics& diagnostics) {
  return Renamer(library, diagnostics).layout(layout);
}

}  // namespace vgsim::scenario
