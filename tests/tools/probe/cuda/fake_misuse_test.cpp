// An empty log of the fake libraries means that nothing was used wrongly: they do see it.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>

#include "tests/tools/probe/cuda/fake_machine.hpp"
#include "tools/probe/cuda/device_memory.hpp"
#include "tools/probe/cuda/gpu.hpp"
#include "tools/probe/cuda/kernel_launch.hpp"
#include "tools/probe/cuda/libraries/driver_api.hpp"

namespace vgsim::probe::cuda {
namespace fake_misuse_test {

using test::FakeMachine;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr std::size_t kSize = 1024;

TEST(FakeMisuse, SeesCallsWithoutAContextOrWithAnotherOne) {
  const FakeMachine machine(2);
  CUdeviceptr at = 0;
  EXPECT_NE(driver().allocate(&at, kSize), CUDA_SUCCESS);
  EXPECT_THAT(machine.misuse(), HasSubstr("cuMemAlloc: no context is current"));
  Gpus gpus(2);
  const Stream stream(gpus.at(0));
  const Event event(gpus.at(1));
  EXPECT_NE(driver().stream_synchronize(stream.handle()), CUDA_SUCCESS);
  EXPECT_THAT(machine.misuse(), HasSubstr("a stream of GPU 0 while the context of GPU 1"));
  gpus.at(0)->make_current();
  EXPECT_NE(driver().event_record(event.handle(), stream.handle()), CUDA_SUCCESS);
  EXPECT_THAT(machine.misuse(), HasSubstr("cuEventRecord: an event and a stream of different"));
  EXPECT_NE(driver().context_release(0), CUDA_ERROR_INVALID_CONTEXT);
  EXPECT_EQ(driver().context_release(0), CUDA_ERROR_INVALID_CONTEXT);
  EXPECT_THAT(machine.misuse(), HasSubstr("the context is not retained"));
}

TEST(FakeMisuse, SeesMemoryThatIsNotThere) {
  const FakeMachine machine(2);
  Gpus gpus(2);
  const DeviceMemory other(gpus.at(1), kSize);
  const DeviceMemory memory(gpus.at(0), kSize);
  const Stream stream(gpus.at(0));
  std::array<char, 2 * kSize> host{};
  EXPECT_NE(driver().copy_to_gpu(memory.address(), host.data(), 2 * kSize, stream.handle()),
            CUDA_SUCCESS);
  EXPECT_THAT(machine.misuse(), HasSubstr("2048 bytes that are not memory of GPU 0"));
  fill_random(stream, memory.address(), Number::kFp32, kSize);
  EXPECT_THAT(machine.misuse(), HasSubstr("fill_fp32: 4096 bytes that are not within one"));
  fill_random(stream, other.address(), Number::kFp8, kSize);
  EXPECT_THAT(machine.misuse(), HasSubstr("fill_fp8: memory that GPU 0 does not reach"));
  CUdeviceptr freed = 0;
  EXPECT_EQ(driver().allocate(&freed, kSize), CUDA_SUCCESS);
  EXPECT_EQ(driver().free(freed), CUDA_SUCCESS);
  EXPECT_THAT(machine.misuse(), ::testing::Not(HasSubstr("cuMemFree")));
  EXPECT_NE(driver().free(freed), CUDA_SUCCESS);
  EXPECT_THAT(machine.misuse(), HasSubstr("cuMemFree: memory that is not allocated"));
}

TEST(FakeMisuse, SeesHandlesThatAreDestroyedAndWhatIsLeft) {
  const FakeMachine machine(1);
  CUstream stream = nullptr;
  {
    Gpus gpus(1);
    gpus.at(0)->make_current();
    EXPECT_EQ(driver().stream_create(&stream, CU_STREAM_NON_BLOCKING), CUDA_SUCCESS);
    EXPECT_EQ(driver().stream_destroy(stream), CUDA_SUCCESS);
    EXPECT_THAT(machine.misuse(), IsEmpty());
    EXPECT_NE(driver().stream_synchronize(stream), CUDA_SUCCESS);
    EXPECT_THAT(machine.misuse(), HasSubstr("cuStreamSynchronize: a stream that does not exist"));
    CUdeviceptr at = 0;
    EXPECT_EQ(driver().allocate(&at, kSize), CUDA_SUCCESS);
    EXPECT_EQ(driver().stream_create(&stream, CU_STREAM_NON_BLOCKING), CUDA_SUCCESS);
  }
  EXPECT_THAT(machine.misuse(), HasSubstr("1024 bytes of memory left"));
  EXPECT_THAT(machine.misuse(), HasSubstr("1 x stream left"));
}

TEST(FakeMisuse, SeesLaunchesOfAnotherGpuOrOfTooManyThreads) {
  const FakeMachine machine(2);
  Gpus gpus(2);
  const Stream stream(gpus.at(0));
  const CUfunction kernel = gpus.at(1)->kernel("nothing");
  gpus.at(0)->make_current();
  EXPECT_ANY_THROW(launch(stream, kernel, {}, {}));
  EXPECT_THAT(machine.misuse(), HasSubstr("nothing: a kernel of GPU 1 in a stream of GPU 0"));
  EXPECT_ANY_THROW(launch(stream, gpus.at(0)->kernel("nothing"), {}, {2048}));
  EXPECT_THAT(machine.misuse(), HasSubstr("blocks of 2048 x 1 threads"));
  EXPECT_ANY_THROW(static_cast<void>(gpus.at(0)->kernel("no_such_kernel")));
}

}  // namespace fake_misuse_test
}  // namespace vgsim::probe::cuda
