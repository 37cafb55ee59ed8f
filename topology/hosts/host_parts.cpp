#include "topology/hosts/host_parts.hpp"

#include <fmt/core.h>

#include <utility>

#include "topology/hosts/described_server.hpp"
#include "topology/input/suggest.hpp"
#include "topology/look_up.hpp"

namespace vgsim::topology {
namespace {

/// The NVLinks of a described server, from its host. Bridges can connect any of its GPUs unless it
/// has other NVLinks.
NvLinkLayout described_nvlinks(const HostSpec& spec, std::size_t gpus, const Catalog& catalog,
                               input::Diagnostics& diagnostics) {
  NvLinkLayout layout;
  if (!spec.nvlink || spec.nvlink_bridges) {
    layout.kind = NvLinkLayout::Kind::kBridge;
    for (std::size_t b = 1; b < gpus; ++b) {
      for (std::size_t a = 0; a < b; ++a) layout.pairs.emplace_back(a, b);
    }
  }
  if (!spec.nvlink) return layout;
  const std::string& nvswitch = (*spec.nvlink)->nvswitch;
  if ((*spec.nvlink)->kind == NvLinkLayout::Kind::kBridge) {
    report(diagnostics, *spec.nvlink, "the form of the bridges is different here",
           "\"nvlink_bridges\" with their pairs");
  } else if (nvswitch.empty() || look_up(catalog.nvswitches, {nvswitch, spec.nvlink->origin},
                                         "nvswitch", diagnostics) != nullptr) {
    layout = **spec.nvlink;
  }
  return layout;
}

}  // namespace

std::optional<ServerModel> server_of(const HostSpec& spec, const Catalog& catalog,
                                     input::Diagnostics& diagnostics) {
  const input::At<ServerChoice>& choice = *spec.server;
  if (choice->described) {
    auto server = described_server(*choice->described, catalog, diagnostics);
    if (server) {
      server->nvlink = described_nvlinks(spec, server->gpu_slots.size(), catalog, diagnostics);
    }
    return server;
  }
  const auto name = part_name(catalog, "servers", {choice->name, choice.origin}, {}, diagnostics);
  if (!name) return std::nullopt;
  const auto known = catalog.servers.find(*name);
  if (known != catalog.servers.end()) return known->second;
  report(diagnostics, choice, fmt::format("unknown server \"{}\"", *name),
         "a name that vgsim catalog servers lists, or the server itself, such as "
         R"({"cpu": "2 x intel-sapphire-rapids", "gpu_slots": ["2 x gen5 x16 on socket0"]})",
         input::suggest(*name, names_of(catalog.servers)));
  return std::nullopt;
}

std::optional<HostParts> parts_of(const HostSpec& spec, const Catalog& catalog) {
  if (!spec.server) return std::nullopt;
  input::Diagnostics problems;
  auto server = server_of(spec, catalog, problems);
  if (!server) return std::nullopt;
  HostParts parts{*std::move(server), nullptr, 0};
  if (spec.gpus) {
    parts.gpu = named_gpu(*spec.gpus, catalog, parts.server.default_gpu, problems);
    parts.gpus = (*spec.gpus)->count;
  } else if (const auto usual = catalog.gpus.find(parts.server.default_gpu);
             usual != catalog.gpus.end()) {
    parts.gpu = &usual->second;
    parts.gpus = parts.server.gpu_slots.size();
  }
  return problems.has_errors() ? std::nullopt : std::optional(std::move(parts));
}

std::optional<std::map<std::string, NicPlace>> places_of(
    const HostParts& host, const std::vector<input::Named<NicSpec>>& nics, const Catalog& catalog) {
  input::Diagnostics problems;
  auto places = place_nics(host.server, host.gpus, nics, catalog, problems);
  return problems.has_errors() ? std::nullopt : std::optional(std::move(places));
}

}  // namespace vgsim::topology
