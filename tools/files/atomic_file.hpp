#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "tools/files/descriptor.hpp"
#include "tools/files/temporary.hpp"

namespace vgsim::files {

/// A file that is written completely or not at all. It is unnamed until it is complete, so that
/// a program that ends early leaves nothing behind. If the file system does not support unnamed
/// files (NFS), or a library opens the file itself, it is a Temporary in the same folder. The
/// new file gets the permissions of the one that it replaces, and its owner where the user may
/// change owners. The target of a link is replaced, and the link is kept.
class AtomicFile {
 public:
  enum class Way { kUnnamed, kNamed };

  /// Uses kUnnamed where the file system supports it. Throws FileError, as do all members.
  explicit AtomicFile(const std::string& file, Way way = Way::kUnnamed);
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  void write(std::string_view bytes);
  /// Writes the file to disk and gives it its name.
  void finish();

  /// For libraries that open files themselves. Requires kNamed, and no writes through this
  /// object.
  [[nodiscard]] const std::string& temporary() const { return temporary_->name(); }

 private:
  void open_unnamed();
  void open_named();
  void flush();
  void keep_access();
  /// Links an unnamed file to a name that does not exist yet.
  [[nodiscard]] bool link_as(const std::string& name);
  [[noreturn]] void fail_here() const;

  std::string file_;
  Descriptor descriptor_;
  std::unique_ptr<Temporary> temporary_;  ///< null while it is unnamed
  std::string buffer_;
};

}  // namespace vgsim::files
