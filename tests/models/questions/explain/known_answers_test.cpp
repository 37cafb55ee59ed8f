// The best change of scenarios with known answers: each contains a layout with a flaw and, written
// by hand, the corrected layout.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "models/questions/explain/best_changes.hpp"
#include "models/scenario/answer/layout_time.hpp"
#include "models/scenario/read/layouts.hpp"
#include "tests/support/scenarios.hpp"
#include "topology/input/json_reader.hpp"
#include "topology/input/load_source.hpp"

namespace vgsim {
namespace known_answers_test {

using scenario::TriedChange;
using scenario::TriedOutcome;

struct KnownAnswer {
  const char* file;
  const char* layout;      ///< with something wrong
  const char* bottleneck;  ///< kind of link
  const char* change;      ///< id of the change that helps most and keeps the training
  const char* remedied;    ///< the layout written for that; or nullptr
};

std::ostream& operator<<(std::ostream& out, const KnownAnswer& each) {
  return out << each.file << ": " << each.layout;
}

class KnownAnswers : public ::testing::TestWithParam<KnownAnswer> {};

struct Explained {
  scenario::LayoutResult result;
  std::vector<TriedChange> tried;
  std::optional<double> remedied_time;
};

Explained explain(const KnownAnswer& known) {
  const std::string path =
      std::string(VGSIM_SOURCE_DIR "/configs/scenarios/questions/") + known.file + ".json";
  const auto load = cli::loader_relative_to(path);
  const auto document = input::read_json(*input::load_source(path));
  input::Diagnostics diagnostics;
  scenario::RunSettings settings;
  settings.record = true;
  Explained explained;
  for (const auto& layout : scenario::read_layouts(*document, diagnostics)) {
    const bool is_wrong = layout.name == known.layout;
    const bool is_right = known.remedied != nullptr && layout.name == known.remedied;
    if (!is_wrong && !is_right) continue;
    const auto prepared =
        scenario::prepare_scenario(layout.document, test::library(), load, settings);
    const auto run = scenario::run(*prepared, settings);
    if (is_right) explained.remedied_time = scenario::time_of(run.layouts.front());
    if (!is_wrong) continue;
    explained.result = run.layouts.front();
    const scenario::ChangeContext at{layout.document, *prepared, explained.result, test::library()};
    explained.tried = scenario::try_changes(at, scenario::changes_of(at), load, settings);
  }
  return explained;
}

TEST_P(KnownAnswers, AreFoundBySimulatingTheChange) {
  const KnownAnswer& known = GetParam();
  const Explained explained = explain(known);
  ASSERT_TRUE(explained.result.bottleneck);
  EXPECT_EQ(explained.result.bottleneck->kind, known.bottleneck);
  const auto best =
      std::find_if(explained.tried.begin(), explained.tried.end(), [](const TriedChange& each) {
        return each.outcome == TriedOutcome::kRan && !each.change.changes_training;
      });
  ASSERT_NE(best, explained.tried.end());
  EXPECT_EQ(best->change.id, known.change) << best->change.title;
  EXPECT_GT(best->gain(), 0.05);
  EXPECT_NEAR(best->before_s, *scenario::time_of(explained.result), 1e-12);
  const auto most = scenario::most_gain_of_traffic(explained.result);
  for (const TriedChange& each : explained.tried) {
    const bool is_bounded = most && each.change.is_of_traffic;
    if (is_bounded && each.outcome == TriedOutcome::kRan) {
      EXPECT_LE(each.gain(), *most + 1e-9) << each.change.title;
    }
  }
  if (explained.remedied_time) {
    EXPECT_NEAR(best->after_s / *explained.remedied_time, 1.0, 0.002) << best->change.title;
  }
}

INSTANTIATE_TEST_SUITE_P(
    Shipped, KnownAnswers,
    ::testing::Values(
        KnownAnswer{"q05-nic-upgrade", "25 Gbit/s", "nic", "faster-nic", "200 Gbit/s"},
        KnownAnswer{"q03-nvlink-bridges-bert-128", "pair, no bridge", "root-port", "nvlink-bridges",
                    "pair"},
        KnownAnswer{"q09-topology-file", "flat", "root-port", "topology-file", "topology file"},
        KnownAnswer{"q23-data-path", "500 MB/s", "storage", "faster-storage", "1 GB/s"},
        KnownAnswer{"q08-gpudirect-rdma", "ACS not relaxed", "pcie", "relax-acs", "GPUDirect"},
        KnownAnswer{"q08-gpudirect-rdma", "no allowP2P", "pcie", "allow-p2p", "GPUDirect"},
        KnownAnswer{"q08-gpudirect-rdma", "off in NCCL", "pcie", "nccl-default", "GPUDirect"},
        KnownAnswer{"q06-nics-per-host", "one per host", "nic", "nic-per-gpu", "one per GPU"},
        KnownAnswer{"q10-nic-kinds-vgg-16", "vmxnet3", "nic-function", "nic-mode", "passthrough"},
        KnownAnswer{"q27-vcpu-sizing", "2 GPUs, 16", "cpu", "more-vcpus", nullptr},
        KnownAnswer{"q16-training-on-fractions", "all neighbours busy", "nic-function",
                    "idle-neighbours", "halves, others idle"},
        KnownAnswer{"q17-noisy-neighbours", "cores", "cpu", "no-neighbours", "alone"}));

/// Whether a change was tried, and its gain.
std::optional<double> gain_of(const Explained& explained, const std::string& id) {
  std::optional<double> best;
  for (const TriedChange& each : explained.tried) {
    if (each.change.id != id || each.outcome != TriedOutcome::kRan) continue;
    best = std::max(best.value_or(-1e9), each.gain());
  }
  return best;
}

TEST(Changes, OfADeviceGroupGiveBackWhatItsAbsenceTakes) {
  const Explained explained =
      explain({"q02-passthrough-or-vgpu", "vgpu, no groups", "", "", nullptr});
  const Explained grouped =
      explain({"q02-passthrough-or-vgpu", "vgpu, two groups", "", "", nullptr});
  const double least =
      1.0 - *scenario::time_of(grouped.result) / *scenario::time_of(explained.result);
  ASSERT_TRUE(gain_of(explained, "device-group"));
  EXPECT_NEAR(*gain_of(explained, "device-group"), least, 0.002);
}

TEST(Changes, AreRankedByWhatTheySave) {
  const Explained explained = explain({"q05-nic-upgrade", "100 Gbit/s", "", "", nullptr});
  for (std::size_t i = 1; i < explained.tried.size(); ++i) {
    const TriedChange& before = explained.tried[i - 1];
    const TriedChange& after = explained.tried[i];
    EXPECT_LE(before.outcome, after.outcome);
    if (after.outcome == TriedOutcome::kRan) {
      EXPECT_GT(before.gain(), after.gain() - 0.001);
    }
  }
}

}  // namespace known_answers_test
}  // namespace vgsim
