#include "tools/trace/perfetto_trace.hpp"

#include <gtest/gtest.h>
#include <zlib.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>

#include "models/scenario/answer/run_scenario.hpp"
#include "tests/support/scenarios.hpp"
#include "tests/tools/program.hpp"
#include "tests/tools/surroundings/installed.hpp"
#include "tests/tools/trace/read_trace.hpp"
#include "tools/cli/config_files.hpp"
#include "topology/input/load_source.hpp"

namespace vgsim::trace {
namespace perfetto_trace_test {

using scenario::IterationRecord;
using scenario::LayoutResult;
using scenario::ScenarioResult;
using test::ShownSlice;
using test::ShownTrack;

constexpr std::int64_t kMillisecond = 1'000'000'000;

SimTime ms(std::int64_t count) { return SimTime{count * kMillisecond}; }

/// An iteration of 100 ms: computing, and two buckets of which the second overlaps the first.
ScenarioResult small_result() {
  LayoutResult layout;
  layout.name = "passthrough";
  layout.record = IterationRecord{
      ms(100),
      {{"esx01/gpu0", 4, {{ms(0), ms(30), "forward", ""}, {ms(30), ms(90), "backward", ""}}},
       {"gradients",
        0,
        {{ms(40), ms(70), "gradients", "bucket 1"}, {ms(60), ms(95), "gradients", "bucket 2"}}}},
      {{ms(0), ms(90), "backward", "esx01/gpu0", "", ""},
       {ms(90), ms(100), "gradients", "bucket 2", "esx01/vmnic4 -> leaf1", "nic"}}};
  layout.links = {{"esx01/vmnic4 -> leaf1", "nic", 4, 1.25e9, 0, 0.5},
                  {"leaf1 -> spine1", "fabric", 1, 0, 0, 0}};
  return {"small", {layout}, {}};
}

const ShownTrack* find_track(const std::map<std::uint64_t, ShownTrack>& tracks,
                             const std::string& name) {
  for (const auto& [uuid, track] : tracks) {
    if (track.name == name) return &track;
  }
  ADD_FAILURE() << "no track " << name;
  return nullptr;
}

/// Picoseconds by kind, as the slices of the trace have them.
std::map<std::string, std::int64_t> shown_by_kind(const std::map<std::uint64_t, ShownTrack>& tracks,
                                                  const std::string& but) {
  std::map<std::string, std::int64_t> sums;
  for (const auto& [uuid, track] : tracks) {
    if (track.name == but) continue;
    for (const ShownSlice& slice : track.slices) {
      if (!slice.numbers.contains("duration_ps")) continue;
      sums[slice.category] += slice.numbers.at("duration_ps");
      EXPECT_NEAR(static_cast<double>((slice.end - slice.begin) * 1000),
                  static_cast<double>(slice.numbers.at("duration_ps")), 1000);
    }
  }
  return sums;
}

TEST(PerfettoTrace, EveryLaneHasItsSlicesWithTheirTimes) {
  const auto tracks = test::read_trace(perfetto_trace(small_result()));
  const ShownTrack* gpu = find_track(tracks, "esx01/gpu0 and 3 alike");
  ASSERT_NE(gpu, nullptr);
  ASSERT_EQ(gpu->slices.size(), 2U);
  EXPECT_EQ(gpu->slices[0].name, "forward");
  EXPECT_EQ(gpu->slices[0].category, "forward");
  EXPECT_EQ(gpu->slices[1].begin, 30'000'000);
  EXPECT_EQ(gpu->slices[1].end, 90'000'000);
  EXPECT_EQ(gpu->slices[1].flows.size(), 1U);
  EXPECT_TRUE(gpu->slices[0].flows.empty());
  for (const auto& [uuid, track] : tracks) {
    const bool reached = !track.slices.empty() && track.slices[0].name == "gradients: bucket 2" &&
                         track.name == "gradients";
    if (!reached) continue;
    EXPECT_EQ(track.slices[0].ends_of_flows, gpu->slices[1].flows);
  }
}

TEST(PerfettoTrace, OverlappingBucketsGoToTracksOfOneName) {
  const auto tracks = test::read_trace(perfetto_trace(small_result()));
  std::size_t count = 0;
  for (const auto& [uuid, track] : tracks) {
    if (track.name != "gradients") continue;
    ++count;
    EXPECT_EQ(track.slices.size(), 1U);
  }
  EXPECT_EQ(count, 2U);
}

TEST(PerfettoTrace, TheCriticalPathStandsFirstAndNamesWhatHeldItBack) {
  const auto tracks = test::read_trace(perfetto_trace(small_result()));
  const ShownTrack* path = find_track(tracks, "critical path");
  ASSERT_NE(path, nullptr);
  ASSERT_EQ(path->slices.size(), 2U);
  EXPECT_EQ(path->slices[1].texts.at("limited by"), "esx01/vmnic4 -> leaf1");
  EXPECT_EQ(path->slices[1].texts.at("kind of link"), "nic");
  EXPECT_FALSE(path->slices[0].texts.contains("limited by"));
  for (const auto& [uuid, track] : tracks) {
    if (track.parent != path->parent || &track == path) continue;
    EXPECT_GT(track.rank, path->rank) << track.name;
  }
}

TEST(PerfettoTrace, ACounterHoldsTheUtilizationOfEachLinkThatCarriesSomething) {
  const auto tracks = test::read_trace(perfetto_trace(small_result()));
  const ShownTrack* link = find_track(tracks, "esx01/vmnic4 -> leaf1");
  ASSERT_NE(link, nullptr);
  EXPECT_EQ(link->unit, "%");
  ASSERT_EQ(link->values.size(), 2U);
  EXPECT_EQ(link->values[0], (std::pair<std::int64_t, double>(0, 50.0)));
  EXPECT_EQ(link->values[1], (std::pair<std::int64_t, double>(100'000'000, 0.0)));
  for (const auto& [uuid, track] : tracks) EXPECT_NE(track.name, "leaf1 -> spine1");
}

TEST(PerfettoTrace, EveryLayoutIsAProcessOfItsOwn) {
  ScenarioResult result = small_result();
  result.layouts.push_back(result.layouts[0]);
  result.layouts[1].name = "vgpu";
  result.layouts[1].record.reset();
  result.layouts[1].refused = true;
  result.layouts[1].vsphere = "7.0";
  std::map<std::int64_t, std::string> processes;
  for (const auto& [uuid, track] : test::read_trace(perfetto_trace(result))) {
    if (!track.pid) continue;
    EXPECT_TRUE(processes.emplace(*track.pid, track.process_name).second);
    if (track.process_name == "vgpu") {
      ASSERT_EQ(track.slices.size(), 1U);
      EXPECT_EQ(track.slices[0].name, "refused by vSphere 7.0");
    }
  }
  EXPECT_EQ(processes, (std::map<std::int64_t, std::string>{{1, "passthrough"}, {2, "vgpu"}}));
}

TEST(PerfettoTrace, AResultWithoutLayoutsIsATraceWithoutPackets) {
  EXPECT_TRUE(test::read_trace(perfetto_trace({})).empty());
}

std::string inflated(const std::string& bytes, const test::Scratch& scratch) {
  const std::string file = scratch.write("trace.gz", bytes);
  gzFile stream = gzopen(file.c_str(), "rb");
  EXPECT_EQ(gzdirect(stream), 0) << "it is compressed";
  std::string text;
  char part[4096];
  for (int size = 1; (size = gzread(stream, part, sizeof part)) > 0;) {
    text.append(part, static_cast<std::size_t>(size));
  }
  EXPECT_EQ(gzclose(stream), Z_OK);
  return text;
}

/// Slices of the Trace Event Format by name, with their begin in microseconds and the arrows that
/// leave and reach them.
struct JsonSlice {
  double begin = 0;
  double end = 0;
  std::set<std::uint64_t> leave;
  std::set<std::uint64_t> reach;
};

std::map<std::string, JsonSlice> json_slices(const std::string& text, const std::string& thread) {
  const auto events = nlohmann::json::parse(text).at("traceEvents");
  std::map<std::pair<int, int>, std::string> names;
  std::map<std::string, JsonSlice> slices;
  std::map<std::pair<int, int>, std::vector<std::string>> open;
  for (const auto& event : events) {
    const std::pair at(event.at("pid").get<int>(), event.at("tid").get<int>());
    const std::string phase = event.at("ph");
    if (phase == "M" && event.at("name") == "thread_name") names[at] = event.at("args").at("name");
    if (names[at] != thread) continue;
    if (phase == "B") open[at].push_back(event.at("name"));
    if (phase == "B") slices[open[at].back()].begin = event.at("ts");
    if (phase == "s") slices[open[at].back()].leave.insert(event.at("id").get<std::uint64_t>());
    if (phase == "f") slices[open[at].back()].reach.insert(event.at("id").get<std::uint64_t>());
    if (phase != "E") continue;
    slices[open[at].back()].end = event.at("ts");
    open[at].pop_back();
  }
  return slices;
}

TEST(JsonTrace, HasTheSlicesAndAnArrowAlongTheCriticalPath) {
  const std::string text = json_trace(small_result());
  const auto gpu = json_slices(text, "esx01/gpu0 and 3 alike");
  const auto network = json_slices(text, "gradients");
  EXPECT_EQ(gpu.at("backward").begin, 30'000);
  EXPECT_EQ(gpu.at("backward").end, 90'000);
  EXPECT_EQ(gpu.at("backward").leave.size(), 1U);
  EXPECT_EQ(gpu.at("backward").leave, network.at("gradients: bucket 2").reach);
  EXPECT_TRUE(network.at("gradients: bucket 1").reach.empty());
  EXPECT_TRUE(gpu.at("forward").leave.empty());
}

TEST(JsonTrace, IsWrittenUnderANameThatEndsInJson) {
  const test::Scratch scratch;
  const ScenarioResult result = small_result();
  EXPECT_EQ(trace_file(result, "t.json"), json_trace(result));
  EXPECT_EQ(inflated(trace_file(result, "t.json.gz"), scratch), json_trace(result));
  EXPECT_EQ(trace_file(result, "t.perfetto"), perfetto_trace(result));
}

TEST(PerfettoTrace, AFileThatEndsInGzHoldsTheSameBytesCompressed) {
  const test::Scratch scratch;
  const ScenarioResult result = small_result();
  const std::string plain = trace_file(result, "trace.pftrace");
  EXPECT_EQ(plain, perfetto_trace(result));
  EXPECT_EQ(inflated(trace_file(result, "trace.pftrace.gz"), scratch), plain);
  EXPECT_EQ(trace_file(result, "a.gz"), trace_file(result, "b.gz"));
}

/// protoc decodes the trace by the published names and numbers; what has none there shows as a
/// bare number.
TEST(PerfettoTrace, ProtocFindsEveryFieldInThePublishedMessages) {
  if (!test::is_installed("protoc")) {
    GTEST_SKIP() << "protoc is not installed: the trace is not decoded by it";
  }
  const test::Scratch scratch;
  const std::string folder = std::string(VGSIM_SOURCE_DIR) + "/tests/tools/trace";
  const std::string command = "protoc --decode=perfetto.protos.Trace -I" + folder + " " + folder +
                              "/perfetto_subset.proto <" +
                              scratch.write("trace", perfetto_trace(small_result())) + " >" +
                              scratch.file("text");
  ASSERT_EQ(std::system(command.c_str()), 0);
  std::ifstream text(scratch.file("text"));
  std::size_t begins = 0;
  std::size_t ends = 0;
  std::size_t arrows = 0;
  for (std::string line; std::getline(text, line);) {
    const std::string word = line.substr(std::min(line.find_first_not_of(' '), line.size()));
    EXPECT_FALSE(!word.empty() && word[0] >= '0' && word[0] <= '9') << line;
    begins += word == "type: TYPE_SLICE_BEGIN" ? 1U : 0U;
    arrows +=
        word.starts_with("flow_ids: ") || word.starts_with("terminating_flow_ids: ") ? 1U : 0U;
    ends += word == "type: TYPE_SLICE_END" ? 1U : 0U;
  }
  EXPECT_EQ(begins, 6U);
  EXPECT_EQ(ends, 6U);
  EXPECT_EQ(arrows, 2U);
}

/// Shipped scenarios: data parallel, pipelined, with input from storage.
class TracedScenario : public ::testing::TestWithParam<const char*> {
 protected:
  static ScenarioResult run() {
    const std::string path = std::string(VGSIM_SOURCE_DIR) + "/configs/scenarios/" + GetParam();
    scenario::RunSettings settings;
    settings.record = true;
    settings.next_limit = false;
    const auto result = scenario::run_scenario(*input::load_source(path), test::library(),
                                               cli::loader_relative_to(path), settings);
    EXPECT_TRUE(result) << input::render(result.error());
    return result ? *result : ScenarioResult{};
  }
};

TEST_P(TracedScenario, DurationsOfEachKindAddUpToThoseOfTheRecord) {
  const ScenarioResult result = run();
  for (const LayoutResult& layout : result.layouts) {
    if (!layout.record) continue;
    std::map<std::string, std::int64_t> wanted;
    for (const auto& lane : layout.record->lanes) {
      for (const auto& span : lane.spans) wanted[span.kind] += (span.end - span.begin).count();
    }
    const auto tracks = test::read_trace(perfetto_trace({"one", {layout}, {}}));
    EXPECT_EQ(shown_by_kind(tracks, "critical path"), wanted) << layout.name;
    const ShownTrack* path = find_track(tracks, "critical path");
    ASSERT_NE(path, nullptr);
    std::int64_t length = 0;
    for (const ShownSlice& slice : path->slices) length += slice.numbers.at("duration_ps");
    EXPECT_EQ(length, layout.record->length.count()) << layout.name;
  }
}

TEST_P(TracedScenario, TheSameRunGivesTheSameBytes) {
  EXPECT_EQ(perfetto_trace(run()), perfetto_trace(run()));
}

INSTANTIATE_TEST_SUITE_P(Shipped, TracedScenario,
                         ::testing::Values("bert-large-4xr750xa.json", "resnet-50-imagenet.json",
                                           "training/llama-3-70b-long-context.json"));

}  // namespace perfetto_trace_test
}  // namespace vgsim::trace
