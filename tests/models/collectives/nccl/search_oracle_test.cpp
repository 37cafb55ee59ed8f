#include <fmt/core.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <iostream>
#include <map>

#include "models/collectives/nccl/decision.hpp"
#include "tests/models/collectives/nccl/oracle.hpp"
#include "tests/support/scenarios.hpp"

namespace vgsim::collectives::nccl {
namespace search_oracle_test {

using nlohmann::json;

bool near(double a, double b) { return std::abs(a - b) <= 2e-3 * std::max(std::abs(a), 1e-9); }

/// NCCL 2.18 has no word for NET and writes the next one.
bool same_type(PathType type, const std::string& word) {
  return word == to_string(type) || (type == PathType::kNet && word == "DIS");
}

/// A ring from its lowest rank on, in the direction of the lower neighbour.
std::vector<int> canonical(std::vector<int> ring) {
  std::rotate(ring.begin(), std::min_element(ring.begin(), ring.end()), ring.end());
  std::vector<int> other = ring;
  std::reverse(other.begin() + 1, other.end());
  return std::min(ring, other);
}

std::vector<std::vector<int>> rings_of(const Decision& decision) {
  std::vector<std::vector<int>> rings;
  for (int c = 0; c < decision.channels; ++c) rings.push_back(canonical(decision.ring_order(c)));
  return rings;
}

class Comparison {
 public:
  Comparison(const Decision& decision, const json& run)
      : decision_(decision), kind_(decision.kinds[0]), run_(run) {}

  /// The compared items, and whether they are equal.
  std::map<std::string, bool> all() {
    std::map<std::string, bool> same;
    const Graph& graph = kind_.connected.graph;
    std::vector<NodeId> gpus, nets;
    for (const GraphGpu& gpu : graph.gpus) gpus.push_back(gpu.node);
    for (const GraphNet& net : graph.nets) nets.push_back(net.node);
    same["paths GPU-GPU"] = paths_agree("gpuPaths", gpus, gpus);
    same["paths GPU-NET"] = nets.empty() || paths_agree("netPaths", gpus, nets);
    same["nodes"] = run_["ncclNodes"] == decision_.nodes.size() &&
                    run_["rankToNode"] == json(decision_.rank_node);
    compare_graph("ring", &kind_.graphs.ring, same);
    compare_graph("tree", &kind_.graphs.tree, same);
    compare_graph("nvls", kind_.graphs.nvls ? &*kind_.graphs.nvls : nullptr, same);
    same["channels"] = run_["nChannels"] == decision_.channels;
    same["ring order"] = rings_agree();
    same["trees"] = trees_agree();
    if (run_.contains("nvlsChannels") && !run_["nvlsChannels"].is_null()) {
      same["nvls channels"] = run_["nvlsChannels"] == decision_.nvls_channels;
    }
    return same;
  }

 private:
  bool paths_agree(const char* field, const std::vector<NodeId>& from,
                   const std::vector<NodeId>& to) const {
    for (std::size_t i = 0; i < from.size(); ++i) {
      for (std::size_t j = 0; j < to.size(); ++j) {
        const json& theirs = run_[field][i][j];
        const Path& path = kind_.connected.paths.at(from[i], to[j]);
        if (!same_type(path.type, theirs[0]) || !near(theirs[1], path.bandwidth) ||
            theirs[2] != path.hops()) {
          return false;
        }
      }
    }
    return true;
  }

  void compare_graph(const std::string& name, const SearchResult* mine,
                     std::map<std::string, bool>& same) const {
    const bool theirs_is_there = run_["search"].contains(name);
    if (mine == nullptr || !theirs_is_there) {
      same[name + " speed"] = same[name + " shape"] = (mine != nullptr) == theirs_is_there;
      return;
    }
    const json& theirs = run_["search"][name];
    same[name + " speed"] = theirs["nChannels"] == mine->channels.size() &&
                            near(theirs["bwIntra"], mine->speed_intra) &&
                            near(theirs["bwInter"], mine->speed_inter);
    same[name + " shape"] = theirs["pattern"] == static_cast<int>(mine->pattern) &&
                            theirs["crossNic"] == mine->cross_nic &&
                            theirs["sameChannels"] == static_cast<int>(mine->same_channels) &&
                            theirs["typeIntra"] == to_string(mine->type_intra) &&
                            theirs["typeInter"] == to_string(mine->type_inter);
  }

  bool rings_agree() const {
    std::vector<std::vector<int>> theirs;
    for (const json& ring : run_["rings"]) {
      theirs.push_back(canonical(ring.get<std::vector<int>>()));
    }
    return theirs == rings_of(decision_);
  }

  bool trees_agree() const {
    std::vector<std::vector<int>> mine;
    for (int c = 0; c < decision_.channels; ++c) mine.push_back(decision_.tree_parents(c));
    return run_["treesUp"] == json(mine);
  }

  const Decision& decision_;
  const NodeKind& kind_;
  const json& run_;
};

struct Tally {
  std::size_t same = 0;
  std::size_t all = 0;

  [[nodiscard]] double percent() const {
    return all == 0 ? 100 : 100.0 * static_cast<double>(same) / static_cast<double>(all);
  }
};

/// By compared item, for NVIDIA's machines and for other shapes.
struct Tallies {
  std::map<std::string, Tally> nvidia, others;
};

Tallies compare_runs(const oracle::Group& group) {
  Tallies tallies;
  const auto compare = [&](const oracle::Run& run) {
    const json& decided = run.decided;
    const auto constants =
        constants_of(test::library().nccl, decided["nccl"].get<std::string>()).value();
    const std::vector<std::size_t> hosts(decided["nNodes"].get<std::size_t>(), 0);
    const Decision decision = decide({&run.machine, 1}, hosts, run.settings, constants);
    for (const auto& [what, same] : Comparison(decision, decided).all()) {
      Tally& tally = (run.nvidia ? tallies.nvidia : tallies.others)[what];
      ++tally.all;
      tally.same += same ? std::size_t{1} : 0;
      if (!same) std::cout << "  " << run.name << ": " << what << "\n";
    }
  };
  EXPECT_GT(oracle::each_run(group, compare), 0u);
  for (const auto& [what, tally] : tallies.nvidia) {
    const Tally& other = tallies.others[what];
    std::cout << fmt::format("{}: {} agree in {} of {} runs, of other shapes {} of {}\n",
                             group.below, what, tally.same, tally.all, other.same, other.all);
  }
  return tallies;
}

class SearchOracle : public oracle::GroupTest {};

/// Detection, search and channels against NCCL's own decisions. Shapes of machines with GPUs of
/// other vendors are counted separately.
TEST_P(SearchOracle, FindsWhatNcclFinds) {
  const Tallies tallies = compare_runs(GetParam());
  EXPECT_GE(tallies.nvidia.size(), 12u);
  for (const auto& [what, tally] : tallies.nvidia) EXPECT_EQ(tally.same, tally.all) << what;
}

INSTANTIATE_TEST_SUITE_P(Tables, SearchOracle,
                         oracle::own("2.18.6", "2.23.4", "2.27.7", "2.30.7", "settings"),
                         oracle::name_of_instance);
INSTANTIATE_TEST_SUITE_P(Extra, SearchOracle,
                         oracle::extra("v2.18.6", "v2.23.4", "v2.27.7", "v2.30.7",
                                       "variants/collnet", "variants/crossnic0",
                                       "variants/crossnic1", "variants/gdr_off", "variants/gdr_sys",
                                       "variants/netintra_off", "variants/nvls0",
                                       "variants/p2p_disable", "variants/p2p_phb",
                                       "variants/p2p_sys", "variants/p2p_sys_netintra_off",
                                       "variants/pxn_off"),
                         oracle::name_of_instance);

}  // namespace search_oracle_test
}  // namespace vgsim::collectives::nccl
