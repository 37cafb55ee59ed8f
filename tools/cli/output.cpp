#include "tools/cli/output.hpp"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <string_view>

#include "tools/cli/exit_code.hpp"

namespace vgsim::cli {
namespace {

[[noreturn]] void fail(const std::string& what) {
  throw OutputError(fmt::format("{}: {}", what, std::strerror(errno)));
}

void write_all(int descriptor, std::string_view text, const std::string& what) {
  while (!text.empty()) {
    const ssize_t written = ::write(descriptor, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail(what);
    text.remove_prefix(static_cast<std::size_t>(written));
  }
}

/// Writes everything and closes the descriptor, also when it fails.
void write_and_close(int descriptor, std::string_view text, bool sync, const std::string& what) {
  try {
    write_all(descriptor, text, what);
    if (sync && ::fsync(descriptor) != 0) fail(what);
  } catch (...) {
    ::close(descriptor);
    throw;
  }
  if (::close(descriptor) != 0) fail(what);
}

void write_atomically(const std::string& text, const std::string& name) {
  std::error_code error;
  const bool is_link = std::filesystem::is_symlink(name, error);
  const std::string file = is_link ? std::filesystem::weakly_canonical(name, error).string() : name;
  const std::string temporary = fmt::format("{}.{}.tmp", file, ::getpid());
  const std::string what = fmt::format("cannot write {}", file);
  const int descriptor = ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (descriptor < 0) fail(what);
  try {
    write_and_close(descriptor, text, true, what);
    if (std::rename(temporary.c_str(), file.c_str()) != 0) fail(what);
  } catch (...) {
    ::unlink(temporary.c_str());
    throw;
  }
}

/// A device or a pipe is written to; only a file can be replaced.
bool is_special(const std::string& file) {
  struct stat status{};
  return ::stat(file.c_str(), &status) == 0 && !S_ISREG(status.st_mode);
}

void write_special(const std::string& text, const std::string& file) {
  const std::string what = fmt::format("cannot write {}", file);
  const int descriptor = ::open(file.c_str(), O_WRONLY | O_CLOEXEC);
  if (descriptor < 0) fail(what);
  write_and_close(descriptor, text, false, what);
}

}  // namespace

void write_result(const std::string& text, const std::optional<std::string>& file) {
  if (file && is_special(*file)) {
    write_special(text, *file);
  } else if (file) {
    write_atomically(text, *file);
  } else {
    write_all(STDOUT_FILENO, text, "cannot write the result");
  }
}

void write_message(const std::string& text) { std::fwrite(text.data(), 1, text.size(), stderr); }

int report_errors(const input::Diagnostics& diagnostics) {
  write_message(input::render(diagnostics));
  return kBadInput;
}

}  // namespace vgsim::cli
