#include "topology/importers/smi/smi_fabric.hpp"

#include <fmt/core.h>

#include <array>

#include "topology/inventory/import_codes.hpp"

namespace vgsim::topology {
namespace {

struct Healthy {
  SmiFact fact;
  const char* value;  ///< of a fabric that works
  const char* what;
};

constexpr std::array<Healthy, 8> kHealthy = {{
    {SmiFact::kFabricState, "Completed", "registration"},
    {SmiFact::kFabricStatus, "Success", "status"},
    {SmiFact::kFabricHealth, "Healthy", "health"},
    {SmiFact::kFabricBandwidth, "Full", "bandwidth"},
    {SmiFact::kFabricRouteRecovery, "False", "route recovery"},
    {SmiFact::kFabricRouteUnhealthy, "False", "unhealthy route"},
    {SmiFact::kFabricAccessTimeout, "False", "access timeout recovery"},
    {SmiFact::kFabricConfiguration, "None", "incorrect configuration"},
}};

}  // namespace

void tell_of_smi_fabric(const SmiGpuFacts& facts, const std::string& name, SmiReport& report) {
  for (const auto& [fact, value, what] : kHealthy) {
    const SmiValue* told = facts.find(fact);
    if (told == nullptr || lower_case(told->text) == lower_case(value)) continue;
    report.warn(
        import_codes::kOddValue, told->where,
        fmt::format("The NVLink fabric is not in order ({}: {})", what, printable(told->text)),
        name);
  }
  const std::string cluster = printable(facts.text(SmiFact::kFabricCluster));
  if (cluster.empty() || is_nil_uuid(cluster)) return;
  const std::string clique = printable(facts.text(SmiFact::kFabricClique));
  report.skip(fmt::format("The other hosts of the NVLink fabric are not told (cluster {}, clique "
                          "{})",
                          cluster, clique.empty() ? "unknown" : clique),
              name);
}

}  // namespace vgsim::topology
