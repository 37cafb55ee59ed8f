#include "models/questions/guest_export.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "models/scenario/build/cluster.hpp"
#include "models/scenario/read/layouts.hpp"
#include "models/scenario/read/library.hpp"
#include "topology/input/suggest.hpp"

namespace vgsim::scenario {
namespace {

using input::Diagnostics;

template <class List>
void report_unknown(const char* what, const std::string& name, const List& list,
                    Diagnostics& diagnostics) {
  std::vector<std::string> names;
  for (const auto& each : list) names.push_back(each.name);
  diagnostics.error("E411", {}, "", fmt::format("unknown {} \"{}\"", what, name),
                    input::one_of(name, names), input::suggest(name, names));
}

template <class List>
const typename List::value_type* find_named(const char* what, const std::string& name,
                                            const List& list, Diagnostics& diagnostics) {
  const auto found =
      std::find_if(list.begin(), list.end(), [&](const auto& each) { return each.name == name; });
  if (found != list.end()) return &*found;
  if (!diagnostics.has_errors()) report_unknown(what, name, list, diagnostics);
  return nullptr;
}

}  // namespace

tl::expected<collectives::GuestTopologyFile, Diagnostics> export_guest(
    const Document& document, const Library& library, const input::FileLoader& load,
    const GuestWanted& wanted) {
  Diagnostics diagnostics;
  const auto scenario = read_scenario(document, library);
  if (!scenario) return tl::unexpected(scenario.error());
  std::vector<Layout> layouts;
  for (const auto& layout : scenario->layouts) layouts.push_back(*layout);
  const Layout* layout =
      wanted.layout ? find_named("layout", *wanted.layout, layouts, diagnostics) : &layouts.front();
  if (layout == nullptr) return tl::unexpected(diagnostics);
  const auto apart = [&](const std::string& name) { return name == wanted.vm ? name : ""; };
  const Cluster cluster = build_cluster(*layout, library, load, apart, diagnostics);
  const Machine* machine = find_named("VM", wanted.vm, cluster.machines, diagnostics);
  if (machine == nullptr || diagnostics.has_errors()) return tl::unexpected(diagnostics);
  const vsphere::VirtualMachine& vm = cluster.kinds[machine->kind];
  const std::size_t devices = vm.gpus.size() + vm.nics.size();
  if (wanted.bus_ids.size() > devices) {
    diagnostics.error(
        "E411", {}, "",
        fmt::format("{} bus ids for the {} GPUs and {} NICs of {}", wanted.bus_ids.size(),
                    vm.gpus.size(), vm.nics.size(), wanted.vm));
    return tl::unexpected(diagnostics);
  }
  return collectives::guest_topology_file(cluster.topology, *library.catalog, vm, wanted.bus_ids);
}

}  // namespace vgsim::scenario
