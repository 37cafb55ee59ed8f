#include "tools/probe/cuda/facts/nccl_facts.hpp"

#include <fmt/format.h>
#include <stdlib.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <string>
#include <vector>

#include "tools/probe/cuda/communicator.hpp"
#include "tools/probe/cuda/environment_variable.hpp"
#include "tools/probe/cuda/libraries/nccl_api.hpp"
#include "tools/probe/cuda/text_file.hpp"
#include "tools/probe/device_layer.hpp"

namespace vgsim::probe::cuda {
namespace {

/// An empty file that is removed with this object.
class TemporaryFile {
 public:
  /// Throws DeviceError.
  TemporaryFile();
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  ~TemporaryFile();

  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] std::string content() const;

 private:
  std::string path_;
};

TemporaryFile::TemporaryFile() {
  std::error_code unknown;
  std::filesystem::path folder = std::filesystem::temp_directory_path(unknown);
  if (unknown) folder = "/tmp";
  path_ = folder / "vgsim-XXXXXX";
  const int file = mkstemp(path_.data());
  if (file < 0) throw DeviceError(fmt::format("mkstemp: {}", std::strerror(errno)));
  close(file);
}

TemporaryFile::~TemporaryFile() { unlink(path_.c_str()); }

std::string TemporaryFile::content() const { return text_of_file(path_); }

}  // namespace

std::string nccl_version() {
  int code = 0;
  try {
    check(nccl().version(&code), "ncclGetVersion");
  } catch (const DeviceError&) {
    return {};
  }
  // Since 2.9 the factor of the major version is 10000.
  const int major = code < 10000 ? 1000 : 10000;
  return fmt::format("{}.{}.{}", code / major, code % major / 100, code % 100);
}

std::string nccl_topology(Gpus& gpus) {
  try {
    const TemporaryFile file;
    const EnvironmentVariable dump("NCCL_TOPO_DUMP_FILE", file.path());
    std::vector<GpuPtr> all;
    for (std::size_t i = 0; i < gpus.count(); ++i) all.push_back(gpus.at(i));
    const Communicator communicator(std::move(all));
    return file.content();
  } catch (const DeviceError&) {
    return {};
  }
}

}  // namespace vgsim::probe::cuda
