#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>

#include "models/vsphere/import/file_notes.hpp"

struct zip;

namespace vgsim::vsphere::import {

/// A ZIP archive that is in memory, as .xlsx files are.
class ZipArchive {
 public:
  /// Of the file that `notes` is of. Errors, in `notes`: E531 for what is no ZIP archive.
  explicit ZipArchive(FileNotes& notes);

  /// Whether there is a file of that name inside.
  [[nodiscard]] bool has(const std::string& name) const;

  /// A file inside, unpacked; its checksum must hold. Errors, in `notes`: E532 for one that is not
  /// there, damaged, or encrypted; E533 beyond 64 MiB, or 256 MiB of all that were read.
  [[nodiscard]] std::optional<std::string> read(const std::string& name);

 private:
  struct Close {
    void operator()(zip* archive) const;
  };

  FileNotes& notes_;
  std::unique_ptr<zip, Close> archive_;
  std::size_t left_;  ///< bytes that may still be read
};

}  // namespace vgsim::vsphere::import
