#include "tools/files/descriptor.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

namespace vgsim::files {

FileError::FileError(const std::string& what, const std::string& file, int error)
    : std::runtime_error(
          fmt::format("{} {}: {}", what, file, std::generic_category().message(error))),
      error_(error) {}

Descriptor& Descriptor::operator=(Descriptor&& other) noexcept {
  if (this != &other) {
    if (number_ >= 0) ::close(number_);
    number_ = std::exchange(other.number_, -1);
  }
  return *this;
}

Descriptor::~Descriptor() {
  if (number_ >= 0) ::close(number_);
}

bool Descriptor::close() { return ::close(std::exchange(number_, -1)) == 0; }

Descriptor try_open(const std::string& file, int flags, unsigned mode) {
  Descriptor opened(::open(file.c_str(), flags | O_CLOEXEC, mode));
  if (!opened.is_open() || opened.number() > STDERR_FILENO) return opened;
  return Descriptor(::fcntl(opened.number(), F_DUPFD_CLOEXEC, STDERR_FILENO + 1));
}

Descriptor open_file(const std::string& file, int flags) {
  Descriptor opened = try_open(file, flags);
  if (!opened.is_open()) {
    fail((flags & (O_WRONLY | O_RDWR)) != 0 ? "cannot write" : "cannot read", file);
  }
  return opened;
}

void write_all(int descriptor, std::string_view bytes, const std::string& file) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail("cannot write", file);
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
}

void sync_folder(const std::string& folder) {
  const Descriptor opened = try_open(folder, O_RDONLY | O_DIRECTORY);
  if (!opened.is_open() && errno == EACCES) return;  // the folder is writable, but not readable
  // Some network file systems do not support fsync on folders, and do not need it.
  if (!opened.is_open() || (::fsync(opened.number()) != 0 && errno != EINVAL && errno != EROFS)) {
    fail("cannot write", folder);
  }
}

void fail(const std::string& what, const std::string& file) { throw FileError(what, file, errno); }

}  // namespace vgsim::files
