#include "models/scenario/read/job_keys.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "models/scenario/read/size_range.hpp"
#include "models/scenario/read/training_keys.hpp"
#include "topology/look_up.hpp"

namespace vgsim::scenario {
namespace {

using namespace input;
using collectives::Collective;
using collectives::Fidelity;
using collectives::Pattern;
using topology::report;

Decoder<Collective> collective() {
  std::vector<std::pair<std::string, Collective>> meanings;
  for (const char* word : {"all_reduce", "reduce_scatter", "all_gather", "broadcast", "reduce",
                           "all_to_all", "send_recv"}) {
    meanings.emplace_back(word, collectives::collective_of(word));
  }
  return words<Collective>(std::move(meanings));
}

/// Whether NVSwitches add such data. Source: NVIDIA/nccl src/transport/nvls.cc, ncclNvlsSupported.
Decoder<bool> data_type() {
  return words<bool>({{"fp32", true},
                      {"fp64", true},
                      {"fp16", true},
                      {"bf16", true},
                      {"int32", true},
                      {"uint32", true},
                      {"int64", true},
                      {"uint64", true},
                      {"int8", false},
                      {"uint8", false},
                      {"fp8", false}});
}

Decoder<Pattern> pattern() {
  std::vector<std::pair<std::string, Pattern>> meanings;
  for (const std::string& word : collectives::pattern_words()) {
    meanings.emplace_back(word, collectives::pattern_of(word));
  }
  return words<Pattern>(std::move(meanings));
}

Decoder<std::vector<At<std::string>>> names() { return list(placed(name()), 1); }

Decoder<std::vector<At<std::string>>> name_or_names() {
  return any_of<std::vector<At<std::string>>>(
      {changed(placed(name()), [](At<std::string> one) { return std::vector{std::move(one)}; }),
       names()});
}

Decoder<BesideSpec> beside() {
  return record<BesideSpec>({
      key("collective", &BesideSpec::collective, collective())
          .required()
          .describe("what these ranks do"),
      key("ranks", &BesideSpec::ranks, names()).required().describe("GPUs that take part in it"),
      key("size", &BesideSpec::size, bytes(Bytes{1}))
          .describe("of its message")
          .default_text("that of the job's collective"),
  });
}

Decoder<NcclSpec> nccl() {
  return changed(named("\"version\", or a variable of NCCL such as NCCL_P2P_LEVEL", name()),
                 [](const std::vector<Named<std::string>>& entries) {
                   NcclSpec spec;
                   for (const Named<std::string>& each : entries) {
                     At<std::string> value{*each, each.origin};
                     if (each.name == "version") {
                       spec.version = std::move(value);
                     } else {
                       spec.variables.emplace(each.name, std::move(value));
                     }
                   }
                   return spec;
                 });
}

/// Of a bare collective alone.
Keys<JobSpec> collective_keys() {
  return {
      key("collective", &JobSpec::collective, collective())
          .describe("a bare collective instead of a training job"),
      key("sizes", &JobSpec::sizes,
          any_of<std::vector<Bytes>>({size_range(), list(bytes(Bytes{1}), 1, 1000)}))
          .describe("message sizes of a bare collective")
          .default_value("8 B .. 8 GiB x2")
          .examples({"8 B .. 8 GiB x2"}),
      key("data_type", &JobSpec::nvls_sums, data_type())
          .describe("of what a bare collective reduces; NVSwitches add no int8, uint8 and fp8")
          .default_value("fp32"),
      key("gpus_per_thread", &JobSpec::gpus_per_thread, count(1, 64))
          .describe("GPUs that one thread of the host launches a bare collective on, one after the "
                    "other, as nccl-tests does with -g; training has a thread or process for each")
          .default_value("1"),
      key("beside", &JobSpec::beside, list(beside(), 1, 100))
          .describe("other collectives that begin together with a bare one, and contend with it")
          .default_text("none"),
  };
}

/// Of both.
Keys<JobSpec> common_keys() {
  return {
      key("fidelity", &JobSpec::fidelity,
          words<Fidelity>({{"fluid", Fidelity::kFluid}, {"chunk", Fidelity::kChunk}}))
          .describe("fluid: a collective is one activity per channel; chunk: every step of a ring "
                    "is simulated on every edge of it")
          .default_value("fluid"),
      key("pattern", &JobSpec::pattern, pattern())
          .describe("how AllReduce is done, in a bare collective and in training")
          .default_value("nccl"),
      key("ranks", &JobSpec::ranks, names())
          .describe("GPUs that take part, as machine and GPU, such as \"esx01/gpu0\" or "
                    "\"esx*/gpu[0-3]\"")
          .default_text("all GPUs of the machines that take part"),
      key("nccl", &JobSpec::nccl, nccl())
          .describe("release of NCCL and its environment variables")
          .default_text("the newest release that is known, with its defaults"),
      key("vms", &JobSpec::vms, name_or_names())
          .describe("VMs, or hosts without VMs, that take part; names or patterns")
          .default_text("all")
          .examples({"train*"}),
  };
}

template <class T>
bool is_among(const Keys<T>& keys, const std::string& name) {
  return std::any_of(keys.begin(), keys.end(),
                     [&](const Key<T>& each) { return each.field().name() == name; });
}

void verify_job(const JobSpec& job, const Value& at, Diagnostics& diagnostics) {
  if (job.trains() == job.collective.has_value()) {
    report(diagnostics, at,
           job.trains() ? "both \"network\" and \"collective\" are given"
                        : "neither \"network\" nor \"collective\" is given",
           "one of them");
    return;
  }
  static const Keys<TrainingSpec> of_training = training_keys();
  static const Keys<JobSpec> of_collectives = collective_keys();
  for (const Member& member : at.members()) {
    const bool is_foreign =
        job.trains() ? is_among(of_collectives, member.name) : is_among(of_training, member.name);
    if (!is_foreign) continue;
    diagnostics.error(
        "E411", member.key, member.value.pointer(),
        job.trains() ? fmt::format("\"{}\" belongs to a collective, not to training", member.name)
                     : fmt::format("\"{}\" belongs to training, not to a collective", member.name));
  }
}

}  // namespace

Decoder<JobSpec> job_decoder() {
  Keys<JobSpec> keys;
  add_keys(keys, &JobSpec::training, training_keys());
  add_keys(keys, collective_keys());
  add_keys(keys, common_keys());
  return record<JobSpec>(std::move(keys), &verify_job);
}

}  // namespace vgsim::scenario
