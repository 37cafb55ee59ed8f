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
#include <system_error>

#include "tools/cli/exit_code.hpp"
#include "tools/cli/hints.hpp"
#include "tools/files/atomic_file.hpp"

namespace vgsim::cli {
namespace {

namespace fs = std::filesystem;

/// Converts a file error to an error of output.
[[noreturn]] void fail(const files::FileError& error) {
  if (error.error() == EPIPE) throw ReaderLeft(error.what());
  throw OutputError(error.what());
}

/// The target, if the name is that of a link.
fs::path behind_links(const fs::path& name) {
  std::error_code error;
  return fs::is_symlink(name, error) ? fs::weakly_canonical(name, error) : name;
}

void write_atomically(const std::string& text, const std::string& name) {
  std::error_code error;
  fs::create_directories(behind_links(name).parent_path(),
                         error);  // AtomicFile reports the failure.
  files::AtomicFile file(name);
  file.write(text);
  file.finish();
}

/// Devices and pipes are written to directly; only a file can be replaced.
bool is_special(const std::string& file) {
  struct stat status {};
  return ::stat(file.c_str(), &status) == 0 && !S_ISREG(status.st_mode);
}

/// Creates a file in a folder and removes it.
std::error_code try_folder(const fs::path& folder) {
  try {
    const files::AtomicFile trial(files::temporary_name((folder / "vgsim").string()));
    return {};
  } catch (const files::FileError& error) {
    return {error.error(), std::generic_category()};
  }
}

/// Why no file, or the folder itself, can be created; nothing if it can. A missing folder is not
/// created for that: shards of one sweep start at once, and one would remove it below another.
std::optional<std::string> folder_problem(const fs::path& folder) {
  for (fs::path up = folder;; up = up.parent_path()) {
    std::error_code error;
    const fs::path there = up.empty() ? fs::path(".") : up;
    if (!fs::exists(there, error) && !error) continue;
    if (!error) error = try_folder(there);
    return error ? std::optional(error.message()) : std::nullopt;
  }
}

std::optional<std::string> file_problem(const std::string& file) {
  std::error_code error;
  if (fs::is_directory(file, error) || file.ends_with('/')) return "it is a folder";
  if (is_special(file)) {
    return ::access(file.c_str(), W_OK) == 0 ? std::nullopt
                                             : std::optional<std::string>(std::strerror(errno));
  }
  const fs::path folder = behind_links(file).parent_path();
  return folder_problem(folder.empty() ? "." : folder);
}

void write_special(const std::string& text, const std::string& file) {
  files::Descriptor opened = files::open_file(file, O_WRONLY);
  files::write_all(opened.number(), text, file);
  if (!opened.close()) files::fail("cannot write", file);
}

/// Escapes U+202A to U+202E and U+2066 to U+2069, which change the direction of following text;
/// as in JSON, so that JSON stays valid.
std::string without_overrides(const std::string& text) {
  std::string shown;
  std::size_t done = 0;
  // All of them begin with this byte, which few other characters do.
  for (std::size_t at = text.find('\xe2'); at != text.npos; at = text.find('\xe2', at + 1)) {
    const std::string_view three = std::string_view(text).substr(at, 3);
    const bool embeds = three >= "\xe2\x80\xaa" && three <= "\xe2\x80\xae";
    const bool isolates = three >= "\xe2\x81\xa6" && three <= "\xe2\x81\xa9";
    if (three.size() != 3 || !(embeds || isolates)) continue;
    const int code = (embeds ? 0x2000 : 0x2040) + (static_cast<unsigned char>(three[2]) & 0x3f);
    shown.append(text, done, at - done).append(fmt::format("\\u{:04x}", code));
    done = at + 3;
  }
  return shown.append(text, done);
}

}  // namespace

std::optional<std::string> output_problem(const std::string& path, Destination destination) {
  std::error_code error;
  const bool names_folder = path.ends_with('/') || fs::is_directory(path, error);
  const bool to_folder =
      destination == Destination::kFolder || (destination == Destination::kEither && names_folder);
  // Without the trailing slash, as the parent of "runs/" is "runs".
  const fs::path folder = path.ends_with('/') ? fs::path(path).parent_path() : fs::path(path);
  const auto problem = to_folder ? folder_problem(folder) : file_problem(path);
  if (!problem) return std::nullopt;
  return fmt::format("cannot write {}{}: {}", to_folder ? "to " : "", path, *problem);
}

void write_result(const std::string& text, const std::optional<std::string>& file) {
  try {
    if (file && is_special(*file)) {
      write_special(text, *file);
    } else if (file) {
      write_atomically(text, *file);
    } else {
      files::write_all(STDOUT_FILENO, without_overrides(text), "the result");
    }
  } catch (const files::FileError& error) {
    fail(error);
  }
}

void write_message(const std::string& text) { std::fwrite(text.data(), 1, text.size(), stderr); }

int report_errors(const input::Diagnostics& diagnostics) {
  write_message(input::render(diagnostics) + hints_about(diagnostics));
  return kBadInput;
}

}  // namespace vgsim::cli
