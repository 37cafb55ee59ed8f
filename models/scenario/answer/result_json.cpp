#include "models/scenario/answer/result_json.hpp"

#include <cmath>
#include <nlohmann/json.hpp>

#include "models/scenario/answer/bottleneck.hpp"
#include "models/scenario/answer/figures.hpp"
#include "models/scenario/answer/ranked_layouts.hpp"

namespace vgsim::scenario {
namespace {

using Json = nlohmann::ordered_json;

Json link_json(const std::optional<Bottleneck>& bottleneck) {
  if (!bottleneck) return nullptr;
  Json out{
      {"resource", bottleneck->resource}, {"kind", bottleneck->kind}, {"share", bottleneck->share}};
  if (!bottleneck->slot.empty()) out["slot"] = bottleneck->slot;
  return out;
}

Json links_json(const LayoutResult& layout) {
  Json links = Json::array();
  const char* bytes = layout.training ? "bytes_per_iteration" : "bytes";
  for (const LinkUse& link : layout.links) {
    Json entry{{"resource", link.resource},
               {"kind", link.kind},
               {"links", link.links},
               {"utilization", link.utilization}};
    if (link.core_seconds > 0) {
      entry[std::string(layout.training ? "core_seconds_per_iteration" : "core_seconds")] =
          link.core_seconds;
    } else {
      entry[bytes] = link.bytes;
    }
    links.push_back(std::move(entry));
  }
  return links;
}

/// Whole counts are written without a decimal point.
Json number_json(double value, MetricUnit unit) {
  constexpr double kExact = 0x1p53;
  if (!std::isfinite(value)) return nullptr;
  if (unit == MetricUnit::kCount && value == std::floor(value) && std::abs(value) < kExact) {
    return static_cast<std::int64_t>(value);
  }
  return value;
}

/// Figures in lists are written with the other members of their entries.
void add_figures(const LayoutResult& layout, Json& out) {
  for (const Figure& figure : figures()) {
    if (figure.is_list()) continue;
    for (const Metric& metric : metrics_of(figure, layout)) {
      Json& place = out[Json::json_pointer(figure.pointer)];
      (figure.members == nullptr ? place : place[metric.member]) =
          number_json(metric.value, metric.unit);
      if (!metric.low) continue;
      Json& interval = out[Json::json_pointer(figure.interval_pointer)];
      interval["low"] = *metric.low;
      interval["high"] = *metric.high;
    }
  }
}

Json roofline_json(const training::Roofline& roofline) {
  Json out{{"peak_flops_per_s", roofline.peak_operations_per_s},
           {"memory_bytes_per_s", roofline.memory_bytes_per_s},
           {"points", Json::array()}};
  for (const training::RooflinePoint& point : roofline.points) {
    out["points"].push_back({{"layers", point.layers},
                             {"count", point.count},
                             {"flops", point.operations},
                             {"bytes", point.bytes},
                             {"flops_per_byte", point.intensity()},
                             {"flops_per_s", point.operations_per_s}});
  }
  return out;
}

/// Members besides the figures.
void add_training(const TrainingResult& training, Json& out) {
  out["iteration_time_ps"] = training.iteration.count();
  out["first_iteration_time_s"] = to_seconds(training.first_iteration);
  out["settled"] = training.settled;
  out["iterations_run"] = training.iterations_run;
  out["repeats_after"] = training.repeats_after;
  out["iterations_per_epoch"] = training.iterations_per_epoch;
  out["epoch_time_ps"] = training.epoch_ps ? Json(*training.epoch_ps) : Json(nullptr);
  out["epochs"] = training.epochs;
  out["samples"] = training.samples;
  out["interruptions"] = Json::array();
  for (const Interruption& each : training.interruptions) {
    out["interruptions"].push_back(
        {{"what", each.what}, {"time_s", each.seconds}, {"steps", each.steps}, {"why", each.why}});
  }
  if (training.maintenance) {
    out["maintenance"]["hosts_that_cannot_be_emptied"] = training.maintenance->full;
  }
  out["global_batch"] = training.global_batch;
  if (training.all_tokens) out["tokens"] = *training.all_tokens;
  out["copies"] = training.copies;
  out["breakdown_ps"] = {{"compute", training.compute.count()},
                         {"exposed_communication", training.exposed_communication.count()},
                         {"data_wait", training.data_wait.count()},
                         {"optimizer", training.optimizer.count()},
                         {"pipeline_wait", training.pipeline_wait.count()},
                         {"wait_for_jobs", training.wait_for_jobs.count()}};
  for (const auto& [cause, cores] : training.cores_by_cause) out["host_cores"][cause] = cores;
  for (const auto& [axis, bytes] : training.sent_bytes) out["sent_bytes"][axis] = bytes;
  out["breakdown_rank"] = training.breakdown_rank;
  out["compute_losses"] = Json::array();
  for (const training::ComputeLoss& loss : training.losses) {
    out["compute_losses"].push_back({{"mechanism", loss.mechanism},
                                     {"time_s", to_seconds(loss.time)},
                                     {"source", loss.source}});
  }
  if (training.iteration_interval) {
    out["interval"]["share"] = 0.9;
    out["interval"]["draws"] = training.iteration_interval->draws;
  }
  if (training.iteration_spread) out["spread"]["seeds"] = training.iteration_spread->seeds;
  out["gradients"] = {{"bytes", training.gradient_bytes}, {"buckets", training.buckets}};
  for (const auto& [algorithm, buckets] : training.algorithms) {
    out["gradients"]["algorithms"][algorithm] = buckets;
  }
  if (const auto& cost = training.economy.cost) out["cost"]["currency"] = cost->currency;
  if (training.roofline) out["roofline"] = roofline_json(*training.roofline);
  out["gradients"]["bytes_by_link_kind"] = Json::object();
  for (const auto& [kind, bytes] : training.gradient_bytes_by_kind) {
    out["gradients"]["bytes_by_link_kind"][kind] = bytes;
  }
}

Json choice_json(const NcclChoice& choice) {
  return {{"algorithm", choice.algorithm},
          {"protocol", choice.protocol},
          {"nccl_predicts_us", choice.predicted_us}};
}

void add_collective(const CollectiveResult& collective, Json& out) {
  out["collective"] = collective.collective;
  out["points"] = Json::array();
  for (const CollectivePoint& point : collective.points) {
    Json& row = out["points"].emplace_back();
    row = {{"bytes", point.size.count()},           {"time_s", to_seconds(point.time)},
           {"time_ps", point.time.count()},         {"time_low_s", to_seconds(point.low)},
           {"time_high_s", to_seconds(point.high)}, {"latency_s", to_seconds(point.fixed)},
           {"algbw_GBps", point.algbw_GBps},        {"busbw_GBps", point.busbw_GBps}};
    if (point.choice) {
      row["choice"] = choice_json(*point.choice);
      row["channels"] = point.channels;
    }
    if (point.runner_up) row["runner_up"] = choice_json(*point.runner_up);
    for (const SimTime end : point.beside) row["beside_time_s"].push_back(to_seconds(end));
    if (point.operations) {
      row["chunk_operations_per_gpu"] = {{"chunks_of_1_over", point.operations->gpus},
                                         {"done", point.operations->done},
                                         {"by_ring", point.operations->by_ring}};
    }
    if (!point.bottleneck.empty()) row["bottleneck"] = point.bottleneck;
  }
}

Json inputs_json(const std::vector<UsedInput>& inputs) {
  const KnowledgeCount count = count_knowledge(inputs);
  Json out{{"measured", count.measured},
           {"fitted", count.fitted},
           {"documented", count.documented},
           {"assumed", count.assumed},
           {"list", Json::array()}};
  for (const UsedInput& input : inputs) {
    Json& entry = out["list"].emplace_back();
    entry = {{"name", input.name}, {"value", input.value}};
    if (!input.low.empty()) {
      entry["low"] = input.low;
      entry["high"] = input.high;
    }
    entry["knowledge"] = to_string(input.knowledge);
    entry["calibrated"] = input.calibrated;
    entry["source"] = input.source;
  }
  return out;
}

void add_memory(const MemoryUse& memory, Json& out) {
  out["capacity_bytes"] = memory.capacity;
  out["needed_bytes"] = memory.needed;  // also for a layout refused for lack of memory
  out["usual_bytes"] = memory.usual;
  out["fits"] = memory.fits();
  out["largest_micro_batch"] = memory.largest_micro_batch;
  for (const auto& [what, bytes] : memory.parts) out["parts_bytes"][what] = bytes;
}

Json losses_json(const std::vector<JobLoss>& losses) {
  Json out = Json::array();
  for (const JobLoss& loss : losses) {
    Json& one = out.emplace_back(Json{{"cause", loss.cause}, {"share", loss.share}});
    if (!loss.resource.empty()) one["resource"] = loss.resource;
  }
  return out;
}

Json job_json(const JobResult& job) {
  return {{"network", job.network},
          {"ranks", job.ranks},
          {"start_s", job.start_s},
          {"iteration_time_alone_s", to_seconds(job.iteration_alone)},
          {"iteration_time_s", to_seconds(job.iteration)},
          {"epoch_time_alone_s", job.epoch_alone_s},
          {"epoch_time_s", job.epoch_s},
          {"training_time_s", job.training_s},
          {"samples_per_s", job.samples_per_s},
          {"gpu_utilization", job.gpu_utilization},
          {"slowdown", job.slowdown},
          {"losses_by_resource", losses_json(job.by_resource)},
          {"losses_by_job", losses_json(job.by_job)}};
}

}  // namespace

Json operations_json(const LayoutResult& layout) {
  Json out = Json::array();
  for (const vsphere::Operation operation : vsphere::kOperations) {
    const auto answer = layout.answer_about(operation);
    Json& entry = out.emplace_back(Json{{"operation", vsphere::to_string(operation)},
                                        {"available", !answer || answer->is_available}});
    if (answer) entry["why"] = answer->why;
  }
  return out;
}

Json layout_json(const LayoutResult& layout) {
  Json out;
  out["name"] = layout.name;
  out["mode"] = layout.mode;
  if (!layout.is_bare_metal()) out["vsphere"] = layout.vsphere;
  out["refused"] = layout.refused;
  out["ranks"] = layout.ranks;
  out["machines"] = layout.machines;
  out["ring"] = {{"channels", layout.channels}, {"hops", Json::object()}};
  for (const auto& [transport, hops] : layout.hops_by_transport) {
    out["ring"]["hops"][transport] = hops;
  }
  add_figures(layout, out);
  if (layout.memory) add_memory(*layout.memory, out["memory"]);
  if (layout.training) add_training(*layout.training, out);
  if (layout.collective) add_collective(*layout.collective, out);
  if (layout.training || layout.collective) {
    out["bottleneck"] = to_json(limit_of(layout), layout);
    out["critical_link"] = link_json(layout.bottleneck);
    if (layout.training && layout.training->next) {
      const NextLimit& next = *layout.training->next;
      out["next_limit"] = {{"without_kind", next.without_kind},
                           {"iteration_time_s", to_seconds(next.iteration)},
                           {"bottleneck", link_json(next.then)}};
    }
    out["links"] = links_json(layout);
    for (const auto& drawn : layout.drawn_s) {
      out["drawn_s"].push_back(drawn ? Json(*drawn) : Json(nullptr));
    }
    out["events"] = layout.events;
    out["event_fingerprint"] = layout.event_fingerprint;
    out["fingerprint"] = layout.fingerprint;
  }
  if (!layout.numa.empty()) out["numa"] = layout.numa;
  for (const JobResult& job : layout.jobs) out["jobs"][job.name] = job_json(job);
  out["warnings"] = Json::array();
  for (const Warning& warning : layout.warnings) {
    Json& entry =
        out["warnings"].emplace_back(Json{{"rule", warning.rule},
                                          {"verdict", vsphere::to_string(warning.verdict)},
                                          {"text", warning.text},
                                          {"remedy", warning.remedy},
                                          {"source", warning.source},
                                          {"evidence", warning.evidence.kind},
                                          {"confidence", warning.evidence.confidence}});
    if (!warning.evidence.disputed.empty()) entry["disputed"] = warning.evidence.disputed;
  }
  if (!layout.refused && !layout.is_bare_metal()) out["operations"] = operations_json(layout);
  if (!layout.inputs.empty()) out["inputs"] = inputs_json(layout.inputs);
  for (const MeasuredLike& each : layout.measured_like) {
    Json& one = out["measured_like"].emplace_back();
    one = {{"what", each.what},
           {"machines", each.machines},
           {"architecture", each.architecture},
           {"of_it", each.like}};
  }
  out["calibration"] = layout.calibration.empty() ? Json(nullptr) : Json(layout.calibration);
  out["assumptions"] = layout.assumptions;
  for (const PricedAssumption& each : layout.assumed) {
    out["assumed"].push_back(
        {{"text", each.text}, {"time_s", each.time_s}, {"alternative_time_s", each.otherwise_s}});
  }
  if (layout.unpriced) {
    out["assumed_not_priced"] = {{"assumptions", layout.unpriced->texts},
                                 {"priced_by", layout.unpriced->command}};
  }
  for (const topology::OpenPoint& point : layout.open) {
    out["open"].push_back({{"text", point.text}, {"needed", point.is_needed()}});
  }
  return out;
}

/// Of every two layouts with the same work, over the same draws.
std::vector<Json> differences_json(const ScenarioResult& result) {
  std::vector<Json> differences;
  for (const RankedGroup& group : ranked_groups(result)) {
    const auto& order = group.layouts;
    for (std::size_t f = 0; f < order.size(); ++f) {
      for (std::size_t s = f + 1; s < order.size(); ++s) {
        const LayoutResult& faster = result.layouts[order[f].layout];
        const LayoutResult& slower = result.layouts[order[s].layout];
        const Gap gap = gap_between(faster, slower);
        if (gap.draws == 0) continue;
        differences.push_back({{"faster", faster.name},
                               {"slower", slower.name},
                               {"more", gap.more},
                               {"low", gap.low},
                               {"high", gap.high},
                               {"draws", gap.draws},
                               {"agree", gap.agree},
                               {"statement", to_string(gap.statement)}});
      }
    }
  }
  return differences;
}

bool is_result_schema(std::string_view schema) {
  return schema == "vgsim.result/2" || schema == "vgsim.result/1";
}

std::string to_json(const ScenarioResult& result, const std::optional<Manifest>& manifest) {
  Json out;
  out["schema"] = "vgsim.result/2";
  out["scenario"] = result.name;
  out["layouts"] = Json::object();
  for (const LayoutResult& layout : result.layouts)
    out["layouts"][layout.name] = layout_json(layout);
  for (Json& each : differences_json(result)) out["differences"].push_back(std::move(each));
  if (result.draws.cut_off > 0) {
    out["draws"] = {{"asked", result.draws.asked}, {"cut_off", result.draws.cut_off}};
  }
  if (manifest) out["manifest"] = to_json(*manifest);
  return out.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace vgsim::scenario
