#pragma once

#include <cstdint>
#include <functional>
#include <map>

#include "models/collectives/collective.hpp"
#include "models/training/compute.hpp"
#include "models/training/layer_group.hpp"
#include "models/training/memory.hpp"
#include "models/training/parallelism.hpp"
#include "models/training/training_job.hpp"

namespace vgsim::training {

/// How long collectives of a job's groups take; groups of one rank are never asked for.
struct GroupCosts {
  /// Of so many bytes, as NCCL counts them.
  std::function<SimTime(Axis, collectives::Collective, Bytes)> collective;
  /// From a rank to the one with the same place in the next pipeline stage, and back at once.
  std::function<SimTime(Bytes)> send;
};

/// A collective, or several: how long a rank waits for it, and the bytes that it sends.
struct Exchange {
  SimTime time{};
  double sent = 0;

  Exchange& operator+=(const Exchange& other);
  [[nodiscard]] Exchange times(std::int64_t n) const;
};

/// What one pass of a layer takes on one rank, for one micro-batch.
struct LayerTimes {
  SimTime compute{};
  SimTime launches{};  ///< of the host
  std::map<Axis, Exchange> communication;

  [[nodiscard]] SimTime total() const;
};

/// The passes of a parallel job's layers: operations of one rank and what it exchanges with others.
///
/// Operations and activations are split over tensor- and context-parallel ranks. Tensor-parallel
/// ranks sum a token's width after attention and feed-forward part, going forward, and before them,
/// going backward (M. Shoeybi et al., Megatron-LM, 2019); with split sequences the sum is a
/// ReduceScatter and an AllGather (V. Korthikanti et al., 2022). Keys and values go round the
/// context-parallel ranks behind the scores that they are for (H. Liu et al., Ring Attention,
/// 2023). Tokens travel to their experts and back by AllToAll.
class LayerPasses {
 public:
  /// `rates`: of the slowest GPU, since ranks that share a network's work wait for each other.
  /// `backward_ratio`: operations of a backward pass to those of the forward pass.
  LayerPasses(const TrainingJob& job, ComputeRates rates, std::int64_t backward_ratio,
              GroupCosts costs);

  [[nodiscard]] LayerTimes forward(const LayerGroup& layer);
  /// With what is computed, and exchanged, again.
  [[nodiscard]] LayerTimes backward(const LayerGroup& layer);

  /// What data-parallel ranks exchange of so many bytes of parameters, those of experts among the
  /// ranks that hold the same.
  [[nodiscard]] Exchange among_replicas(collectives::Collective collective, const Held& parameters,
                                        double bytes_of_each);
  /// Activations of one micro-batch, to the next stage.
  [[nodiscard]] SimTime send();

  [[nodiscard]] const ComputeRates& rates() const { return rates_; }

 private:
  [[nodiscard]] double own_tokens() const;
  [[nodiscard]] SimTime flop_time(double operations) const;
  [[nodiscard]] double part_of_rank(const Ratio& products) const;
  [[nodiscard]] SimTime score_time(const LayerGroup& layer) const;
  [[nodiscard]] SimTime beside_products(const LayerGroup& layer) const;
  [[nodiscard]] Exchange exchange(Axis axis, collectives::Collective collective, double bytes);
  [[nodiscard]] Exchange tensor_sum();
  [[nodiscard]] Exchange exposed_context(const LayerGroup& layer, std::int64_t rounds);
  [[nodiscard]] Exchange to_experts();
  void add_exchanges(const LayerGroup& layer, bool sums, std::int64_t rounds, LayerTimes& times);

  const TrainingJob& job_;
  const Parallelism& p_;
  ComputeRates rates_;
  std::int64_t backward_ratio_;
  GroupCosts costs_;
};

}  // namespace vgsim::training
