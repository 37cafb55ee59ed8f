#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace vgsim::studio {

/// A scenario that was changed in an earlier session.
struct SavedSession {
  std::string file;          ///< its name in the folder: "bert-large-4xr750xa.json"
  std::int64_t changed = 0;  ///< seconds since 1970
};

/// The port and token of the last studio, so that an open page finds the next one.
struct LastAddress {
  std::uint16_t port = 0;
  std::string token;
};

/// The folder in which studios save scenarios unless a file is given. Only its owner may read
/// it. Nothing of it exists before it is written to.
class SessionFolder {
 public:
  SessionFolder() = default;  ///< none: nothing can be saved
  explicit SessionFolder(std::string folder) : folder_(std::move(folder)) {}

  [[nodiscard]] bool is_there() const { return !folder_.empty(); }
  [[nodiscard]] const std::string& path() const { return folder_; }

  /// Reserves a file: "NAME.json", or "NAME-2.json" if that exists. Throws files::FileError.
  [[nodiscard]] std::string new_file(const std::string& name) const;
  /// The latest first, at most `most`.
  [[nodiscard]] std::vector<SavedSession> latest(std::size_t most) const;
  /// The path of a saved session; nothing if there is none of that name.
  [[nodiscard]] std::optional<std::string> path_of(const std::string& file) const;

  /// Nothing if there is none, or if others can read the folder.
  [[nodiscard]] std::optional<LastAddress> last_address() const;
  /// Does nothing on failure: the address is printed as well.
  void keep_address(const LastAddress& address) const;

 private:
  void make() const;

  std::string folder_;
};

/// $XDG_STATE_HOME/vgsim/studio, by default below ~/.local/state; none without $HOME.
[[nodiscard]] SessionFolder usual_session_folder();

}  // namespace vgsim::studio
