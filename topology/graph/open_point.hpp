#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/units.hpp"

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

/// A part of a host that no file states, what was taken for it, and where another may be named.
struct TakenPart {
  enum class Kind : std::uint8_t { kNicRate, kCpu };
  Kind kind = Kind::kNicRate;
  std::string text;       ///< "NIC rate, taken as 100 Gbit/s"
  std::string taken;      ///< catalogue name of a CPU
  std::string maker;      ///< what catalogue names of such CPUs begin with; empty: not told
  BytesPerSecond rate{};  ///< of the NICs
  std::vector<std::string> devices;  ///< bus ids of the NICs
};

}  // namespace vgsim::topology
