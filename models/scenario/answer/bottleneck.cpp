#include "models/scenario/answer/bottleneck.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <tuple>

#include "models/scenario/answer/model_error.hpp"

namespace vgsim::scenario {
namespace {

using Kind = Limit::Kind;

constexpr const char* kGpus = "GPUs";
constexpr const char* kLatency = "latency";
constexpr const char* kTimeSlices = "time slices";
constexpr const char* kOtherStages = "other stages";

bool is_followed_by_stage(const LayoutResult& layout) {
  return layout.training && layout.links.empty() && layout.ranks > 1;
}

/// Whether communication dominates and is mostly waiting for latency.
bool is_latency(const LayoutResult& layout, double of_link) {
  const double exposed = share_of(layout.training->exposed_communication, *layout.training);
  return exposed > share_of(layout.training->compute, *layout.training) && of_link < exposed / 2;
}

/// Time in which the GPUs do not compute.
double waiting_s(const TrainingResult& training, double communication) {
  return to_seconds(training.exposed_communication) * communication +
         to_seconds(training.data_wait + training.pipeline_wait);
}

}  // namespace

double share_of(SimTime part, const TrainingResult& training) {
  return training.iteration > SimTime{0} ? to_seconds(part) / to_seconds(training.iteration) : 0.0;
}

std::vector<std::pair<SimTime, std::string>> parts_of_stages(const TrainingResult& training) {
  std::vector<std::pair<SimTime, std::string>> parts{{training.compute, kGpus},
                                                     {training.pipeline_wait, kOtherStages}};
  for (const auto& [axis, time] : training.communication) parts.emplace_back(time, axis);
  std::sort(parts.begin(), parts.end(), [](const auto& a, const auto& b) {
    return std::tie(b.first, a.second) < std::tie(a.first, b.second);
  });
  return parts;
}

Limit limit_of(const LayoutResult& layout) {
  if (is_followed_by_stage(layout)) {
    const auto [time, what] = parts_of_stages(*layout.training).front();
    return {Kind::kStages, what, share_of(time, *layout.training)};
  }
  const bool by_link = layout.bottleneck && layout.bottleneck->share > 0.0;
  const Limit link = by_link ? Limit{Kind::kLink, layout.bottleneck->kind, layout.bottleneck->share}
                             : Limit{Kind::kLatency, kLatency, 0.0};
  if (!layout.training) return link;
  const TrainingResult& training = *layout.training;
  const Limit gpus{Kind::kGpus, kGpus, share_of(training.compute, training)};
  const Limit latency{training.time_sliced ? Kind::kTimeSlices : Kind::kLatency,
                      training.time_sliced ? kTimeSlices : kLatency,
                      share_of(training.exposed_communication, training)};
  if (!by_link) return gpus.share >= latency.share ? gpus : latency;
  if (training.data_wait > SimTime{0} && link.share >= 0.995) return link;
  if (is_latency(layout, link.share)) return latency;
  return gpus.share <= link.share ? link : gpus;
}

bool is_limit_in(const TrainingResult& drawn, const ErrorFactors& factors,
                 const LayoutResult& predicted) {
  const TrainingResult& training = *predicted.training;
  const Limit limit = limit_of(predicted);
  const double waits = waiting_s(training, 1.0);
  const double computes = to_seconds(training.compute);
  if (waits <= 0.0 || computes <= 0.0) return true;
  const double longer_waits = waiting_s(drawn, factors.communication) / waits;
  const double longer_computing = to_seconds(drawn.compute) * factors.passes / computes;
  const double gpus = share_of(training.compute, training);
  const double others = limit.kind != Kind::kGpus ? limit.share
                        : predicted.bottleneck    ? predicted.bottleneck->share
                                               : share_of(training.exposed_communication, training);
  const bool by_gpus = gpus * longer_computing >= others * longer_waits;
  return by_gpus == (limit.kind == Kind::kGpus || limit.what == kGpus);
}

nlohmann::ordered_json to_json(const Limit& limit, const LayoutResult& layout) {
  nlohmann::ordered_json out{{"kind", limit.what}, {"share", limit.share}};
  if (layout.same_limit.draws > 0) {
    out["draws"] = layout.same_limit.draws;
    out["agree"] = layout.same_limit.agree;
  }
  if (limit.kind != Kind::kLink) return out;
  out["resource"] = layout.bottleneck->resource;
  if (!layout.bottleneck->slot.empty()) out["slot"] = layout.bottleneck->slot;
  return out;
}

Limit saved_limit(const nlohmann::ordered_json& layout) {
  if (layout.value("refused", false)) return {Kind::kLatency, "refused", 0.0};
  const auto found = layout.find("bottleneck");
  const bool kept = found != layout.end() && found->is_object() && found->contains("kind") &&
                    found->at("kind").is_string();
  if (!kept) return {Kind::kLatency, "-", 0.0};
  const auto share = found->find("share");
  const bool has_share = share != found->end() && share->is_number();
  return {found->contains("resource") ? Kind::kLink : Kind::kLatency,
          found->at("kind").get<std::string>(), has_share ? share->get<double>() : 0.0};
}

}  // namespace vgsim::scenario
