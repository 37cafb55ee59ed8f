#pragma once

#include <cstdint>
#include <string>

namespace vgsim {

struct Timeline;

/// A 64-bit hash of a sequence of 64-bit words. It is defined by arithmetic on the words, not by
/// the bytes that hold them, so it is the same on every platform. It tells runs apart; it does not
/// guard against someone who wants a collision.
///
/// State h starts at 0; each word x makes it mix(h + 0x9e3779b97f4a7c15 + mix(x)), with mix the
/// split_mix of random.hpp, so that order and repetition count.
class Fingerprint {
 public:
  void add(std::uint64_t word);
  [[nodiscard]] std::uint64_t value() const { return state_; }

 private:
  std::uint64_t state_ = 0;
};

/// Of the events in the order in which they were handled: time, kind, task. Two runs with equal
/// ones took the same path; a faster engine may well take another.
[[nodiscard]] std::uint64_t event_fingerprint(const Timeline& timeline);

/// Of the result alone: begin (ready) and end of every task, by id, however they were found.
[[nodiscard]] std::uint64_t result_fingerprint(const Timeline& timeline);

/// Sixteen lower-case hexadecimal digits.
[[nodiscard]] std::string fingerprint_text(std::uint64_t fingerprint);

}  // namespace vgsim
