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

/// Whether NVSwitches reduce this type. Source: NVIDIA/nccl src/transport/nvls.cc,
/// ncclNvlsSupported.
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

Decoder<ConcurrentCollectiveSpec> beside() {
  return record<ConcurrentCollectiveSpec>({
      key("collective", &ConcurrentCollectiveSpec::collective, collective())
          .required()
          .describe("collective of these ranks"),
      key("ranks", &ConcurrentCollectiveSpec::ranks, names())
          .required()
          .describe("GPUs that take part in the collective"),
      key("size", &ConcurrentCollectiveSpec::size, bytes(Bytes{1}))
          .describe("message size")
          .default_text("the size of the job's collective"),
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

/// Keys of collectives only.
Keys<JobSpec> collective_keys() {
  return {
      key("collective", &JobSpec::collective, collective())
          .describe("a collective to simulate instead of a training job"),
      key("sizes", &JobSpec::sizes,
          any_of<std::vector<Bytes>>({size_range(), list(bytes(Bytes{1}), 1, 1000)}))
          .describe("message sizes of the collective")
          .default_value("8 B .. 8 GiB x2")
          .examples({"8 B .. 8 GiB x2"}),
      key("data_type", &JobSpec::nvls_sums, data_type())
          .describe("type of the data that the collective reduces; NVSwitches do not reduce int8, "
                    "uint8 and fp8")
          .default_value("fp32"),
      key("gpus_per_thread", &JobSpec::gpus_per_thread, count(1, 64))
          .describe("GPUs on which one host thread launches the collective, one after the "
                    "other (nccl-tests -g); training uses a thread or process per GPU")
          .default_value("1"),
      key("beside", &JobSpec::beside, list(beside(), 1, 100))
          .describe(
              "other collectives that start at the same time as the collective and contend with it")
          .default_text("none"),
  };
}

/// Common keys.
Keys<JobSpec> common_keys() {
  return {
      key("fidelity", &JobSpec::fidelity,
          words<Fidelity>({{"fluid", Fidelity::kFluid}, {"chunk", Fidelity::kChunk}}))
          .describe("fluid: one flow per channel of a collective; chunk: every step of a ring is "
                    "simulated "
                    "on every edge of it")
          .default_value("fluid"),
      key("pattern", &JobSpec::pattern, pattern())
          .describe("algorithm of AllReduce, in a collective and in training")
          .default_value("nccl"),
      key("ranks", &JobSpec::ranks, name_or_names())
          .describe("GPUs of the job, as machine and GPU, such as \"esx01/gpu0\" or "
                    "\"esx*/gpu[0-3]\"")
          .default_text("all GPUs of the machines of the job"),
      key("nccl", &JobSpec::nccl, nccl())
          .describe("NCCL version and environment variables")
          .default_text("the newest known version, with its defaults"),
      key("name", &JobSpec::name, name())
          .describe("name of this job in results, if there are \"jobs\" beside it")
          .default_value("job"),
      key("start", &JobSpec::start, time())
          .describe("when it starts, if it is one of several \"jobs\"")
          .default_value("0 s")
          .examples({"2 h"}),
      key("vms", &JobSpec::vms, name_or_names())
          .describe("VMs of the job, or hosts if there are no VMs; names or patterns")
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
        job.trains() ? fmt::format("\"{}\" is a key of collectives, not of training", member.name)
                     : fmt::format("\"{}\" is a key of training, not of collectives", member.name));
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
