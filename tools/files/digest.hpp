#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace vgsim::files {

/// XXH3 of 64 bits over all added bytes. It detects errors of disks and networks, not forgery.
class Digest {
 public:
  Digest();
  ~Digest();
  Digest(Digest&&) noexcept;
  Digest& operator=(Digest&&) noexcept;

  void add(std::string_view bytes);
  /// Adds the length of the text as well, so that "ab" and "c" differ from "a" and "bc".
  void add_part(std::string_view text);
  [[nodiscard]] std::string text() const;  ///< of all so far: 16 lower-case hexadecimal digits

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// The digest of one text.
[[nodiscard]] std::string digest_of(std::string_view bytes);

}  // namespace vgsim::files
