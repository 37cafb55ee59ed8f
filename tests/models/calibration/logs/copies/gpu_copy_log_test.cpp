#include "models/calibration/logs/copies/gpu_copy_log.hpp"

#include <fmt/core.h>
#include <gmock/gmock.h>

#include <algorithm>

#include "tests/models/calibration/logs/log_reading.hpp"
#include "tests/models/calibration/logs/log_samples.hpp"
#include "tests/support/extra.hpp"

namespace vgsim::calibration {
namespace gpu_copy_log_test {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

ReadLog read(const std::string& text) { return read_log(&read_gpu_copy_log, text); }

/// "pinned.numa0>gpu1 gpu1>pinned.numa0 kernel 256 MiB at 13.00 GB/s": the rate of each copy.
std::vector<std::string> show(const Measurement& measurement) {
  std::vector<std::string> all;
  for (const Measured& measured : measurement.results) {
    const auto& copies = std::get<Copies>(measured.work);
    std::string text;
    for (const Route& route : copies.routes) {
      text += fmt::format("{}>{} ", to_string(route.from), to_string(route.to));
    }
    const double size = static_cast<double>(copies.size.count());
    all.push_back(text +
                  fmt::format("{} {} MiB at {:.2f} GB/s", copies.by_kernel ? "kernel" : "engine",
                              copies.size.count() >> 20, size / measured.timing.median_s / 1e9));
  }
  return all;
}

TEST(GpuCopyLog, ANameTellsWhereCopiesGoAndWhoMakesThem) {
  const ReadLog result = read(R"(cpu_to_gpu0_by_dma_under_numa0 26.5
gpu1_to_cpu_by_sm_under_numa1 5.25
gpu0_to_gpu1_write_by_dma 280
gpu0_to_gpu1_read_by_sm 260.5
cpu_and_gpu0_by_dma_under_numa0 50
gpu1_and_gpu0_write_by_sm 440
)");
  ASSERT_EQ(result.errors, "");
  EXPECT_THAT(show(result.measurement),
              ElementsAre("pinned.numa0>gpu0 engine 256 MiB at 26.50 GB/s",
                          "gpu1>pinned.numa1 kernel 256 MiB at 5.25 GB/s",
                          "gpu0>gpu1 engine 256 MiB at 280.00 GB/s",
                          "gpu0>gpu1 kernel 256 MiB at 260.50 GB/s",
                          "pinned.numa0>gpu0 gpu0>pinned.numa0 engine 256 MiB at 25.00 GB/s",
                          "gpu1>gpu0 gpu0>gpu1 kernel 256 MiB at 220.00 GB/s"));
  EXPECT_THAT(result.measurement.left_out, IsEmpty());
  EXPECT_THAT(result.measurement.machine.gpus, SizeIs(2));
  EXPECT_EQ(result.measurement.tool, "gpu_copy");
}

TEST(GpuCopyLog, EarlyReleasesTellBothWaysAtTheEnd) {
  const ReadLog result = read(R"(cpu_to_gpu0_by_dma_under_numa0_uni 26.5
cpu_to_gpu0_by_dma_under_numa0_bi 36
gpu0_to_gpu0_by_sm_under_numa0_uni 650
gpu1_to_gpu0_read_by_dma_under_numa1_bi 520
)");
  EXPECT_THAT(show(result.measurement),
              ElementsAre("pinned.numa0>gpu0 engine 64 MiB at 26.50 GB/s",
                          "pinned.numa0>gpu0 gpu0>pinned.numa0 engine 64 MiB at 18.00 GB/s",
                          "gpu0>gpu0 kernel 64 MiB at 650.00 GB/s",
                          "gpu1>gpu0 gpu0>gpu1 engine 64 MiB at 260.00 GB/s"));
}

TEST(GpuCopyLog, ACommandLineTellsTheSize) {
  const ReadLog result = read(
      "+ /opt/superbench/bin/gpu_copy --size 1073741824 --num_loops 100 --dtod --dma_copy\n"
      "gpu0_to_gpu1_write_by_dma 280\n");
  EXPECT_THAT(show(result.measurement), ElementsAre("gpu0>gpu1 engine 1024 MiB at 280.00 GB/s"));
}

TEST(GpuCopyLog, WhatARateCountsMustBeKnown) {
  const ReadLog result = read(
      "gpu0_to_gpu1_write_by_sm 258\ngpu0_to_gpu0_by_sm 682.5\ngpu1_to_gpu1_by_dma 650\n"
      "gpu_all_to_gpu_all_write_by_sm 55.5\n");
  EXPECT_THAT(result.measurement.results, SizeIs(1));
  EXPECT_THAT(result.measurement.left_out,
              ElementsAre(left_out("1 lines of gpu_all", "the same time"),
                          left_out("2 lines of copies within a GPU", "reading and writing")));
}

TEST(GpuCopyLog, WhatCannotBeIsLeftOut) {
  for (const char* rate : {"0", "-5", "nan", "1e9", "fast"}) {
    const ReadLog result =
        read(std::string("gpu0_to_gpu1_write_by_sm 258\ngpu0_to_cpu_by_sm ") + rate + "\n");
    EXPECT_THAT(result.measurement.left_out,
                ElementsAre(left_out("gpu0_to_cpu_by_sm (line 2)", "")))
        << rate;
  }
  for (const char* name : {"cpu_to_cpu_by_sm", "gpu0_to_gpu9999_by_sm", "gpu0_gpu1_by_sm",
                           "gpu0_to_gpu1_by_hand", "gpu0_to_gpu1_by_sm_under_numax", "_by_sm"}) {
    EXPECT_THAT(read(std::string(name) + " 5\n").errors, HasSubstr("E621")) << name;
    EXPECT_FALSE(is_gpu_copy_log(std::string(name) + " 5\n")) << name;
  }
}

TEST(GpuCopyLog, ANumberThatIsCutCountsNot) {
  EXPECT_THAT(read("gpu0_to_cpu_by_sm 5.5\ngpu0_to_gpu1_write_by_sm 25").measurement.left_out,
              ElementsAre(left_out("write_by_sm (line 2)", "truncated")));
}

TEST(GpuCopyLog, PrefixesChangeNothing) {
  const std::string text = "gpu0_to_gpu1_write_by_sm 258.5\n";
  for (const char* prefix : {"[1,0]<stdout>:", "0: ", "  "}) {
    EXPECT_THAT(read(prefixed(text, prefix)).measurement.results, SizeIs(1)) << prefix;
    EXPECT_TRUE(is_gpu_copy_log(prefixed(text, prefix))) << prefix;
  }
}

using ExtraGpuCopyLog = test::NeedsExtraFiles;

TEST_F(ExtraGpuCopyLog, TheSampleHoldsWhatIsInIt) {
  const std::string text = sample_text(sample_folder("p2p") / "superbench-gpu_copy_bw.log");
  EXPECT_TRUE(is_gpu_copy_log(text));
  const ReadLog result = read(text);
  ASSERT_EQ(result.errors, "");
  // 57 lines: 8 inside a GPU and 5 of gpu_all are skipped.
  EXPECT_THAT(result.measurement.results, SizeIs(44));
  EXPECT_THAT(result.measurement.left_out, SizeIs(2));
  EXPECT_THAT(show(result.measurement), Contains("gpu1>gpu0 engine 256 MiB at 278.31 GB/s"));
  EXPECT_THAT(show(result.measurement),
              Contains("pinned.numa1>gpu1 gpu1>pinned.numa1 engine 256 MiB at 24.68 GB/s"));
}

}  // namespace gpu_copy_log_test
}  // namespace vgsim::calibration
