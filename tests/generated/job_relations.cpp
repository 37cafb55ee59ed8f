#include "tests/generated/relations.hpp"

namespace vgsim::generated {
namespace {

bool trains(const Json& scenario) { return scenario["job"].contains("network"); }

/// Another value of a key of the job, where it has one of these.
std::optional<Changed> instead(const Json& scenario, const char* key, const Json& usual,
                               const std::vector<std::pair<Json, Json>>& steps) {
  if (!trains(scenario)) return std::nullopt;
  const Json now = scenario["job"].value(key, usual);
  for (const auto& [from, to] : steps) {
    if (now == from) return with(scenario, (std::string("/job/") + key).c_str(), to);
  }
  return std::nullopt;
}

std::optional<Changed> scaled(const Json& scenario, const char* key, int factor) {
  if (!trains(scenario) || !scenario["job"].contains(key)) return std::nullopt;
  return with(scenario, (std::string("/job/") + key).c_str(),
              factor * scenario["job"][key].get<std::int64_t>());
}

bool splits_only_data(const Json& scenario) {
  const Json parallel = scenario["job"].value("parallel", Json::object());
  if (!parallel.is_object()) return parallel == "none" || parallel == "ddp";
  for (const auto& [key, value] : parallel.items()) {
    if (key != "data" && !(key == "sharding" && (value == "none" || value == "ddp"))) return false;
  }
  return true;
}

void add_work_relations(std::vector<Relation>& to) {
  using E = Effect;
  to.push_back({"twice the batch", E::kNotSlower, "a sample of a larger batch takes no longer",
                [](const Json& s) -> std::optional<Changed> {
                  if (s["job"].contains("global_batch") || s["job"].contains("micro_batch"))
                    return {};
                  return scaled(s, "batch_per_gpu", 2);
                }});
  to.push_back({"twice the accumulation", E::kNotSlower, "gradients are reduced half as often",
                [](const Json& s) -> std::optional<Changed> {
                  if (!trains(s) || s["job"].contains("global_batch") || !splits_only_data(s))
                    return {};
                  return with(s, "/job/accumulation", 2 * s["job"].value("accumulation", 1));
                }});
  to.push_back({"gradients of 16 bits", E::kNotSlower, "half the bytes, in the same buckets",
                [](const Json& s) -> std::optional<Changed> {
                  auto changed = instead(s, "gradients", "fp32", {{"fp32", "fp16"}});
                  const Json buckets = s["job"].value("buckets", Json::object());
                  if (!changed || !splits_only_data(s) || buckets.contains("cycle")) return {};
                  if (buckets == "single") return changed;
                  changed->scenario["job"]["buckets"] = {
                      {"first", times(buckets.value("first", Json("1 MiB")), 0.5)},
                      {"cap", times(buckets.value("cap", Json("25 MiB")), 0.5)}};
                  return changed;
                }});
  to.push_back({"fewer bits in products", E::kNotSlower, "a type with at least the same peak",
                [](const Json& s) {
                  return instead(s, "precision", "fp16", {{"fp32", "tf32"}, {"tf32", "fp16"}});
                }});
  to.push_back({"bf16 for fp16", E::kSame, "both have the same peak and size", [](const Json& s) {
                  return instead(s, "precision", "fp16", {{"fp16", "bf16"}});
                }});
  to.push_back(
      {"a lighter optimizer", E::kNotSlower, "it reads and writes less", [](const Json& s) {
         return instead(s, "optimizer", "adam",
                        {{"lamb", "adam"}, {"adam", "sgd"}, {"sgd", "none"}});
       }});
  to.push_back(
      {"nothing computed again", E::kNotSlower, "activations are kept", [](const Json& s) {
         return instead(s, "recompute", "none", {{"full", "selective"}, {"selective", "none"}});
       }});
  to.push_back({"passes a tenth shorter", E::kNotSlower, "less to compute",
                [](const Json& s) -> std::optional<Changed> {
                  if (!trains(s)) return {};
                  return with(s, "/job/compute_factor",
                              0.9 * s["job"].value("compute_factor", 1.0));
                }});
  to.push_back({"ideal computing", E::kNotSlower, "no gaps, no rank slower than others",
                [](const Json& s) -> std::optional<Changed> {
                  if (!trains(s)) return {};
                  return with(s, "/idealise/computing", "ideal");
                }});
}

void add_program_relations(std::vector<Relation>& to) {
  using E = Effect;
  to.push_back({"overlap", E::kNotSlower, "gradients are reduced beside the backward pass",
                [](const Json& s) {
                  return instead(s, "overlap", true, {{false, true}});
                }});
  to.push_back({"tuned software", E::kNotSlower, "layers are fused", [](const Json& s) {
                  return instead(s, "software", "", {{"usual", "tuned"}, {"", "tuned"}});
                }});
  to.push_back({"CUDA graphs", E::kNotSlower, "the host never holds the GPU up", [](const Json& s) {
                  return instead(s, "cuda_graphs", false, {{false, true}});
                }});
  to.push_back({"a fused loss", E::kNotSlower, "logits are written once", [](const Json& s) {
                  return instead(s, "fused_loss", false, {{false, true}});
                }});
  to.push_back({"fused norms", E::kNotSlower, "one kernel instead of several", [](const Json& s) {
                  return instead(s, "fused_norms", true, {{false, true}});
                }});
  to.push_back({"a newer FlashAttention", E::kNotSlower, "the next release", [](const Json& s) {
                  return instead(s, "flash_attention", nullptr, {{1, 2}, {2, 3}});
                }});
  to.push_back({"data in the page cache", E::kNotSlower, "storage is not read",
                [](const Json& s) -> std::optional<Changed> {
                  if (!trains(s)) return {};
                  return with(s, "/job/input/cached", true);
                }});
  to.push_back({"nothing to decode", E::kNotSlower, "samples are stored as the GPU takes them",
                [](const Json& s) -> std::optional<Changed> {
                  if (!trains(s)) return {};
                  return with(s, "/job/input/decode", "none");
                }});
  to.push_back({"more batches ahead", E::kNotSlower, "input is there earlier",
                [](const Json& s) { return scaled(s, "prefetched_batches", 2); }});
  to.push_back(
      {"checkpoints written faster", E::kNotSlower, "training waits less for checkpoints",
       [](const Json& s) -> std::optional<Changed> {
         if (!s["job"].contains("checkpoints") || !s["job"]["checkpoints"].contains("save")) {
           return {};
         }
         return with(s, "/job/checkpoints/save", times(s["job"]["checkpoints"]["save"], 0.5));
       },
       true});
  to.push_back({"the newest NCCL", E::kNotSlower, "the newest release that is known",
                [](const Json& s) { return without(s, "/job/nccl/version"); }});
}

/// Parameters at the end of their range at which all goes faster.
std::optional<Changed> at_fast_end(const scenario::Library& library, const Json& scenario,
                                   const std::string& ending, bool low) {
  Changed changed{scenario, {}};
  for (const std::string& name : library.parameters.uncertain_names()) {
    if (!name.ends_with(ending)) continue;
    const auto quantity = *library.parameters.uncertain(name);
    changed.parameters[name] = low ? quantity.low : quantity.high;
  }
  return changed.parameters.empty() ? std::nullopt : std::optional(changed);
}

}  // namespace

void add_job_relations(const scenario::Library& library, std::vector<Relation>& to) {
  add_work_relations(to);
  add_program_relations(to);
  for (const char* ending : {"_step_latency", "_launch_latency", "kernel_gap",
                             "kernel_launch_interval", "nvls_latency", "bulk_latency"}) {
    to.push_back(
        {std::string("shorter: ") + ending, Effect::kNotSlower,
         "such latencies at the low end of their range",
         [&library, ending](const Json& s) { return at_fast_end(library, s, ending, true); }});
  }
  for (const char* ending : {"_rate_factor", "_channel_rate", "_copy_rate", "_product_share"}) {
    to.push_back({std::string("faster: ") + ending, Effect::kNotSlower,
                  "such rates at the high end of their range", [&library, ending](const Json& s) {
                    return at_fast_end(library, s, ending, false);
                  }});
  }
}

}  // namespace vgsim::generated
