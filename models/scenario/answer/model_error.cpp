#include "models/scenario/answer/model_error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <stdexcept>

#include "models/collectives/spread.hpp"
#include "models/scenario/build/parameter_draw.hpp"
#include "models/scenario/read/library.hpp"
#include "models/training/gpu_rates.hpp"
#include "models/vsphere/gpu_sharing.hpp"
#include "topology/graph/gpu_generation.hpp"

namespace vgsim::scenario {
namespace {

/// Whether the scenario contains a measurement on its GPUs or hosts.
bool is_anchored(const PreparedLayout& layout) {
  const training::TrainingJob& job = *layout.placement.job.training;
  return job.compute_factor != 1.0 || job.achieved_share || job.launch_interval ||
         job.launch_factor != 1.0 || (job.network && job.network->measured);
}

std::set<std::string> gpu_models(const Placement& placement) {
  std::set<std::string> names;
  for (const vsphere::GuestView& view : placement.views()) {
    for (std::size_t g = 0; g < view.gpu_count(); ++g) {
      names.insert(placement.cluster->topology.node(view.gpu(g)).model);
    }
  }
  return names;
}

std::string gpu_names(const Placement& placement) {
  return fmt::format("{}", fmt::join(gpu_models(placement), ", "));
}

/// What GPUs of one chip have in common, whatever their memory: "90, 132, 700, 9.89e+14".
std::string chip_name(const std::string& model, const topology::Catalog& catalog) {
  const auto found = catalog.gpus.find(model);
  if (found == catalog.gpus.end()) return model;
  const topology::GpuModel& gpu = found->second;
  const auto peak = gpu.peak.find("fp16");
  if (gpu.multiprocessors == 0 || !gpu.tdp_watts || peak == gpu.peak.end()) return model;
  return fmt::format("{}, {}, {}, {}", gpu.compute_capability, gpu.multiprocessors,
                     gpu.tdp_watts->value, peak->second.value.count());
}

std::string chip_names(const Placement& placement, const topology::Catalog& catalog) {
  std::set<std::string> chips;
  for (const std::string& model : gpu_models(placement)) chips.insert(chip_name(model, catalog));
  return fmt::format("{}", fmt::join(chips, "; "));
}

/// How a job computes, but for its number of ranks and micro-batches.
std::string plan_name(const training::TrainingJob& job) {
  const training::Parallelism& p = job.parallelism;
  return fmt::format("{} {} {} {} {} {} {} {} {} {} {} {} {} {}", job.precision, job.tokens,
                     p.tensor, p.context, p.pipeline, p.expert, p.virtual_stages,
                     static_cast<int>(p.sharding), static_cast<int>(p.recompute), p.micro_batch,
                     p.flash_attention, job.tuned.value_or(false), job.cuda_graphs,
                     job.fp8_attention);
}

/// What depends on the number of ranks: numbers that differ by kIndependent or more have
/// independent deviations, others those of the two nearest powers of it.
std::vector<ErrorCause> scale_causes(std::size_t ranks, double share) {
  constexpr double kIndependent = 8.0;
  const double place =
      std::log2(static_cast<double>(std::max<std::size_t>(ranks, 1))) / std::log2(kIndependent);
  const double below = std::floor(place);
  const double above_part = place - below;
  const double both = std::hypot(1.0 - above_part, above_part);
  const auto cause = [&](double power, double part) {
    return ErrorCause{fmt::format("scale {}", power), share * std::pow(part / both, 2)};
  };
  return {cause(below, 1.0 - above_part), cause(below + 1.0, above_part)};
}

/// The error of passes: part of it comes with the GPU's chip and a little with its memory, with how
/// the job is distributed and computed, and with the number of ranks; the rest is the job's own,
/// and absent if the job or its GPUs were measured.
std::vector<ErrorCause> causes_of_passes(const PreparedLayout& layout, bool anchored) {
  const calibration::Parameters& parameters = layout.library.library->parameters;
  const training::TrainingJob& job = *layout.placement.job.training;
  const double gpus = parameters.at("model_error_gpu_share").quantity.value;
  const double memory = parameters.at("model_error_memory_share").quantity.value;
  const double plan = parameters.at("model_error_plan_share").quantity.value;
  const double scale = parameters.at("model_error_scale_share").quantity.value;
  const double all = gpus + plan + scale;
  const double whole = anchored ? all : std::max(1.0, all);
  const std::string chips = chip_names(layout.placement, *layout.library.library->catalog);
  std::vector<ErrorCause> causes{{"model error of chip " + chips, (gpus - memory) / whole},
                                 {"memory of " + gpu_names(layout.placement), memory / whole},
                                 {"model error of " + plan_name(job), plan / whole},
                                 {"model error of a job", 1.0 - all / whole}};
  for (ErrorCause& each : scale_causes(layout.placement.ranks().ranks(), scale / whole)) {
    causes.push_back(std::move(each));
  }
  return causes;
}

/// The error of a GPU's mode, relative to a whole GPU without a hypervisor.
struct ModeError {
  std::string parameter;     ///< empty: none
  std::string common_share;  ///< parameter: part of the variance that all its profiles share
};

/// Whole GPUs share all of it: no source measured passthrough and vGPU on one machine, and their
/// pairs agree.
ModeError mode_error(const vsphere::VirtualMachine& vm, std::size_t gpu, bool zero_overhead) {
  const vsphere::GpuSharing& sharing = vsphere::sharing_of(vm, gpu);
  if (sharing.is_split) return {"mig_model_error", "mig_error_common_share"};
  if (gpu < vm.shares.size() && !vm.shares[gpu].is_whole()) {
    return {"time_slice_model_error", "time_slice_error_common_share"};
  }
  const bool costs = sharing.compute_share != nullptr && !zero_overhead;
  return {costs ? "virtual_machine_model_error" : "", ""};
}

std::vector<ErrorCause> causes_of(const ModeError& error, const vsphere::VirtualMachine& vm,
                                  std::size_t gpu, const calibration::Parameters& parameters) {
  if (error.common_share.empty()) return {{error.parameter}};
  const double common = parameters.at(error.common_share).quantity.value;
  const bool has_profile = gpu < vm.profiles.size() && vm.profiles[gpu] != nullptr;
  const std::string profile = has_profile ? vm.profiles[gpu]->name : "a part";
  return {{error.parameter, common}, {error.parameter + " of " + profile, 1.0 - common}};
}

/// Errors of the modes of its GPUs, which the difference from a layout with others keeps.
std::vector<ModelError> mode_errors(const PreparedLayout& layout) {
  std::vector<ModelError> errors;
  const bool zero_overhead = layout.placement.cluster->idealised.zero_overhead;
  for (const vsphere::GuestView& view : layout.placement.views()) {
    for (std::size_t g = 0; g < view.gpu_count(); ++g) {
      const vsphere::VirtualMachine& vm = view.vm();
      const ModeError error = mode_error(vm, g, zero_overhead);
      const auto is_same = [&](const ModelError& each) {
        return each.parameter == error.parameter;
      };
      if (error.parameter.empty() || std::any_of(errors.begin(), errors.end(), is_same)) continue;
      errors.push_back({error.parameter, "", &ErrorFactors::passes,
                        causes_of(error, vm, g, layout.library.library->parameters)});
    }
  }
  return errors;
}

std::string word_of(JobKind kind) {
  std::string word = to_string(kind);
  std::replace(word.begin(), word.end(), ' ', '_');
  return word;
}

ModelError model_error_of(const PreparedLayout& layout, bool anchored) {
  const std::string less = word_of(kind_of(layout)) + "_anchored_model_error";
  return {anchored ? less : model_error_name(kind_of(layout)), less, &ErrorFactors::passes,
          causes_of_passes(layout, anchored), causes_of_passes(layout, true)};
}

/// Time of a part in seconds with a model error and a floor.
double part_of(SimTime time, double factor, SimTime floor) {
  return std::max(to_seconds(time) * factor, to_seconds(std::min(time, floor)));
}

}  // namespace

const char* to_string(JobKind kind) {
  switch (kind) {
    case JobKind::kDataParallel:
      return "data parallel";
    case JobKind::kSharded:
      return "sharded";
    case JobKind::kModelParallel:
      return "split";
  }
  throw std::logic_error("unknown job kind");
}

std::string model_error_name(JobKind kind) { return word_of(kind) + "_model_error"; }

JobKind kind_of(const PreparedLayout& layout) {
  const training::TrainingJob& job = *layout.placement.job.training;
  if (job.data_parallel_only) return JobKind::kDataParallel;
  const training::Parallelism& split = job.parallelism;
  const std::size_t parts = split.tensor * split.context * split.pipeline * split.expert;
  return parts > 1 ? JobKind::kModelParallel : JobKind::kSharded;
}

std::vector<const topology::GpuModel*> unmeasured_gpus(const Placement& placement,
                                                       const Library& library) {
  std::vector<const topology::GpuModel*> found;
  const topology::Catalog& catalog = *library.catalog;
  for (const vsphere::GuestView& view : placement.views()) {
    for (std::size_t g = 0; g < view.gpu_count(); ++g) {
      const auto model = catalog.gpus.find(placement.cluster->topology.node(view.gpu(g)).model);
      if (model == catalog.gpus.end() || training::is_like_measured(model->second, catalog)) {
        continue;
      }
      if (std::find(found.begin(), found.end(), &model->second) == found.end()) {
        found.push_back(&model->second);
      }
    }
  }
  return found;
}

std::vector<ModelError> model_errors_of(const PreparedLayout& layout) {
  std::vector<ModelError> errors;
  const Idealised& idealised = layout.placement.cluster->idealised;
  const bool anchored = is_anchored(layout);
  if (!idealised.ideal_computing) {
    errors.push_back(model_error_of(layout, anchored));
    if (!anchored && !unmeasured_gpus(layout.placement, *layout.library.library).empty()) {
      errors.push_back({"unmeasured_gpu_spread",
                        "",
                        &ErrorFactors::passes,
                        {{"unmeasured " + gpu_names(layout.placement)}}});
    }
  }
  for (ModelError& each : mode_errors(layout)) errors.push_back(std::move(each));
  if (!idealised.ideal_links() && layout.placement.ranks().is_joined()) {
    const std::string spread = collectives::rate_spread_of(layout.placement.ranks());
    errors.push_back({spread, "", &ErrorFactors::communication, {{spread}}});
  }
  return errors;
}

ErrorFactors error_factors_at(const PreparedLayout& layout, double calibration::Uncertain::*end) {
  ErrorFactors factors;
  const calibration::Parameters& parameters = layout.library.library->parameters;
  for (const ModelError& each : model_errors_of(layout)) {
    factors.*each.part *= parameters.at(each.parameter).quantity.*end;
  }
  return factors;
}

ErrorFactors drawn_error_factors(const PreparedLayout& layout,
                                 const calibration::Parameters& parameters,
                                 const ParameterDraw& draw) {
  ErrorFactors factors;
  for (const ModelError& each : model_errors_of(layout)) {
    double z = 0.0;
    for (const ErrorCause& cause : each.causes) {
      z += std::sqrt(cause.share) * deviation(cause.name, draw);
    }
    factors.*each.part *= calibration::at_deviation(parameters.at(each.parameter).quantity, z);
  }
  return factors;
}

double slowdown_by(const TrainingResult& training, const ErrorFactors& factors) {
  const SimTime all = training.iteration;
  if (all <= SimTime{0} || (factors.passes == 1.0 && factors.communication == 1.0)) return 1.0;
  const SimTime exposed = std::min(training.exposed_communication, all);
  const double parts = part_of(all - exposed, factors.passes, training.floors.compute) +
                       part_of(exposed, factors.communication, training.floors.communication);
  return std::max(parts, to_seconds(std::min(all, training.floors.links))) / to_seconds(all);
}

std::vector<std::string> error_parameters_of(const PreparedLayout& layout) {
  std::vector<std::string> names;
  if (layout.placement.job.training) {
    for (const ModelError& error : model_errors_of(layout)) names.push_back(error.parameter);
  } else if (layout.placement.ranks().is_joined()) {
    names.push_back(collectives::rate_spread_of(layout.placement.ranks()));
  }
  return names;
}

std::string architecture_of(const PreparedLayout& layout) {
  for (const vsphere::GuestView& view : layout.placement.views()) {
    if (view.gpu_count() == 0) continue;
    const auto& gpus = layout.library.library->catalog->gpus;
    const auto gpu = gpus.find(layout.placement.cluster->topology.node(view.gpu(0)).model);
    if (gpu == gpus.end()) return {};
    std::string word;
    for (const auto& each : topology::kGpuArchitectures) {
      if (gpu->second.compute_capability >= each.capability) word = each.word;
    }
    return word;
  }
  return {};
}

std::size_t machines_like(const PreparedLayout& layout, const std::string& parameter) {
  const auto& on = layout.library.library->parameters.at(parameter).measured_on;
  if (!on) return 0;
  const auto own = on->machines.find(architecture_of(layout));
  return own == on->machines.end() ? 0 : own->second;
}

std::vector<MeasuredLike> measured_like(const PreparedLayout& layout) {
  std::vector<MeasuredLike> all;
  for (const std::string& name : error_parameters_of(layout)) {
    const auto& on = layout.library.library->parameters.at(name).measured_on;
    if (!on) continue;
    all.push_back({on->what, on->all(), architecture_of(layout), machines_like(layout, name)});
  }
  return all;
}

}  // namespace vgsim::scenario
