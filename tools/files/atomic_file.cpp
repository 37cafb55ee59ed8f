#include "tools/files/atomic_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <system_error>

namespace vgsim::files {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kBuffer = 1U << 18U;
constexpr unsigned kNewFile = 0666;  // before the umask
constexpr unsigned kMine = 0600;

/// The target of a link, so that the link is kept.
std::string target_of(const std::string& file) {
  std::error_code error;
  if (!fs::is_symlink(file, error)) return file;
  return fs::weakly_canonical(file, error).string();
}

std::string folder_of(const std::string& file) {
  const fs::path parent = fs::path(file).parent_path();
  return parent.empty() ? "." : parent.string();
}

/// A path by which another program can open a file without a name.
std::string path_of(const Descriptor& descriptor) {
  return fmt::format("/proc/self/fd/{}", descriptor.number());
}

bool is_file(const std::string& file, struct stat& status) {
  return ::stat(file.c_str(), &status) == 0 && S_ISREG(status.st_mode);
}

}  // namespace

AtomicFile::AtomicFile(const std::string& file, Way way) : file_(target_of(file)) {
  if (way == Way::kUnnamed) open_unnamed();
  if (!descriptor_.is_open()) open_named();
}

void AtomicFile::open_unnamed() {
  descriptor_ = try_open(folder_of(file_), O_TMPFILE | O_WRONLY, kNewFile);
  if (!descriptor_.is_open()) {
    // Old kernels mistake the flag for O_DIRECTORY.
    if (errno == EOPNOTSUPP || errno == EISDIR || errno == EINVAL) return;
    fail_here();
  }
  // Without /proc the file cannot be linked to a name.
  if (::access(path_of(descriptor_).c_str(), F_OK) != 0) descriptor_ = Descriptor();
}

void AtomicFile::open_named() {
  struct stat status {};
  const unsigned mode = is_file(file_, status) ? kMine : kNewFile;
  do {
    const std::string name = temporary_name(file_);
    descriptor_ = try_open(name, O_WRONLY | O_CREAT | O_EXCL, mode);
    if (descriptor_.is_open()) temporary_ = std::make_unique<Temporary>(name);
  } while (!descriptor_.is_open() && errno == EEXIST);
  if (!descriptor_.is_open()) fail_here();
}

void AtomicFile::write(std::string_view bytes) {
  buffer_ += bytes;
  if (buffer_.size() >= kBuffer) flush();
}

void AtomicFile::flush() {
  write_all(descriptor_.number(), buffer_, file_);
  buffer_.clear();
}

/// Copies owner and permissions of the replaced file. If the group cannot be kept, the group
/// gets the permissions of others.
void AtomicFile::keep_access() {
  struct stat old {};
  if (!is_file(file_, old)) return;
  mode_t mode = old.st_mode & 07777U;
  const int number = descriptor_.number();
  if (::fchown(number, old.st_uid, old.st_gid) != 0 &&
      ::fchown(number, static_cast<uid_t>(-1), old.st_gid) != 0) {
    mode = (mode & 0707U) | ((mode & 07U) << 3U);
  }
  if (::fchmod(number, mode) != 0) fail_here();
}

bool AtomicFile::link_as(const std::string& name) {
  if (::linkat(AT_FDCWD, path_of(descriptor_).c_str(), AT_FDCWD, name.c_str(), AT_SYMLINK_FOLLOW) ==
      0) {
    return true;
  }
  if (errno != EEXIST) fail_here();
  return false;
}

void AtomicFile::finish() {
  flush();
  keep_access();
  if (::fsync(descriptor_.number()) != 0) fail_here();
  const bool is_there = temporary_ == nullptr && link_as(file_);
  while (!is_there && temporary_ == nullptr) {
    const std::string name = temporary_name(file_);
    if (link_as(name)) temporary_ = std::make_unique<Temporary>(name);
  }
  if (!descriptor_.close()) fail_here();
  if (!is_there && std::rename(temporary_->name().c_str(), file_.c_str()) != 0) fail_here();
  sync_folder(folder_of(file_));
}

void AtomicFile::fail_here() const { fail("cannot write", file_); }

}  // namespace vgsim::files
