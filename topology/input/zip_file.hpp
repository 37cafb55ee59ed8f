#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <utility>
#include <vector>

namespace vgsim::input {

/// A ZIP archive in memory, such as an .xlsx file. Refers to the bytes.
class ZipReader {
 public:
  explicit ZipReader(std::string_view bytes);
  ZipReader(const ZipReader&) = delete;
  ZipReader& operator=(const ZipReader&) = delete;
  ~ZipReader();

  /// Whether the bytes are a ZIP archive.
  [[nodiscard]] bool good() const { return archive_ != nullptr; }
  [[nodiscard]] bool has(const std::string& name) const;

  /// Unpacks a file and verifies its checksum; of a file with more than `most` bytes it returns
  /// `most` + 1 bytes. The error is a word: "missing", "encrypted", "damaged".
  [[nodiscard]] tl::expected<std::string, std::string> read(const std::string& name,
                                                            std::size_t most) const;

 private:
  std::string_view bytes_;
  void* archive_ = nullptr;
};

/// Packs files by name. Output is deterministic.
[[nodiscard]] std::string zipped(const std::vector<std::pair<std::string, std::string>>& files);

}  // namespace vgsim::input
