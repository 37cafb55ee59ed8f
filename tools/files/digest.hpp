#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace vgsim::files {

/// XXH3 of 64 bits over everything that is added. It finds what disks and networks get wrong, not
/// what someone forges.
class Digest {
 public:
  Digest();
  ~Digest();
  Digest(Digest&&) noexcept;
  Digest& operator=(Digest&&) noexcept;

  void add(std::string_view bytes);
  /// The text with its length, so that "ab" and "c" are not "a" and "bc".
  void add_part(std::string_view text);
  [[nodiscard]] std::string text() const;  ///< of all so far: 16 lower-case hexadecimal digits

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// The same of one text.
[[nodiscard]] std::string digest_of(std::string_view bytes);

}  // namespace vgsim::files
