#pragma once

#include <cstdint>
#include <string>

namespace vgsim::topology {

/// Something that an answer rests on and no input tells, in words.
struct OpenPoint {
  enum class Kind : std::uint8_t {
    kTaken,     ///< what is likely was taken for it
    kDisputed,  ///< two sources disagree; the one that was seen was taken
    kNeeded,    ///< nothing likely could be taken: the answer may be far off
  };
  std::string text;  ///< what it is, and what was taken for it or who could tell
  Kind kind = Kind::kTaken;

  [[nodiscard]] bool is_needed() const { return kind == Kind::kNeeded; }
};

}  // namespace vgsim::topology
