#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "models/calibration/probe_networks.hpp"
#include "tests/tools/probe/cuda/fake_machine.hpp"
#include "tests/tools/probe/cuda/fake_truth.hpp"
#include "tools/probe/cuda/facts/hypervisor.hpp"
#include "tools/probe/cuda/facts/processor.hpp"

namespace vgsim {
namespace cuda_works_test {

using calibration::CollectiveCall;
using calibration::Copies;
using calibration::Place;
using calibration::Product;
using calibration::Route;
using calibration::TrainingStep;
using probe::DeviceError;
using test::FakeMachine;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

constexpr Bytes kSize{64 << 20};
constexpr double kBytes = 64 << 20;

Place gpu(std::size_t index) { return {Place::Kind::kGpu, index, {}}; }
Place pinned() { return {Place::Kind::kPinned, 0, {}}; }

void expect_close(double seconds, double expected) {
  EXPECT_NEAR(seconds, expected, 0.02 * expected);
}

TEST(CudaWorks, CopiesBetweenGpusGoThroughTheHostWithoutPeerAccess) {
  FakeMachine machine(2);
  const auto copy = [&](bool peer_access) {
    return machine.seconds(Copies{{{gpu(0), gpu(1)}}, kSize, false, peer_access});
  };
  expect_close(copy(true), fake::kCopyLatency + kBytes / fake::kPeerRate);
  expect_close(copy(false), fake::kCopyLatency + kBytes / fake::kStagedRate);
  expect_close(copy(true), fake::kCopyLatency + kBytes / fake::kPeerRate);
  machine.close();
  EXPECT_EQ(machine.misuse(), "");
}

TEST(CudaWorks, KernelsCopyFromWhereTheyReach) {
  FakeMachine machine(2);
  const auto copy = [&](const Route& route) {
    return machine.seconds(Copies{{route}, kSize, true, true});
  };
  expect_close(copy({gpu(0), gpu(1)}), fake::kLaunch + kBytes / fake::kPeerRate);
  expect_close(copy({pinned(), gpu(1)}), fake::kLaunch + kBytes / fake::kToGpuRate);
  expect_close(copy({gpu(1), pinned()}), fake::kLaunch + kBytes / fake::kToHostRate);
  expect_close(copy({gpu(1), gpu(1)}), fake::kLaunch + 2 * kBytes / fake::kMemoryRate);
  machine.close();
  EXPECT_EQ(machine.misuse(), "");
}

TEST(CudaWorks, CopiesWithinAGpuAndOfSingleBytesWork) {
  FakeMachine machine(1);
  expect_close(machine.seconds(Copies{{{gpu(0), gpu(0)}}, kSize}),
               fake::kCopyLatency + 2 * kBytes / fake::kMemoryRate);
  expect_close(machine.seconds(Copies{{{pinned(), gpu(0)}}, Bytes{1}}), fake::kCopyLatency);
  expect_close(machine.seconds(Copies{{{gpu(0), pinned()}}, Bytes{0}, true}), fake::kLaunch);
  machine.close();
  EXPECT_EQ(machine.misuse(), "");
}

TEST(CudaWorks, MemoryOfANumaNodeIsPinned) {
  FakeMachine machine(1);
  const Place memory{Place::Kind::kPinned, 0, 0};
  try {
    expect_close(machine.seconds(Copies{{{memory, gpu(0)}}, kSize}),
                 fake::kCopyLatency + kBytes / fake::kToGpuRate);
    expect_close(machine.seconds(Copies{{{gpu(0), memory}}, kSize, true}),
                 fake::kLaunch + kBytes / fake::kToHostRate);
  } catch (const DeviceError& error) {
    EXPECT_THAT(error.what(), HasSubstr("mbind"));
    GTEST_SKIP() << error.what();
  }
  machine.close();
  EXPECT_EQ(machine.misuse(), "");
}

TEST(CudaWorks, ProductsOfAnyShapeTakeTheirOperations) {
  FakeMachine machine(1);
  const auto product = [&](const std::string& precision, double rate) {
    expect_close(machine.seconds(Product{0, precision, 1024, 2048, 4096}),
                 2.0 * 1024 * 2048 * 4096 / rate);
  };
  product("fp32", fake::kFp32Rate);
  product("tf32", fake::kTf32Rate);
  product("fp16", fake::kFp16Rate);
  product("bf16", fake::kBf16Rate);
  product("fp8", fake::kFp8Rate);
  machine.close();
  EXPECT_EQ(machine.misuse(), "");
}

/// Beyond its products and convolutions a step has some hundred short kernels.
void expect_step(FakeMachine& machine, const char* network, const char* precision, double rate) {
  const TrainingStep step{0, network, precision, 8};
  const double products = calibration::flops_of_step(step) / rate;
  const double others = machine.seconds(step) - products;
  EXPECT_GT(others, 30 * fake::kOtherKernel) << network << ", " << precision;
  EXPECT_LT(others, 300 * fake::kOtherKernel) << network << ", " << precision;
}

TEST(CudaWorks, TrainingStepsHaveTheOperationsThatTheModelsCount) {
  FakeMachine machine(1);
  for (const char* network : {"transformer", "cnn"}) {
    expect_step(machine, network, "fp32", fake::kFp32Rate);
    expect_step(machine, network, "tf32", fake::kTf32Rate);
    expect_step(machine, network, "fp16", fake::kFp16Rate);
    expect_step(machine, network, "bf16", fake::kBf16Rate);
  }
  machine.close();
  EXPECT_EQ(machine.misuse(), "");
}

// On an H100 the host took 4 to 6 ms to queue a step of convolutions that the GPU computes in less
// than 3. What is measured is the GPU's time, whatever the host takes to queue a kernel.
TEST(CudaWorks, TrainingStepsDoNotWaitForASlowHost) {
  setenv("VGSIM_FAKE_HOST_US", "200", 1);
  FakeMachine machine(1);
  for (const char* network : {"transformer", "cnn"}) {
    const TrainingStep step{0, network, "bf16", 8};
    const double products = calibration::flops_of_step(step) / fake::kBf16Rate;
    // A step that waited would take the host's 200 us for each of its 30 kernels and more.
    EXPECT_LT(machine.seconds(step) - products, 300 * fake::kOtherKernel + 5e-3) << network;
  }
  machine.close();
  EXPECT_EQ(machine.misuse(), "");
}

// Guests of small hypervisors have no tables of a firmware, as one with an H100 had none.
TEST(CudaFacts, HypervisorsAreKnownByTheProcessorToo) {
  using probe::cuda::hypervisor_signed;
  EXPECT_EQ(hypervisor_signed("VMwareVMware"), "VMware");
  EXPECT_EQ(hypervisor_signed(std::string("KVMKVMKVM\0\0\0", 12)), "KVM");
  EXPECT_EQ(hypervisor_signed("bhyve bhyve "), "bhyve bhyve ");
  EXPECT_EQ(hypervisor_signed(std::string(12, '\0')), "unknown");
  EXPECT_EQ(hypervisor_signed(std::string("\x01\x02\x03", 3)), "unknown");
  const std::string flags = " " + probe::cuda::processor_fact("flags") + " ";
  const bool is_guest = flags.find(" hypervisor ") != std::string::npos;
  EXPECT_EQ(probe::cuda::hypervisor().empty(), !is_guest);
}

TEST(CudaWorks, CollectivesRunOnAllRanks) {
  FakeMachine machine(3);
  const double least = fake::kCollectiveLatency + 0.99 * kBytes / fake::kCollectiveRate;
  for (const char* collective : {"all_reduce", "all_gather", "reduce_scatter", "broadcast",
                                 "reduce", "all_to_all", "send_recv"}) {
    const CollectiveCall call{collective, {0, 1, 2}, kSize, {}, {}};
    EXPECT_GE(machine.seconds(call), least) << collective;
  }
  machine.close();
  EXPECT_EQ(machine.misuse(), "");
}

TEST(CudaWorks, CollectivesUseTheGivenAlgorithmAndProtocol) {
  FakeMachine machine(2);
  setenv("NCCL_PROTO", "Simple", 1);
  const CollectiveCall call{"all_reduce", {1, 0}, kSize, "Tree", "LL"};
  EXPECT_GE(machine.seconds(call), kBytes / fake::kLlRate);
  EXPECT_STREQ(std::getenv("NCCL_PROTO"), "Simple");
  EXPECT_EQ(std::getenv("NCCL_ALGO"), nullptr);
  machine.close();
  EXPECT_EQ(machine.misuse(), "");
}

TEST(CudaWorks, OneRankOfSeveralProcessesRunsItsPart) {
  FakeMachine machine(2);
  const CollectiveCall call{"all_to_all", {0, 1, 2}, kSize, {}, {}, 3};
  const auto prepare = [&](const std::string& id) {
    return machine.devices().prepare_rank(call, {id, 2, 1});
  };
  EXPECT_THROW(static_cast<void>(prepare("short")), DeviceError);
  EXPECT_GE(prepare(machine.devices().new_call_id())->seconds(1),
            0.99 * kBytes / fake::kCollectiveRate);
  machine.close();
  EXPECT_EQ(machine.misuse(), "");
}

TEST(CudaWorks, CollectivesAndCopiesWithoutPeerAccessDoNotMeet) {
  FakeMachine machine(2);
  const CollectiveCall call{"all_reduce", {0, 1}, kSize, {}, {}};
  EXPECT_GT(machine.seconds(call), 0);
  EXPECT_GT(machine.seconds(Copies{{{gpu(0), gpu(1)}}, kSize, false, false}), 0);
  EXPECT_GT(machine.seconds(call), 0);
  machine.close();
  EXPECT_EQ(machine.misuse(), "");
}

TEST(CudaWorks, RefusesWhatIsNoWork) {
  FakeMachine machine(2);
  const auto refusal_of = [&](const calibration::DeviceWork& work) {
    return [&machine, work] { static_cast<void>(machine.seconds(work)); };
  };
  const auto throws = [](const char* reason) {
    return ThrowsMessage<DeviceError>(HasSubstr(reason));
  };
  EXPECT_THAT(refusal_of(Copies{{{pinned(), pinned()}}, kSize}), throws("GPU"));
  EXPECT_THAT(refusal_of(Copies{{{gpu(0), gpu(2)}}, kSize}), throws("there is no GPU 2"));
  EXPECT_THAT(refusal_of(Copies{{{gpu(0), gpu(1)}}, kSize, true, false}), throws("peer access"));
  EXPECT_THAT(refusal_of(Copies{{{gpu(0), pinned()}}, Bytes{-1}}), throws("below 0"));
  EXPECT_THAT(refusal_of(Product{0, "fp4", 1, 1, 1}), throws("fp4"));
  EXPECT_THAT(refusal_of(Product{0, "fp32", 1, 0, 1}), throws("without elements"));
  EXPECT_THAT(refusal_of(TrainingStep{0, "rnn", "fp32", 1}), throws("rnn"));
  EXPECT_THAT(refusal_of(TrainingStep{0, "cnn", "fp8", 1}), throws("fp8"));
  EXPECT_THAT(refusal_of(TrainingStep{0, "cnn", "fp32", 0}), throws("samples"));
  EXPECT_THAT(refusal_of(CollectiveCall{"all_reduce", {}, kSize, {}, {}}), throws("without a GPU"));
  EXPECT_THAT(refusal_of(CollectiveCall{"all_reduce", {0, 1}, Bytes{4}, {}, {}}),
              throws("less than a number"));
  EXPECT_THAT(refusal_of(CollectiveCall{"gossip", {0, 1}, kSize, {}, {}}), throws("gossip"));
  machine.close();
  EXPECT_EQ(machine.misuse(), "");
}

}  // namespace cuda_works_test
}  // namespace vgsim
