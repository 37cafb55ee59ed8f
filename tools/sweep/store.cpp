#include "tools/sweep/store.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <system_error>

#include "tools/sweep/store_error.hpp"

namespace vgsim::sweep {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kLinesPerSync = 100;
constexpr std::chrono::seconds kTimePerSync{1};

void make_folder(const std::string& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) throw StoreError(fmt::format("cannot make {}: {}", folder, error.message()));
}

files::Descriptor open_store(const std::string& file, IfThere if_there) {
  std::error_code ignored;
  if (if_there == IfThere::kRefuse && fs::exists(fs::symlink_status(file, ignored))) {
    throw StoreError(fmt::format(
        "{} exists already: continue with --resume, or choose another folder with -o", file));
  }
  const int only_new = if_there == IfThere::kRefuse ? O_EXCL : 0;
  files::Descriptor opened = files::open_file(file, O_RDWR | O_CREAT | O_APPEND | only_new);
  struct stat status {};
  if (::fstat(opened.number(), &status) != 0 || !S_ISREG(status.st_mode)) {
    throw StoreError(fmt::format("{} is not a plain file", file));
  }
  return opened;
}

}  // namespace

Store::Store(const std::string& folder, const StoreHeader& header, IfThere if_there)
    : file_((fs::path(folder) / file_name(header.shard)).string()),
      header_(header),
      synced_(std::chrono::steady_clock::now()) {
  make_folder(folder);
  descriptor_ = open_store(file_, if_there);
  lock();
  content_ = read_store(descriptor_.number(), file_, header_, digest_, {});
  found_ = content_;
  if (content_.torn_bytes > 0 &&
      ::ftruncate(descriptor_.number(), static_cast<off_t>(content_.good_bytes)) != 0) {
    files::fail("cannot write", file_);
  }
  if (content_.has_header) return;
  write_line(header_line(header_));
  content_.has_header = true;
  sync();
  files::sync_folder(folder);
}

void Store::lock() {
  if (::flock(descriptor_.number(), LOCK_EX | LOCK_NB) == 0) return;
  if (errno == EWOULDBLOCK) {
    throw StoreError(fmt::format("{} is being written by another process", file_));
  }
  // Some network file systems have no locks. There the user must ensure a single writer.
  if (errno != ENOLCK && errno != ENOSYS && errno != EOPNOTSUPP) files::fail("cannot lock", file_);
}

void Store::write_line(const std::string& line) {
  const std::string with_end = line + '\n';
  files::write_all(descriptor_.number(), with_end, file_);
  digest_.add(with_end);
  content_.good_bytes += with_end.size();
}

void Store::add(const std::string& line) {
  write_line(line);
  ++content_.points;
  ++unsynced_;
  const bool late = std::chrono::steady_clock::now() - synced_ >= kTimePerSync;
  if (unsynced_ >= kLinesPerSync || late) sync();
}

void Store::sync() {
  if (::fdatasync(descriptor_.number()) != 0) files::fail("cannot write", file_);
  unsynced_ = 0;
  synced_ = std::chrono::steady_clock::now();
}

void Store::finish() {
  write_line(footer_line(content_.points, digest_.text()));
  sync();
  content_.complete = true;
}

}  // namespace vgsim::sweep
