#include "tools/sweep/atomic_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <system_error>

namespace vgsim::sweep {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kBuffer = 1U << 18U;

/// Where a link points to, so that the link stays.
std::string target_of(const std::string& file) {
  std::error_code error;
  if (!fs::is_symlink(file, error)) return file;
  return fs::weakly_canonical(file, error).string();
}

std::string folder_of(const std::string& file) {
  const fs::path parent = fs::path(file).parent_path();
  return parent.empty() ? "." : parent.string();
}

}  // namespace

AtomicFile::AtomicFile(const std::string& file)
    : file_(target_of(file)),
      temporary_(fmt::format("{}.{}.tmp", file_, ::getpid())),
      descriptor_(open_file(temporary_, O_WRONLY | O_CREAT | O_TRUNC)) {}

AtomicFile::~AtomicFile() {
  if (!finished_) ::unlink(temporary_.c_str());
}

void AtomicFile::write(std::string_view bytes) {
  buffer_ += bytes;
  if (buffer_.size() >= kBuffer) flush();
}

void AtomicFile::flush() {
  write_all(descriptor_.number(), buffer_, file_);
  buffer_.clear();
}

void AtomicFile::finish() {
  flush();
  if (::fsync(descriptor_.number()) != 0 || !descriptor_.close()) fail("cannot write", file_);
  if (std::rename(temporary_.c_str(), file_.c_str()) != 0) fail("cannot write", file_);
  finished_ = true;
  sync_folder(folder_of(file_));
}

}  // namespace vgsim::sweep
