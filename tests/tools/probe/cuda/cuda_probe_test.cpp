#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "models/calibration/probe_networks.hpp"
#include "tests/tools/probe/cuda/fake_truth.hpp"
#include "tests/tools/program.hpp"

namespace vgsim {
namespace cuda_probe_test {

using nlohmann::json;
using ::testing::HasSubstr;

/// Such a probe takes some 5 s, and longer on a busy machine.
constexpr const char* kArguments = "probe --quick --time-limit \"10 min\" -o ";

using Routes = std::vector<std::pair<std::string, std::string>>;

/// Runs `vgsim probe --quick` with the libraries of a folder.
class Probe {
 public:
  explicit Probe(const test::Scratch& scratch, const std::string& libraries) {
    const char* const before = std::getenv("LD_LIBRARY_PATH");
    const std::string path = before == nullptr ? libraries : libraries + ":" + before;
    const std::string log = scratch.file("misuse");
    setenv("LD_LIBRARY_PATH", path.c_str(), 1);
    setenv("VGSIM_FAKE_LOG", log.c_str(), 1);
    const test::Ran ran = test::run_program(scratch, kArguments + scratch.file("measured.json"));
    EXPECT_EQ(ran.exit_code, 0) << ran.err;
    EXPECT_EQ(test::read_file(log), "");
    measured_ = json::parse(test::read_file(scratch.file("measured.json")), nullptr, false);
    if (measured_.is_discarded()) throw std::runtime_error("no measurement: " + ran.err);
  }

  [[nodiscard]] const json& machine() const { return measured_["machine"]; }
  [[nodiscard]] const json& left_out() const { return measured_["left_out"]; }

  [[nodiscard]] std::size_t count(const std::string& what) const {
    const json& results = measured_["results"];
    return static_cast<std::size_t>(
        std::count_if(results.begin(), results.end(),
                      [&](const json& result) { return result["what"] == what; }));
  }

  /// The median of the last result with these values, which is the largest; null without
  /// results.
  [[nodiscard]] double seconds(const json& wanted) const {
    const json& results = measured_["results"];
    const auto found = std::find_if(results.rbegin(), results.rend(), [&](const json& result) {
      const auto items = wanted.items();
      return std::all_of(items.begin(), items.end(), [&](const auto& item) {
        return result.value(item.key(), json()) == item.value();
      });
    });
    if (found != results.rend()) return seconds_of((*found)["time"]["median"].get<std::string>());
    ADD_FAILURE() << "not measured: " << wanted;
    return 0;
  }

  [[nodiscard]] double copy_seconds(const Routes& routes, const char* size) const {
    return seconds({{"what", "copy"}, {"routes", routes}, {"size", size}});
  }

  /// Whether everything that begins with `what` is left out for the reason `why`.
  void expect_left_out(const std::string& what, const std::string& why) const {
    std::size_t found = 0;
    for (const json& each : left_out()) {
      if (each["what"].get<std::string>().rfind(what, 0) != 0) continue;
      ++found;
      EXPECT_THAT(each["why"].get<std::string>(), HasSubstr(why)) << each;
    }
    EXPECT_GT(found, 0U) << what;
  }

 private:
  /// Of "12.5 us".
  static double seconds_of(const std::string& text) {
    const std::map<std::string, double> units{
        {"ps", 1e-12}, {"ns", 1e-9}, {"us", 1e-6}, {"ms", 1e-3}, {"s", 1}};
    std::size_t end = 0;
    const double number = std::stod(text, &end);
    return number * units.at(text.substr(end + 1));
  }

  json measured_;
};

void expect_close(double seconds, double expected) {
  EXPECT_NEAR(seconds, expected, 0.02 * expected);
}

constexpr double kBytes = 64 << 20;
constexpr const char* kSize = "64 MiB";

/// Times by events: those of the virtual GPUs.
void expect_times_of_copies(const Probe& probe) {
  const double to_gpu = fake::kCopyLatency + kBytes / fake::kToGpuRate;
  const double to_host = fake::kCopyLatency + kBytes / fake::kToHostRate;
  for (const char* gpu : {"gpu0", "gpu1"}) {
    expect_close(probe.copy_seconds({{"pinned", gpu}}, kSize), to_gpu);
    expect_close(probe.copy_seconds({{gpu, "pinned"}}, kSize), to_host);
    expect_close(probe.copy_seconds({{"pinned", gpu}, {gpu, "pinned"}}, kSize), to_host);
  }
  expect_close(probe.copy_seconds({{"gpu0", "gpu1"}}, kSize),
               fake::kCopyLatency + kBytes / fake::kPeerRate);
}

/// Those by the host's clock may take longer, on a busy machine.
void expect_least_times(const Probe& probe) {
  EXPECT_GE(probe.copy_seconds({{"pageable", "gpu0"}}, "16 MiB"),
            0.98 * kBytes / 4 / fake::kPageableRate);
  EXPECT_GE(probe.copy_seconds({{"pinned", "gpu0"}, {"pinned", "gpu1"}}, kSize),
            0.98 * kBytes / fake::kToGpuRate);
  EXPECT_GE(probe.copy_seconds({{"gpu0", "gpu1"}, {"gpu1", "gpu0"}}, kSize),
            0.98 * kBytes / fake::kPeerRate);
  EXPECT_GE(probe.seconds({{"what", "launch"}, {"waits", true}}), 0.98 * fake::kLaunch);
  EXPECT_GE(probe.seconds({{"what", "collective"}, {"size", "256 MiB"}}),
            0.98 * (4 * kBytes / fake::kCollectiveRate + fake::kCollectiveLatency));
}

void expect_times_of_kernels(const Probe& probe) {
  constexpr double kGiB = 1 << 30;
  constexpr double kFlops = 2.0 * 4096 * 4096 * 4096;
  expect_close(probe.seconds({{"what", "launch"}, {"waits", nullptr}}), fake::kLaunch);
  expect_close(probe.seconds({{"what", "memory"}, {"size", "1 GiB"}}),
               fake::kLaunch + 2 * kGiB / fake::kMemoryRate);
  const auto product = [&](const char* precision) {
    return probe.seconds({{"what", "product"}, {"precision", precision}, {"n", 4096}});
  };
  expect_close(product("fp32"), kFlops / fake::kFp32Rate);
  expect_close(product("tf32"), kFlops / fake::kTf32Rate);
  expect_close(product("fp16"), kFlops / fake::kFp16Rate);
  expect_close(product("bf16"), kFlops / fake::kBf16Rate);
  expect_close(product("fp8"), kFlops / fake::kFp8Rate);
  for (const json network : {"transformer", "cnn"}) {
    const calibration::TrainingStep step{0, network, "bf16", network == "cnn" ? 64 : 4};
    EXPECT_GE(probe.seconds({{"what", "training_step"}, {"network", network}}),
              calibration::flops_of_step(step) / fake::kBf16Rate);
  }
}

TEST(CudaProbe, MeasuresAMachineOfFakeLibraries) {
  const test::Scratch scratch;
  const Probe probe(scratch, VGSIM_FAKES);
  EXPECT_EQ(probe.left_out(), json::array());
  expect_times_of_copies(probe);
  expect_times_of_kernels(probe);
  expect_least_times(probe);
}

TEST(CudaProbe, ReportsTheMachine) {
  const test::Scratch scratch;
  const Probe probe(scratch, VGSIM_FAKES);
  const json& machine = probe.machine();
  ASSERT_EQ(machine["gpus"].size(), 2U);
  EXPECT_EQ(machine["gpus"][1]["name"], fake::kGpuName);
  EXPECT_EQ(machine["gpus"][1]["pci_address"], "f000:a1:00.0");
  EXPECT_EQ(machine["gpus"][1]["compute_capability"], "9.0");
  EXPECT_EQ(machine["gpus"][1]["memory"], "80 GiB");
  EXPECT_EQ(machine["gpus"][1]["multiprocessors"], fake::kMultiprocessors);
  EXPECT_EQ(machine["gpus"][1]["clock_mhz"], 1980);
  EXPECT_EQ(machine["gpus"][1]["virtualization"], "passthrough");
  EXPECT_EQ(machine["driver"], fake::kDriverVersion);
  EXPECT_EQ(machine["cuda"], "13.0");
  EXPECT_EQ(machine["nccl"], fake::kNcclVersion);
  EXPECT_THAT(machine["nccl_topology"].get<std::string>(), HasSubstr(fake::kTopologyMark));
}

TEST(CudaProbe, MeasuresCopiesAndLaunchesWithTheDriverAlone) {
  const test::Scratch scratch;
  const std::string fakes = VGSIM_FAKES;
  std::filesystem::create_symlink(fakes + "/libcuda.so.1", scratch.file("libcuda.so.1"));
  for (const char* name :
       {"libcublasLt.so.13", "libcudnn.so.9", "libnccl.so.2", "libnvidia-ml.so.1"}) {
    std::filesystem::create_symlink(fakes + "/libempty.so.0", scratch.file(name));
  }
  const Probe probe(scratch, scratch.file(""));
  expect_times_of_copies(probe);
  expect_close(probe.seconds({{"what", "launch"}, {"waits", nullptr}}), fake::kLaunch);
  EXPECT_EQ(probe.count("product") + probe.count("training_step") + probe.count("collective"), 0U);
  probe.expect_left_out("product", "libcublasLt.so.13");
  probe.expect_left_out("training step of a transformer", "libcublasLt.so.13");
  probe.expect_left_out("training step of a cnn", "libcublasLt.so.13");
  probe.expect_left_out("all_reduce", "libnccl.so.2");
  EXPECT_FALSE(probe.machine().contains("nccl"));
  EXPECT_FALSE(probe.machine().contains("nccl_topology"));
}

TEST(CudaProbe, LeavesOutWhatTheMemoryIsTooSmallFor) {
  const test::Scratch scratch;
  setenv("VGSIM_FAKE_REFUSE", "300000000", 1);
  const Probe probe(scratch, VGSIM_FAKES);
  unsetenv("VGSIM_FAKE_REFUSE");
  probe.expect_left_out("memory of gpu0", "cuMemAlloc: CUDA_ERROR_OUT_OF_MEMORY");
  probe.expect_left_out("training step of a transformer", "CUDA_ERROR_OUT_OF_MEMORY");
  EXPECT_EQ(probe.left_out().size(), 2U) << probe.left_out();
  expect_times_of_copies(probe);
  EXPECT_GT(probe.count("collective"), 0U);
}

}  // namespace cuda_probe_test
}  // namespace vgsim
