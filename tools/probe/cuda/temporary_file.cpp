#include "tools/probe/cuda/temporary_file.hpp"

#include <fmt/format.h>
#include <stdlib.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "tools/probe/cuda/text_file.hpp"
#include "tools/probe/device_layer.hpp"

namespace vgsim::probe::cuda {

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

}  // namespace vgsim::probe::cuda
