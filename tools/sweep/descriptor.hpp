#pragma once

#include <string>
#include <string_view>
#include <utility>

namespace vgsim::sweep {

/// An open file, closed when it goes.
class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int number) : number_(number) {}
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept;
  ~Descriptor();

  [[nodiscard]] int number() const { return number_; }
  /// Closes it now and returns false where that fails, as it does on a full network disk.
  [[nodiscard]] bool close();

 private:
  int number_ = -1;
};

/// Opens a file as open(2) does. Never one of the numbers of stdin, stdout and stderr, which a
/// caller may have closed: what is printed must not get into a file. Throws StoreError.
[[nodiscard]] Descriptor open_file(const std::string& file, int flags);

/// Writes all of it. Throws StoreError.
void write_all(int descriptor, std::string_view bytes, const std::string& file);

/// Makes the entry of a new or renamed file of this folder last. Throws StoreError.
void sync_folder(const std::string& folder);

/// Throws StoreError: "cannot write FILE: " and the reason in errno.
[[noreturn]] void fail(const std::string& what, const std::string& file);

}  // namespace vgsim::sweep
