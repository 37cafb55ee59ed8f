#include "tools/studio/host_count.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "tools/studio/patches.hpp"
#include "topology/input/error_codes.hpp"

namespace vgsim::studio {
namespace {

using input::Diagnostics;
using input::Member;
using input::Value;

constexpr std::string_view kBadCount = input::codes::kOutOfRange.code;

std::vector<Member> members_of(const Value& scenario, const char* key) {
  const Member* found = scenario.member(key);
  return found == nullptr || !found->value.is_object() ? std::vector<Member>{}
                                                       : found->value.members();
}

std::string host_of(const Member& vm) {
  const Member* host = vm.value.member("host");
  return host == nullptr || !host->value.is_string() ? std::string() : host->value.string();
}

void add_hosts(std::vector<Member>& hosts, std::vector<Member>& vms, std::size_t count,
               Diagnostics& diagnostics) {
  const Member last = hosts.back();
  std::vector<Member> own;
  for (const Member& vm : vms) {
    if (host_of(vm) == last.name) own.push_back(vm);
  }
  NameCounter host_names(hosts);
  NameCounter vm_names(vms);
  while (hosts.size() < count) {
    const std::string name = host_names.after(last.name);
    if (name.empty()) {
      diagnostics.error(kBadCount, {}, "/hosts",
                        fmt::format("host \"{}\" has no number to count on from", last.name));
      return;
    }
    hosts.push_back({name, {}, last.value});
    for (const Member& vm : own) {
      const std::string vm_name = vm_names.after(vm.name);
      if (vm_name.empty()) {
        diagnostics.error(kBadCount, {}, "/vms",
                          fmt::format("VM \"{}\" has no number to count on from", vm.name));
        return;
      }
      vms.push_back({vm_name, {}, with(vm.value, "host", Value::make_string(name))});
    }
  }
}

void drop_hosts(std::vector<Member>& hosts, std::vector<Member>& vms, std::size_t count) {
  std::set<std::string> gone;
  for (std::size_t h = count; h < hosts.size(); ++h) gone.insert(hosts[h].name);
  hosts.resize(count);
  std::erase_if(vms, [&](const Member& vm) { return gone.contains(host_of(vm)); });
}

}  // namespace

NameCounter::NameCounter(const std::vector<Member>& taken) {
  for (const Member& member : taken) taken_.insert(member.name);
}

std::string NameCounter::after(const std::string& name) {
  const std::size_t last = name.find_last_not_of("0123456789");
  const std::size_t begin = last == name.npos ? 0 : last + 1;
  const std::string digits = name.substr(begin);
  if (digits.empty() || digits.size() > 9) return {};
  std::uint64_t& number = latest_.try_emplace(name, std::stoull(digits)).first->second;
  std::string next;
  do {
    next = fmt::format("{}{:0{}}", name.substr(0, begin), ++number, digits.size());
  } while (taken_.contains(next));
  taken_.insert(next);
  return next;
}

Value with_host_count(const Value& scenario, std::int64_t count, Diagnostics& diagnostics) {
  std::vector<Member> hosts = members_of(scenario, "hosts");
  std::vector<Member> vms = members_of(scenario, "vms");
  const auto wanted = static_cast<std::size_t>(count);
  if (hosts.empty() || count < 1) {
    diagnostics.error(kBadCount, {}, "/hosts", "there is no host to add or remove");
    return scenario;
  }
  const bool had_vms = !vms.empty();
  if (wanted > hosts.size()) {
    add_hosts(hosts, vms, wanted, diagnostics);
  } else {
    drop_hosts(hosts, vms, wanted);
  }
  if (diagnostics.has_errors()) return scenario;
  Value value = with(scenario, "hosts", Value::make_object(std::move(hosts)));
  if (had_vms) value = with(value, "vms", Value::make_object(std::move(vms)));
  return value;
}

}  // namespace vgsim::studio
