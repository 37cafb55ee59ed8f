// The driver's management library, NVML.

#include <algorithm>
#include <cstdio>
#include <string>

#include "tests/tools/probe/cuda/fake_device.hpp"
#include "tests/tools/probe/cuda/fake_truth.hpp"

namespace {

/// Reports objects that were not destroyed.
struct Library {
  ~Library() {
    if (users != 0) vgsim::fake::misuse("NVML: nvmlInit_v2 without nvmlShutdown");
  }
  int users = 0;
};

Library library;

}  // namespace

extern "C" {

using nvmlDevice_t = struct nvmlDevice_st*;

int nvmlInit_v2() {
  ++library.users;
  return 0;
}

int nvmlShutdown() {
  --library.users;
  return 0;
}

int nvmlSystemGetDriverVersion(char* version, unsigned length) {
  if (library.users < 1) vgsim::fake::misuse("nvmlSystemGetDriverVersion: not initialized");
  std::snprintf(version, length, "%s", vgsim::fake::kDriverVersion);
  return 0;
}

int nvmlDeviceGetHandleByPciBusId_v2(const char* address, nvmlDevice_t* device) {
  static char handle = 0;
  constexpr int kNotFound = 6;
  *device = reinterpret_cast<nvmlDevice_t>(&handle);
  return std::string(address).rfind("f000:a", 0) == 0 ? 0 : kNotFound;
}

int nvmlDeviceGetVirtualizationMode(nvmlDevice_t, int* mode) {
  *mode = 1;
  return 0;
}

}  // extern "C"
