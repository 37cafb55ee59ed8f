#pragma once

#include <cstdint>
#include <map>

#include "models/scenario/build/placement.hpp"
#include "models/scenario/build/run_settings.hpp"
#include "models/scenario/run/group_times.hpp"
#include "models/training/compute.hpp"
#include "models/training/layer_group.hpp"
#include "models/training/memory.hpp"
#include "models/training/parallelism.hpp"

namespace vgsim::scenario {

struct Library;

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
  std::map<training::Axis, Exchange> communication;

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
  LayerPasses(const Placement& placement, const Library& library, const RunSettings& settings);

  [[nodiscard]] LayerTimes forward(const training::LayerGroup& layer);
  /// With what is computed, and exchanged, again.
  [[nodiscard]] LayerTimes backward(const training::LayerGroup& layer);

  /// What data-parallel ranks exchange of so many bytes of parameters, those of experts among the
  /// ranks that hold the same.
  [[nodiscard]] Exchange among_replicas(collectives::Collective collective,
                                        const training::Held& parameters, double bytes_of_each);
  /// Activations of one micro-batch, to the next stage.
  [[nodiscard]] SimTime send();

  [[nodiscard]] const training::ComputeRates& rates() const { return rates_; }

 private:
  [[nodiscard]] double own_tokens() const;
  [[nodiscard]] SimTime flop_time(double operations) const;
  [[nodiscard]] double part_of_rank(const Ratio& products) const;
  [[nodiscard]] SimTime score_time(const training::LayerGroup& layer) const;
  [[nodiscard]] SimTime beside_products(const training::LayerGroup& layer) const;
  [[nodiscard]] Exchange exchange(training::Axis axis, collectives::Collective collective,
                                  double bytes);
  [[nodiscard]] Exchange tensor_sum();
  [[nodiscard]] Exchange exposed_context(const training::LayerGroup& layer, std::int64_t rounds);
  [[nodiscard]] Exchange to_experts();
  void add_exchanges(const training::LayerGroup& layer, bool sums, std::int64_t rounds,
                     LayerTimes& times);

  const Library& library_;
  const TrainingJob& job_;
  const training::Parallelism& p_;
  GroupTimes times_;
  training::ComputeRates rates_;
};

}  // namespace vgsim::scenario
