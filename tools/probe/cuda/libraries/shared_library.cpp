#include "tools/probe/cuda/libraries/shared_library.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>

#include "tools/probe/device_layer.hpp"

namespace vgsim::probe::cuda {
namespace {

/// Folders to search; the empty one is the system's own search.
std::vector<std::filesystem::path> folders() {
  std::vector<std::filesystem::path> paths{""};
  if (const char* home = std::getenv("CUDA_HOME")) {
    paths.push_back(std::filesystem::path(home) / "lib64");
  }
  paths.emplace_back("/usr/local/cuda/lib64");
  if (std::string_view(VGSIM_CUDA_LIBRARY_DIR) != "") paths.emplace_back(VGSIM_CUDA_LIBRARY_DIR);
  return paths;
}

}  // namespace

// CUDA's libraries start threads and register exit handlers, so they stay loaded after the last
// handle is closed.
SharedLibrary::SharedLibrary(std::vector<std::string> names) {
  std::string broken;
  for (const auto& folder : folders()) {
    for (const auto& name : names) {
      const std::string path = folder / name;
      library_.reset(dlopen(path.c_str(), RTLD_LAZY | RTLD_LOCAL | RTLD_NODELETE));
      if (library_) {
        name_ = name;
        return;
      }
      const char* error = dlerror();
      const std::string reason = error == nullptr ? "" : error;
      const bool absent = reason.rfind(path + ": cannot open shared object file", 0) == 0;
      if (!absent && broken.empty()) broken = reason;
    }
  }
  const std::string wanted = fmt::format("{}", fmt::join(names, " or "));
  throw DeviceError(broken.empty() ? wanted + " is not found"
                                   : fmt::format("{} cannot be loaded: {}", wanted, broken));
}

void* SharedLibrary::symbol(const char* name) const {
  void* address = dlsym(library_.get(), name);
  if (address == nullptr) throw DeviceError(fmt::format("{} lacks {}", name_, name));
  return address;
}

void SharedLibrary::Close::operator()(void* library) const { dlclose(library); }

}  // namespace vgsim::probe::cuda
