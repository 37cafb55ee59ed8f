#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "tools/files/file_error.hpp"

namespace vgsim::files {

/// An open file, closed by the destructor.
class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int number) : number_(number) {}
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept;
  ~Descriptor();

  [[nodiscard]] int number() const { return number_; }
  [[nodiscard]] bool is_open() const { return number_ >= 0; }
  /// Closes it and returns false on failure, as on a full network disk.
  [[nodiscard]] bool close();

 private:
  int number_ = -1;
};

/// Opens a file as open(2) does. On failure the result is not open and errno is set. Never
/// returns the numbers of stdin, stdout and stderr, which a caller may have closed: output must
/// not reach the file.
[[nodiscard]] Descriptor try_open(const std::string& file, int flags, unsigned mode = 0666);

/// As try_open, but throws FileError.
[[nodiscard]] Descriptor open_file(const std::string& file, int flags);

/// Writes all bytes. Throws FileError.
void write_all(int descriptor, std::string_view bytes, const std::string& file);

/// Makes a new or renamed entry of this folder durable. Throws FileError.
void sync_folder(const std::string& folder);

/// Throws FileError: "cannot write FILE: " and the reason in errno.
[[noreturn]] void fail(const std::string& what, const std::string& file);

}  // namespace vgsim::files
