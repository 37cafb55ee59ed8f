// The driver's modules of kernels, and launches.

#include <cstring>
#include <optional>
#include <sstream>

#include "tests/tools/probe/cuda/fake_kernels.hpp"
#include "tests/tools/probe/cuda/fake_state.hpp"

using namespace vgsim::fake;

namespace {

std::size_t size_of_type(const std::string& type) {
  return type.find("64") != std::string::npos ? 8 : 4;
}

/// The sizes of the parameters of ".entry NAME(", which has a line for each.
std::optional<std::vector<std::size_t>> parameters_of(const std::string& ptx,
                                                      const std::string& name) {
  const std::string mark = ".entry " + name + "(";
  const std::size_t begin = ptx.find(mark);
  if (begin == std::string::npos) return std::nullopt;
  const std::size_t inside = begin + mark.size();
  std::istringstream words(ptx.substr(inside, ptx.find(')', inside) - inside));
  std::vector<std::size_t> sizes;
  for (std::string word; words >> word;) {
    if (word == ".param" && words >> word) sizes.push_back(size_of_type(word));
  }
  return sizes;
}

/// Bytes of an element of a network's tensors, by the names in its kernels.
std::size_t element_of(const std::string& ptx) {
  const bool half = ptx.find("6__half") != std::string::npos;
  return half || ptx.find("13__nv_bfloat16") != std::string::npos ? 2 : 4;
}

bool fits(const KernelLaunch& launch, unsigned grid_z, unsigned block_z) {
  constexpr unsigned kMostX = 0x7fffffff;
  constexpr unsigned kMostYZ = 65535;
  constexpr unsigned kMostThreads = 1024;
  const auto within = [](unsigned value, unsigned most) { return value >= 1 && value <= most; };
  return within(launch.grid_x, kMostX) && within(launch.grid_y, kMostYZ) &&
         within(grid_z, kMostYZ) && within(block_z, 64) && launch.block_x >= 1 &&
         launch.block_y >= 1 && launch.block_x * launch.block_y * block_z <= kMostThreads;
}

}  // namespace

CUresult cuModuleLoadData(CUmodule* module, const void* image) {
  const Context* const context = needed_context("cuModuleLoadData");
  if (context == nullptr) return CUDA_ERROR_INVALID_CONTEXT;
  const std::string ptx = static_cast<const char*>(image);
  if (ptx.find(".version") == std::string::npos) return CUDA_ERROR_INVALID_PTX;
  *module = machine().modules.make({context, ptx, {}});
  return CUDA_SUCCESS;
}

CUresult cuModuleUnload(CUmodule handle) {
  const Context* const context = needed_context("cuModuleUnload");
  const Module* const module = machine().modules.find("cuModuleUnload", handle);
  if (context == nullptr || module == nullptr) return CUDA_ERROR_INVALID_HANDLE;
  if (module->context != context) misuse("cuModuleUnload: the context of another GPU is current");
  for (const auto& [name, function] : module->functions) machine().functions.destroy(function);
  machine().modules.destroy(handle);
  return CUDA_SUCCESS;
}

CUresult cuModuleGetFunction(CUfunction* function, CUmodule handle, const char* name) {
  Module* const module = machine().modules.find("cuModuleGetFunction", handle);
  if (module == nullptr) return CUDA_ERROR_INVALID_HANDLE;
  const auto known = module->functions.find(name);
  if (known != module->functions.end()) {
    *function = known->second;
    return CUDA_SUCCESS;
  }
  const auto parameters = parameters_of(module->ptx, name);
  if (!parameters) return CUDA_ERROR_NOT_FOUND;
  *function =
      machine().functions.make({module->context, name, *parameters, element_of(module->ptx)});
  module->functions[name] = *function;
  return CUDA_SUCCESS;
}

CUresult cuLaunchKernel(CUfunction handle, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                        unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared,
                        CUstream stream_handle, void** arguments, void** extra) {
  const Function* const function = machine().functions.find("cuLaunchKernel", handle);
  Stream* const stream = needed_stream("cuLaunchKernel", stream_handle);
  if (function == nullptr || stream == nullptr) return CUDA_ERROR_INVALID_HANDLE;
  const char* const name = function->name.c_str();
  if (function->context != stream->context) {
    misuse(fmt::format("{}: a kernel of GPU {} in a stream of GPU {}", name, function->context->gpu,
                       stream->context->gpu));
    return CUDA_ERROR_INVALID_HANDLE;
  }
  const KernelLaunch launch{*function, grid_x, grid_y, block_x, block_y, arguments};
  if (!fits(launch, grid_z, block_z) || shared != 0 || extra != nullptr) {
    misuse(fmt::format("{}: {} x {} blocks of {} x {} threads", name, grid_x, grid_y, block_x,
                       block_y));
    return CUDA_ERROR_INVALID_VALUE;
  }
  for (const Use& use : uses_of(launch)) {
    check_range(name, stream->context->gpu, use.at, use.size);
    if (reinterpret_cast<std::uintptr_t>(use.at) % 16 != 0) {
      misuse(fmt::format("{}: an address that is not a multiple of 16", name));
    }
  }
  enqueue(*stream, duration_of(launch, *stream->context));
  return CUDA_SUCCESS;
}
