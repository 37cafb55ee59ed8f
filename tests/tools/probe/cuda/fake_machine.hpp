#pragma once

#include <dlfcn.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <memory>
#include <string>

#include "tests/tools/program.hpp"
#include "tools/probe/cuda/cuda_devices.hpp"

namespace vgsim::test {

/// The GPUs of the fake libraries in this process, once for each process. A library that is loaded
/// already is found by its name alone, ahead of one that the system has.
class FakeMachine {
 public:
  explicit FakeMachine(int gpus) {
    setenv("VGSIM_FAKE_GPUS", std::to_string(gpus).c_str(), 1);
    setenv("VGSIM_FAKE_LOG", scratch_.file("misuse").c_str(), 1);
    for (const char* name : {"libcuda.so.1", "libcublasLt.so.13", "libcudnn.so.9", "libnccl.so.2",
                             "libnvidia-ml.so.1"}) {
      const std::string path = std::string(VGSIM_FAKES) + "/" + name;
      if (dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL) == nullptr) {
        throw std::runtime_error(dlerror());
      }
    }
    devices_ = probe::open_cuda_devices();
  }
  ~FakeMachine() {
    close();
    unsetenv("VGSIM_FAKE_LOG");
  }
  FakeMachine(const FakeMachine&) = delete;
  FakeMachine& operator=(const FakeMachine&) = delete;

  [[nodiscard]] probe::DeviceLayer& devices() { return *devices_; }

  /// Seconds of one repetition, from a few in a row.
  [[nodiscard]] double seconds(const calibration::DeviceWork& work) {
    constexpr std::size_t kRepeats = 3;
    return devices_->prepare(work)->seconds(kRepeats) / static_cast<double>(kRepeats);
  }

  /// Frees the GPUs, which is logged as well.
  void close() { devices_.reset(); }

  [[nodiscard]] std::string misuse() const { return read_file(scratch_.file("misuse")); }

 private:
  Scratch scratch_;
  std::unique_ptr<probe::DeviceLayer> devices_;
};

}  // namespace vgsim::test
