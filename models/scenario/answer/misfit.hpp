#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/calibration/uncertain.hpp"
#include "models/scenario/build/prepared.hpp"
#include "models/scenario/run/result.hpp"

namespace vgsim::scenario {

struct Library;

/// What a job splits among its GPUs.
enum class JobKind : std::uint8_t {
  kData,     ///< its data alone
  kSharded,  ///< and its parameters, gradients or optimizer states: ZeRO, FSDP
  kSplit,    ///< and layers, tokens or experts: tensor, pipeline, context and expert parallelism
};

[[nodiscard]] const char* to_string(JobKind kind);  ///< "data parallel"
[[nodiscard]] JobKind kind_of(const PreparedLayout& layout);

/// Factors on parts of an iteration: how far measured ones lie from predicted ones. What no
/// constant of the models expresses is in them: frameworks, code and settings that nobody states.
struct Misfits {
  double passes = 1.0;         ///< all but exposed communication
  double communication = 1.0;  ///< what of it is exposed: as far as collectives lie from theirs
};

/// A parameter that is one of those factors.
struct Misfit {
  std::string parameter;
  std::string anchored;  ///< what it is where such GPUs or hosts are measured; empty: it is gone
  double Misfits::*part = nullptr;
};

/// The models of a job's GPUs on which no training job was measured, nor on others like them.
[[nodiscard]] std::vector<const topology::GpuModel*> unmeasured_gpus(const Placement& placement,
                                                                     const Library& library);

/// Those of a training job: less far where the scenario says how fast its GPUs or hosts are; none
/// of parts that are idealised, and one more of GPUs that nobody measured.
[[nodiscard]] std::vector<Misfit> misfits_of(const PreparedLayout& layout);

/// Them together, at one end of their intervals, or as they are: in a draw what was drawn.
[[nodiscard]] Misfits misfits_at(const PreparedLayout& layout, double calibration::Uncertain::*end);

/// How many times as long the iteration takes whose parts are so far off. No part gets faster than
/// its floor: operations at the GPUs' peak, and what no pass hides of the traffic at line rate; and
/// the whole no faster than its busiest wire.
[[nodiscard]] double stretched_by(const TrainingResult& training, const Misfits& misfits);

}  // namespace vgsim::scenario
