#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "tools/files/descriptor.hpp"
#include "tools/files/temporary.hpp"

namespace vgsim::files {

/// A file that is there whole or not at all. What is written has no name until all of it is there,
/// so that whatever ends the program leaves nothing behind; where the file system has no such files
/// (NFS), or a library opens the file itself, it goes to a Temporary beside it. A file that is
/// replaced hands on its permissions, and its owner as far as the user may give files away; a link
/// stays, and what it points to is replaced.
class AtomicFile {
 public:
  enum class Way { kUnnamed, kNamed };

  /// kUnnamed where that can be done. Throws FileError, as all of these do.
  explicit AtomicFile(const std::string& file, Way way = Way::kUnnamed);
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  void write(std::string_view bytes);
  /// Makes all of it last and gives it its name.
  void finish();

  /// For libraries that open files themselves; kNamed, and nothing must be written here then.
  [[nodiscard]] const std::string& temporary() const { return temporary_->name(); }

 private:
  void open_unnamed();
  void open_named();
  void flush();
  void keep_access();
  /// Gives what has no name one, of a file that there is not yet.
  [[nodiscard]] bool link_as(const std::string& name);
  [[noreturn]] void fail_here() const;

  std::string file_;
  Descriptor descriptor_;
  std::unique_ptr<Temporary> temporary_;  ///< nothing while it has no name
  std::string buffer_;
};

}  // namespace vgsim::files
