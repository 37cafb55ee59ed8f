#pragma once

#include <cstdint>
#include <string>

namespace vgsim {

struct Timeline;

/// A 64-bit hash of a sequence of 64-bit words. It is defined by arithmetic on the words, not on
/// bytes, so it is the same on every platform. It is not a cryptographic hash.
///
/// State h starts at 0; each word x changes it to mix(h + 0x9e3779b97f4a7c15 + mix(x)), with mix
/// the split_mix of random.hpp, so order and repetition matter.
class Fingerprint {
 public:
  void add(std::uint64_t word);
  [[nodiscard]] std::uint64_t value() const { return state_; }

 private:
  std::uint64_t state_ = 0;
};

/// Hash of the events in the order of processing: time, kind, task. It depends on the engine's
/// algorithm, not only on the result.
[[nodiscard]] std::uint64_t event_fingerprint(const Timeline& timeline);

/// Hash of the result: begin (ready) and end of every task, by id.
[[nodiscard]] std::uint64_t result_fingerprint(const Timeline& timeline);

/// Sixteen lower-case hexadecimal digits.
[[nodiscard]] std::string fingerprint_text(std::uint64_t fingerprint);

}  // namespace vgsim
