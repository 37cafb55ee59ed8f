#include "models/scenario/job.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "models/scenario/neighbours.hpp"
#include "models/scenario/parallelism_input.hpp"
#include "models/scenario/size_range.hpp"
#include "topology/host_input.hpp"
#include "topology/input/name_ranges.hpp"

namespace vgsim::scenario {
namespace {

using input::Diagnostics;
using input::find;
using input::Value;
using topology::report;

constexpr const char* kDefaultSizes = "8 B .. 8 GiB x2";
constexpr std::size_t kMostGpus = 64;  ///< of a machine, as in an NCCL topology file

std::vector<std::string> patterns_of(const std::optional<Value>& vms) {
  if (!vms) return {"*"};
  if (vms->is_string()) return {vms->string()};
  std::vector<std::string> patterns;
  for (const Value& element : vms->elements()) patterns.push_back(element.string());
  return patterns;
}

std::vector<std::size_t> select_machines(const Value& job, const Cluster& cluster,
                                         Diagnostics& diagnostics) {
  const auto vms = find(job, "vms");
  std::vector<bool> selected(cluster.machines.size(), false);
  for (const std::string& pattern : patterns_of(vms)) {
    bool fits = false;
    for (std::size_t m = 0; m < cluster.machines.size(); ++m) {
      if (!input::matches_pattern(cluster.machines[m].name, pattern)) continue;
      selected[m] = true;
      fits = true;
    }
    if (fits) continue;
    std::vector<std::string> names;
    for (const auto& machine : cluster.machines) names.push_back(machine.name);
    report(diagnostics, vms.value_or(job), fmt::format("no VM or host is called \"{}\"", pattern),
           "names of VMs, or of hosts where there are no VMs; * stands for any letters",
           input::suggest(pattern, names));
  }
  std::vector<std::size_t> machines;
  for (std::size_t m = 0; m < selected.size(); ++m) {
    if (selected[m]) machines.push_back(m);
  }
  return machines;
}

std::vector<std::string> rank_patterns(const Value& job) {
  const auto ranks = find(job, "ranks");
  if (!ranks) return {"*"};
  std::vector<std::string> patterns;
  for (const Value& element : ranks->elements()) patterns.push_back(element.string());
  return patterns;
}

bool is_rank(const std::vector<std::string>& patterns, const std::string& machine,
             std::size_t gpu) {
  const std::string name = fmt::format("{}/gpu{}", machine, gpu);
  return std::any_of(patterns.begin(), patterns.end(), [&](const std::string& pattern) {
    return input::matches_pattern(name, pattern);
  });
}

/// The machines with those of their GPUs that "ranks" names; machines without any are left out.
std::vector<JobMachine> select_ranks(const Value& job, const Cluster& cluster,
                                     const std::vector<std::size_t>& machines,
                                     Diagnostics& diagnostics) {
  const std::vector<std::string> patterns = rank_patterns(job);
  std::vector<bool> fits(patterns.size(), false);
  std::vector<JobMachine> result;
  for (const std::size_t m : machines) {
    JobMachine selected{m, {}};
    const Machine& machine = cluster.machines[m];
    for (std::size_t g = 0; g < cluster.kinds[machine.kind].gpus.size(); ++g) {
      for (std::size_t p = 0; p < patterns.size(); ++p) {
        if (is_rank({patterns[p]}, machine.name, g)) fits[p] = true;
      }
      if (is_rank(patterns, machine.name, g)) selected.gpus.push_back(g);
    }
    if (!selected.gpus.empty()) result.push_back(std::move(selected));
  }
  for (std::size_t p = 0; p < patterns.size(); ++p) {
    if (fits[p] || !find(job, "ranks")) continue;
    report(diagnostics, find(job, "ranks")->elements()[p],
           fmt::format("no GPU is called \"{}\"", patterns[p]),
           "GPUs of machines that take part, such as \"esx01/gpu0\" or \"esx*/gpu[0-3]\"");
  }
  return result;
}

std::vector<BesideJob> read_beside(const Value& job, const Cluster& cluster,
                                   Diagnostics& diagnostics) {
  std::vector<BesideJob> result;
  const auto list = find(job, "beside");
  if (!list) return result;
  std::vector<std::size_t> all(cluster.machines.size());
  for (std::size_t m = 0; m < all.size(); ++m) all[m] = m;
  for (const Value& value : list->elements()) {
    BesideJob& beside = result.emplace_back();
    beside.collective = collectives::collective_of(input::as_string(*find(value, "collective")));
    if (const auto size = find(value, "size")) beside.size = input::as_bytes(*size);
    beside.machines = select_ranks(value, cluster, all, diagnostics);
  }
  return result;
}

NcclJob read_nccl(const Value& job) {
  NcclJob result;
  const auto nccl = find(job, "nccl");
  if (!nccl) return result;
  for (const input::Member& member : nccl->members()) {
    if (member.name == "version") {
      result.version = member.value;
    } else {
      result.variables.emplace(member.name, member.value);
    }
  }
  return result;
}

CollectiveJob read_collective(const Value& job) {
  const auto collective = collectives::collective_of(input::as_string(*find(job, "collective")));
  const auto sizes = find(job, "sizes");
  if (!sizes) return {collective, *parse_size_range(kDefaultSizes)};
  if (sizes->is_string()) return {collective, *parse_size_range(sizes->string())};
  CollectiveJob result{collective, {}};
  for (const Value& size : sizes->elements()) result.sizes.push_back(input::as_bytes(size));
  return result;
}

/// A job's training keys with their defaults, each default said among the assumptions.
class TrainingReader {
 public:
  TrainingReader(const Value& job, const Library& library, std::vector<std::string>& assumptions,
                 Diagnostics& diagnostics)
      : job_(job), library_(library), assumptions_(assumptions), diagnostics_(diagnostics) {}

  TrainingJob read() {
    TrainingJob training;
    training.network = library_.networks.find(*find(job_, "network"), diagnostics_);
    if (training.network == nullptr) return training;
    training.stored_bytes = training.network->stored_bytes;
    training.batch_per_gpu = count("batch_per_gpu", 1);
    training.tokens = tokens(*training.network);
    const std::string precision = word("precision", "fp16");
    training.precision = precision == "bf16" ? "fp16" : precision;
    training.gradient_bytes = Bytes{word("gradients", "fp32") == "fp32" ? 4 : 2};
    training.optimizer_bytes = optimizer_bytes(word("optimizer", "adam"));
    training.buckets = buckets();
    if (const auto share = find(job_, "achieved_share")) {
      training.achieved_share = input::as_double(*share);
    }
    if (const auto interval = find(job_, "kernel_launch_interval")) {
      training.launch_interval = input::as_time(*interval);
    }
    if (const auto flash = find(job_, "flash_attention")) {
      const bool says_release = flash->kind() == input::Kind::integer;
      training.flash_attention = says_release || input::as_bool(*flash);
      if (says_release) training.flash_version = input::as_count(*flash);
    }
    const auto graphs = find(job_, "cuda_graphs");
    training.cuda_graphs = graphs && input::as_bool(*graphs);
    if (const auto share = find(job_, "matrix_share")) {
      training.matrix_share = input::as_double(*share);
    }
    if (const auto overlap = find(job_, "overlap")) training.overlap = input::as_bool(*overlap);
    training.prefetched_batches =
        count("prefetched_batches", library_.parameters.count("prefetched_batches"));
    training.epochs = count("epochs", 1);
    training.input = input_pipeline(*training.network);
    read_epoch(training);
    return training;
  }

 private:
  std::int64_t count(const char* name, std::int64_t otherwise) {
    if (const auto value = find(job_, name)) return input::as_count(*value);
    assumptions_.push_back(fmt::format("job: {} not given, {}", name, otherwise));
    return otherwise;
  }

  std::string word(const char* name, const char* otherwise) {
    if (const auto value = find(job_, name)) return input::as_string(*value);
    assumptions_.push_back(fmt::format("job: {} not given, {}", name, otherwise));
    return otherwise;
  }

  std::int64_t tokens(const training::NetworkModel& network) {
    const auto length = find(job_, "sequence_length");
    if (network.sequence_length) {
      return length ? input::as_count(*length) : *network.sequence_length;
    }
    if (length) {
      report(diagnostics_, *length, fmt::format("{} has no sequence length", network.name));
    }
    return 0;
  }

  Bytes optimizer_bytes(const std::string& optimizer) const {
    if (optimizer == "none") return Bytes{0};
    return library_.parameters.bytes(optimizer + "_bytes_per_parameter");
  }

  BucketRule buckets() const {
    BucketRule rule{false, library_.parameters.bytes("ddp_first_bucket"),
                    library_.parameters.bytes("ddp_bucket_cap")};
    const auto value = find(job_, "buckets");
    if (!value) return rule;
    rule.single = value->is_string();
    if (rule.single) return rule;
    if (const auto first = find(*value, "first")) rule.first = input::as_bytes(*first);
    if (const auto cap = find(*value, "cap")) rule.cap = input::as_bytes(*cap);
    return rule;
  }

  InputPipeline input_pipeline(const training::NetworkModel& network) {
    InputPipeline input;
    input.core_time = network.core_time;
    const auto value = find(job_, "input");
    if (!value) return input;
    if (const auto time = find(*value, "core_time")) input.core_time = input::as_time(*time);
    if (const auto workers = find(*value, "workers")) input.workers = input::as_count(*workers);
    const auto is = [&](const char* key, const char* word) {
      const auto found = find(*value, key);
      return found && input::as_string(*found) == word;
    };
    input.by_gpu = is("decode", "gpu");
    input.direct = is("path", "gpudirect_storage");
    if (const auto cached = find(*value, "cached")) input.cached = input::as_bool(*cached);
    if (is("decode", "none")) input.core_time = SimTime{0};
    if (input.direct && !input.by_gpu && input.core_time > SimTime{0}) {
      report(diagnostics_, *value, "GPUDirect Storage passes the CPU by, and the CPU decodes",
             "\"decode\": \"gpu\" or \"none\"");
    }
    if (input.direct && input.cached) {
      report(diagnostics_, *value, "GPUDirect Storage passes the page cache by",
             "\"cached\" or \"path\": \"gpudirect_storage\", not both");
    }
    return input;
  }

  void read_epoch(TrainingJob& training) {
    const auto dataset = find(job_, "dataset");
    const auto samples = find(job_, "samples_per_epoch");
    const auto iterations = find(job_, "iterations_per_epoch");
    const int given = dataset.has_value() + samples.has_value() + iterations.has_value();
    if (given == 0 && library_.catalog.datasets.contains(training.network->dataset)) {
      const auto& usual = library_.catalog.datasets.at(training.network->dataset);
      assumptions_.push_back(
          fmt::format("job: dataset not given, {} of {} samples", usual.id, usual.samples));
      return use(usual, training);
    }
    if (given != 1) {
      report(diagnostics_, job_,
             given == 0 ? "the length of an epoch is not given"
                        : "the length of an epoch is given more than once",
             "one of \"dataset\", \"samples_per_epoch\" and \"iterations_per_epoch\"");
      return;
    }
    if (iterations) training.iterations_per_epoch = input::as_count(*iterations);
    if (samples) training.samples_per_epoch = input::as_count(*samples);
    if (!dataset) return;
    const auto* found =
        topology::look_up(library_.catalog.datasets, *dataset, "dataset", diagnostics_);
    if (found != nullptr) use(*found, training);
  }

  static void use(const topology::Dataset& dataset, TrainingJob& training) {
    training.samples_per_epoch = dataset.samples;
    if (dataset.stored_bytes) training.stored_bytes = dataset.stored_bytes->value;
  }

  const Value& job_;
  const Library& library_;
  std::vector<std::string>& assumptions_;
  Diagnostics& diagnostics_;
};

/// The part of a name before the first slash: the host of "esx03/gpu1".
std::string machine_part(const std::string& name) { return name.substr(0, name.find('/')); }

Variability read_variability(const Value& layout, const Cluster& cluster,
                             Diagnostics& diagnostics) {
  Variability result;
  const auto value = find(layout, "variability");
  if (!value) return result;
  if (const auto sigma = find(*value, "compute_sigma")) {
    result.compute_sigma = sigma->number();
  }
  if (const auto seed = find(*value, "seed")) {
    result.seed = static_cast<std::uint64_t>(input::as_count(*seed));
  }
  const auto stragglers = find(*value, "stragglers");
  if (!stragglers) return result;
  std::map<std::string, bool> names;
  for (std::size_t m = 0; m < cluster.machines.size(); ++m) {
    names[cluster.machines[m].name] = true;
    const std::size_t host = cluster.machines[m].host;
    names[cluster.hosts[host].name] = true;
    for (std::size_t g = 0; g < cluster.kinds[cluster.machines[m].kind].gpus.size(); ++g) {
      names[cluster.gpu_name(m, g)] = true;
    }
  }
  for (const input::Member& member : stragglers->members()) {
    if (names.count(member.name) == 0) {
      std::vector<std::string> known;
      for (const auto& [name, is] : names) known.push_back(name);
      diagnostics.error("E432", member.key, member.value.pointer(),
                        fmt::format("nothing that computes is called \"{}\"", member.name),
                        "a GPU such as \"esx01/gpu0\", a host or a VM",
                        input::suggest(member.name, known));
    }
    result.stragglers[member.name] = member.value.number();
  }
  return result;
}

/// The links of a host that a fault names: a NIC's two directions, or every link of a device.
std::vector<topology::LinkResourceIndex> links_of(const topology::Topology& topology,
                                                  std::size_t kind, const std::string& device) {
  std::vector<topology::LinkResourceIndex> links;
  const topology::Host& host = topology.hosts[kind];
  for (const topology::HostNic& nic : host.nics) {
    if (nic.name != device) continue;
    return {nic.out, nic.in};
  }
  for (const topology::Vertex gpu : host.gpus) {
    if (topology.node(gpu).name != host.name + "/" + device) continue;
    for (auto [it, end] = boost::out_edges(gpu, topology.graph); it != end; ++it) {
      if (const auto& link = topology.graph[*it].resource) links.push_back(*link);
    }
    for (auto [it, end] = boost::in_edges(gpu, topology.graph); it != end; ++it) {
      if (const auto& link = topology.graph[*it].resource) links.push_back(*link);
    }
  }
  std::sort(links.begin(), links.end());
  links.erase(std::unique(links.begin(), links.end()), links.end());
  return links;
}

std::vector<Fault> read_faults(const Value& layout, const Cluster& cluster,
                               Diagnostics& diagnostics) {
  std::vector<Fault> faults;
  const auto list = find(layout, "faults");
  if (!list) return faults;
  for (const Value& value : list->elements()) {
    const Value link = *find(value, "link");
    const std::string name = input::as_string(link);
    const std::size_t slash = name.find('/');
    Fault fault;
    for (std::size_t h = 0; h < cluster.hosts.size(); ++h) {
      if (slash == std::string::npos || cluster.hosts[h].name != machine_part(name)) continue;
      fault.host = h;
      fault.links = links_of(cluster.topology, cluster.hosts[h].kind, name.substr(slash + 1));
    }
    fault.at = input::as_time(*find(value, "at"));
    if (const auto until = find(value, "until")) {
      fault.until = input::as_time(*until);
      if (*fault.until <= fault.at) report(diagnostics, *until, "the fault ends before it begins");
    }
    fault.share = exact_share(find(value, "share")->number());
    if (fault.links.empty()) {
      report(diagnostics, link, fmt::format("no host has a NIC or GPU \"{}\"", name),
             "a host and its device, such as \"esx01/vmnic4\" or \"esx01/gpu0\"");
    }
    faults.push_back(std::move(fault));
  }
  return faults;
}

}  // namespace

Distinction distinction_of(const LayoutInput& layout) {
  std::vector<std::string> marked;
  if (const auto variability = find(layout.value, "variability")) {
    if (const auto stragglers = find(*variability, "stragglers")) {
      for (const input::Member& member : stragglers->members()) {
        marked.push_back(machine_part(member.name));
      }
    }
  }
  if (const auto faults = find(layout.value, "faults")) {
    for (const Value& fault : faults->elements()) {
      marked.push_back(machine_part(input::as_string(*find(fault, "link"))));
    }
  }
  std::sort(marked.begin(), marked.end());
  const Value job = *find(layout.value, "job");
  return [layout, marked = std::move(marked), patterns = patterns_of(find(job, "vms")),
          others = find(job, "beside").has_value(),
          ranks = find(job, "ranks") ? rank_patterns(job)
                                     : std::vector<std::string>{}](const std::string& name) {
    std::string result = neighbours_of(layout, name);
    if (others || std::binary_search(marked.begin(), marked.end(), name)) {
      result += "\nalone: " + name;
    }
    const bool taken = std::any_of(patterns.begin(), patterns.end(), [&](const auto& pattern) {
      return input::matches_pattern(name, pattern);
    });
    if (taken) result += "\ntaken";
    for (std::size_t g = 0; g < kMostGpus && !ranks.empty(); ++g) {
      if (is_rank(ranks, name, g)) result += fmt::format("\nrank {}", g);
    }
    return result;
  };
}

Job read_job(const LayoutInput& layout, const Cluster& cluster, const Library& library,
             Diagnostics& diagnostics) {
  Job job;
  job.value = *find(layout.value, "job");
  const bool trains = find(job.value, "network").has_value();
  const bool collective = find(job.value, "collective").has_value();
  if (trains == collective) {
    report(diagnostics, job.value,
           trains ? "both \"network\" and \"collective\" are given"
                  : "neither \"network\" nor \"collective\" is given",
           "one of them");
    return job;
  }
  job.machines = select_ranks(job.value, cluster, select_machines(job.value, cluster, diagnostics),
                              diagnostics);
  job.beside = read_beside(job.value, cluster, diagnostics);
  job.nccl = read_nccl(job.value);
  if (const auto pattern = find(job.value, "pattern")) {
    job.pattern = collectives::pattern_of(input::as_string(*pattern));
  }
  if (const auto fidelity = find(job.value, "fidelity")) {
    if (input::as_string(*fidelity) == "chunk") job.fidelity = collectives::Fidelity::kChunk;
  }
  job.variability = read_variability(layout.value, cluster, diagnostics);
  job.faults = read_faults(layout.value, cluster, diagnostics);
  std::size_t ranks = 0;
  for (const JobMachine& machine : job.machines) ranks += machine.gpus.size();
  if (collective) {
    for (const input::Member& member : job.value.members()) {
      if (member.name == "collective" || member.name == "sizes" || member.name == "vms" ||
          member.name == "fidelity" || member.name == "ranks" || member.name == "nccl" ||
          member.name == "pattern" || member.name == "beside")
        continue;
      diagnostics.error(
          "E411", member.key, member.value.pointer(),
          fmt::format("\"{}\" belongs to training, not to a collective", member.name));
    }
    job.collective = read_collective(job.value);
  } else {
    if (const auto beside = find(job.value, "beside")) {
      report(diagnostics, *beside, "\"beside\" belongs to a collective, not to training");
    }
    if (const auto sizes = find(job.value, "sizes")) {
      report(diagnostics, *sizes, "\"sizes\" belongs to a collective, not to training");
    }
    job.training = TrainingReader(job.value, library, job.assumptions, diagnostics).read();
    if (job.training->network != nullptr) {
      read_parallelism(job.value, ranks, *job.training, job.assumptions, diagnostics);
    }
  }
  return job;
}

}  // namespace vgsim::scenario
