#include <dlfcn.h>
#include <fmt/format.h>

#include <cstdlib>

#include "tools/cli/doctor/check.hpp"
#include "tools/probe/cuda/cuda_devices.hpp"

namespace vgsim::cli::doctor {
namespace {

constexpr const char* kOnlyProbe = "only vgsim probe needs it";

/// Loads a library as the probe does. It stays loaded: CUDA's libraries start threads.
void* load(const std::string& name) {
  std::vector<std::string> paths{name};
  if (const char* home = std::getenv("CUDA_HOME")) {
    paths.push_back(fmt::format("{}/lib64/{}", home, name));
  }
  paths.push_back("/usr/local/cuda/lib64/" + name);
  for (const std::string& path : paths) {
    void* library = dlopen(path.c_str(), RTLD_LAZY | RTLD_LOCAL | RTLD_NODELETE);
    if (library != nullptr) return library;
  }
  return nullptr;
}

/// The result of `int f(int* version)`, which both libraries have; 0 on failure.
int version_of(void* library, const char* function) {
  using Query = int (*)(int*);
  const auto query = reinterpret_cast<Query>(dlsym(library, function));
  int version = 0;
  return query != nullptr && query(&version) == 0 ? version : 0;
}

Check check_library(const char* subject, const std::string& name, const char* function,
                    std::string (*shown)(int)) {
  void* library = load(name);
  if (library == nullptr) {
    return {State::kNote, subject, name + " is not found", kOnlyProbe};
  }
  const int version = version_of(library, function);
  return {State::kOk, subject, version > 0 ? shown(version) : name + ", of unknown version", {}};
}

std::string cuda_version(int version) {
  return fmt::format("serves CUDA {}.{}", version / 1000, version % 1000 / 10);
}

/// 21806 is 2.18.6; versions up to 2.8 have fewer digits.
std::string nccl_version(int version) {
  const int major = version < 10000 ? 1000 : 10000;
  return fmt::format("{}.{}.{}", version / major, version % major / 100, version % 100);
}

Check check_devices() {
  try {
    const auto devices = probe::open_cuda_devices();
    return {State::kOk, "probe", "the GPUs of this machine can be measured", {}};
  } catch (const std::exception& error) {
    return {State::kNote, "probe", error.what(), kOnlyProbe};
  }
}

}  // namespace

std::vector<Check> check_gpus() {
  return {check_library("NVIDIA driver", "libcuda.so.1", "cuDriverGetVersion", &cuda_version),
          check_library("NCCL", "libnccl.so.2", "ncclGetVersion", &nccl_version), check_devices()};
}

}  // namespace vgsim::cli::doctor
