#include "tools/studio/session_folder.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "tools/files/atomic_file.hpp"
#include "tools/files/descriptor.hpp"

// Each changed scenario is one file, which AtomicFile replaces after each change. A name is
// reserved by creating an empty file exclusively, as two studios may run at once.

namespace vgsim::studio {
namespace {

namespace fs = std::filesystem;

constexpr const char* kAddressFile = ".address";

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::string() : value;
}

/// Letters, digits, "-", "_" and "." of a name; never hidden, never empty.
std::string plain_name(const std::string& name) {
  constexpr std::size_t kLongest = 80;
  std::string plain;
  for (const char c : name) {
    const bool known = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                       c == '.' || c == '-' || c == '_';
    if (known) plain += c;
    if (!known && !plain.empty() && plain.back() != '-') plain += '-';
    if (plain.size() == kLongest) break;
  }
  const std::size_t first = plain.find_first_not_of(".-");
  return first == plain.npos ? std::string("scenario") : plain.substr(first);
}

/// Whether only its owner can read or enter the folder.
bool is_private(const std::string& folder) {
  struct stat status {};
  return ::stat(folder.c_str(), &status) == 0 && status.st_uid == ::getuid() &&
         (status.st_mode & (S_IRWXG | S_IRWXO)) == 0;
}

}  // namespace

void SessionFolder::make() const {
  std::error_code error;
  if (!fs::create_directories(folder_, error)) {
    if (error) throw files::FileError(fmt::format("{}: {}", folder_, error.message()));
    return;
  }
  fs::permissions(folder_, fs::perms::owner_all, error);
}

std::string SessionFolder::new_file(const std::string& name) const {
  constexpr int kMost = 10'000;
  make();
  const std::string plain = plain_name(name);
  for (int n = 1; n < kMost; ++n) {
    const std::string number = n == 1 ? std::string() : fmt::format("-{}", n);
    const std::string path = (fs::path(folder_) / (plain + number + ".json")).string();
    if (files::try_open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600).is_open()) return path;
    if (errno != EEXIST) files::fail("cannot write", path);
  }
  throw files::FileError(fmt::format("{} holds too many sessions named {}", folder_, plain));
}

std::vector<SavedSession> SessionFolder::latest(std::size_t most) const {
  std::vector<SavedSession> sessions;
  std::error_code error;
  for (fs::directory_iterator it(folder_, error), end; !error && it != end; it.increment(error)) {
    struct stat status {};
    const fs::path& path = it->path();
    if (path.extension() != ".json" || ::stat(path.c_str(), &status) != 0) continue;
    if (!S_ISREG(status.st_mode) || status.st_size == 0) continue;
    sessions.push_back({path.filename().string(), status.st_mtime});
  }
  std::ranges::sort(sessions, [](const SavedSession& a, const SavedSession& b) {
    return a.changed == b.changed ? a.file < b.file : a.changed > b.changed;
  });
  if (sessions.size() > most) sessions.resize(most);
  return sessions;
}

std::optional<std::string> SessionFolder::path_of(const std::string& file) const {
  if (!is_there() || file.find('/') != file.npos || file.starts_with('.')) return std::nullopt;
  const fs::path path = fs::path(folder_) / file;
  std::error_code error;
  if (!fs::is_regular_file(fs::symlink_status(path, error))) return std::nullopt;
  return path.string();
}

std::optional<LastAddress> SessionFolder::last_address() const {
  if (!is_there() || !is_private(folder_)) return std::nullopt;
  std::ifstream file(fs::path(folder_) / kAddressFile);
  const auto json = nlohmann::json::parse(file, nullptr, false);
  if (!json.is_object() || !json.contains("port") || !json.contains("token")) return std::nullopt;
  const auto& port = json.at("port");
  const auto& token = json.at("token");
  constexpr std::size_t kDigits = 32;
  const bool valid =
      port.is_number_unsigned() && port <= 65535U && token.is_string() &&
      token.get<std::string>().size() == kDigits &&
      token.get<std::string>().find_first_not_of("0123456789abcdef") == std::string::npos;
  if (!valid) return std::nullopt;
  return LastAddress{port.get<std::uint16_t>(), token.get<std::string>()};
}

void SessionFolder::keep_address(const LastAddress& address) const {
  if (!is_there()) return;
  try {
    make();
    if (!is_private(folder_)) return;
    const nlohmann::json json{{"port", address.port}, {"token", address.token}};
    files::AtomicFile file((fs::path(folder_) / kAddressFile).string());
    file.write(json.dump() + "\n");
    file.finish();
  } catch (const files::FileError&) {  // NOLINT(bugprone-empty-catch): it is printed as well
  }
}

SessionFolder usual_session_folder() {
  const std::string state = environment("XDG_STATE_HOME");
  const std::string home = environment("HOME");
  if (state.starts_with('/')) return SessionFolder((fs::path(state) / "vgsim/studio").string());
  if (!home.starts_with('/')) return {};
  return SessionFolder((fs::path(home) / ".local/state/vgsim/studio").string());
}

}  // namespace vgsim::studio
