#include "models/training/stages.hpp"

#include <algorithm>

namespace vgsim::training {
namespace {

class Cutter {
 public:
  explicit Cutter(const Parallelism& p)
      : chunks_(p.pipeline * p.virtual_stages),
        stages_(p.pipeline, StageLayers(p.virtual_stages)) {}

  std::vector<StageLayers> by_blocks(const NetworkModel& network) && {
    const auto blocks = static_cast<std::size_t>(network.transformer->layers);
    const bool ends_count = ends_count_as_blocks(blocks);
    const std::size_t all = ends_count ? blocks + 2 : blocks;
    std::size_t block = 0;
    std::size_t chunk = 0;
    for (const LayerGroup& layer : network.layers) {
      const bool counts = layer.part == LayerGroup::Part::kAttention ||
                          (ends_count && layer.part == LayerGroup::Part::kEmbedding);
      if (counts) {
        while (block >= all * (chunk + 1) / chunks_) ++chunk;
        ++block;
      }
      if (layer.part == LayerGroup::Part::kOutput) chunk = chunks_ - 1;
      add(chunk, layer);
    }
    return std::move(stages_);
  }

  std::vector<StageLayers> by_operations(const NetworkModel& network, std::int64_t tokens) && {
    const auto all = static_cast<double>(network.forward(tokens).count());
    double done = 0;
    for (std::size_t i = 0; i < network.layers.size(); ++i) {
      const LayerGroup& layer = network.layers[i];
      const double share =
          all > 0 ? done / all
                  : static_cast<double>(i) / static_cast<double>(network.layers.size());
      const auto chunk = static_cast<std::size_t>(share * static_cast<double>(chunks_));
      add(std::min(chunk, chunks_ - 1), layer);
      done += static_cast<double>(layer.forward(tokens).count());
    }
    return std::move(stages_);
  }

 private:
  /// Whether blocks can be divided evenly only together with embedding and output: Llama 3.1 405B
  /// has 126 blocks for this reason (A. Dubey et al., 2024, section 3.3.2).
  [[nodiscard]] bool ends_count_as_blocks(std::size_t blocks) const {
    return blocks % chunks_ != 0 && (blocks + 2) % chunks_ == 0;
  }

  void add(std::size_t chunk, const LayerGroup& layer) {
    stages_[chunk % stages_.size()][chunk / stages_.size()].push_back(&layer);
  }

  std::size_t chunks_;
  std::vector<StageLayers> stages_;
};

}  // namespace

std::vector<StageLayers> cut_into_stages(const NetworkModel& network,
                                         const Parallelism& parallelism, std::int64_t tokens) {
  Cutter cutter(parallelism);
  return network.transformer ? std::move(cutter).by_blocks(network)
                             : std::move(cutter).by_operations(network, tokens);
}

}  // namespace vgsim::training
