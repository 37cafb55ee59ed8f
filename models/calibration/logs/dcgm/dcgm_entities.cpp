#include "models/calibration/logs/dcgm/dcgm_entities.hpp"

#include <algorithm>
#include <utility>

#include "models/calibration/logs/log_lines.hpp"

namespace vgsim::calibration::logs::dcgm {
namespace {

constexpr std::size_t kMostUnused = 200;

void fill(std::string& value, const std::string& stated) {
  if (value.empty()) value = stated;
}

}  // namespace

std::size_t Entities::tell(const DcgmEntity& entity) {
  const auto [known, is_new] =
      known_.try_emplace(Key{entity.host, entity.gpu, entity.instance}, metrics_.entities.size());
  if (is_new) {
    metrics_.entities.push_back(entity);
  } else {
    DcgmEntity& into = metrics_.entities[known->second];
    fill(into.profile, entity.profile);
    fill(into.uuid, entity.uuid);
    fill(into.model, entity.model);
    fill(into.bus_id, entity.bus_id);
  }
  return known->second;
}

void Entities::tell(std::size_t entity, const Field& field, double value) {
  auto& metrics = metrics_.entities[entity].metrics;
  auto metric = std::ranges::find_if(
      metrics, [&](const DcgmMetric& each) { return each.name == field.name; });
  if (metric == metrics.end()) {
    metrics.push_back({std::string(field.name), std::string(field.unit), value, value, value, 1});
    return;
  }
  ++metric->samples;
  metric->least = std::min(metric->least, value);
  metric->most = std::max(metric->most, value);
  metric->mean += (value - metric->mean) / static_cast<double>(metric->samples);
}

void Entities::tell_unused(std::string_view name) {
  auto& unused = metrics_.unused;
  if (unused.size() >= kMostUnused) return;
  std::string text = printable_text(name);
  if (std::ranges::find(unused, text) == unused.end()) {
    unused.push_back(std::move(text));
  }
}

DcgmMetrics Entities::all() {
  std::erase_if(metrics_.entities, [](const DcgmEntity& each) { return each.metrics.empty(); });
  return std::move(metrics_);
}

}  // namespace vgsim::calibration::logs::dcgm
