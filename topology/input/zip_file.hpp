#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <utility>
#include <vector>

namespace vgsim::input {

/// A ZIP archive that is in memory, as .xlsx files are. Refers to the bytes.
class ZipReader {
 public:
  explicit ZipReader(std::string_view bytes);
  ZipReader(const ZipReader&) = delete;
  ZipReader& operator=(const ZipReader&) = delete;
  ~ZipReader();

  /// Whether it is a ZIP archive at all.
  [[nodiscard]] bool good() const { return archive_ != nullptr; }
  [[nodiscard]] bool has(const std::string& name) const;

  /// A file inside, unpacked, its checksum verified; of more than `most` bytes it gives one more
  /// than that. The error is a word for what is wrong: "missing", "encrypted", "damaged".
  [[nodiscard]] tl::expected<std::string, std::string> read(const std::string& name,
                                                            std::size_t most) const;

 private:
  std::string_view bytes_;
  void* archive_ = nullptr;
};

/// An archive of files by name, packed. The same files give the same bytes.
[[nodiscard]] std::string zipped(const std::vector<std::pair<std::string, std::string>>& files);

}  // namespace vgsim::input
