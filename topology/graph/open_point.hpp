#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/units.hpp"

namespace vgsim::topology {

/// Something that affects results but is missing from the input.
struct OpenPoint {
  enum class Kind : std::uint8_t {
    kTaken,     ///< a likely value was assumed
    kDisputed,  ///< two sources disagree; the observed value is used
    kNeeded,    ///< no likely value: the result may be far off
  };
  std::string text;  ///< the missing fact, and the assumption or the tool that reports it
  Kind kind = Kind::kTaken;

  [[nodiscard]] bool is_needed() const { return kind == Kind::kNeeded; }
};

/// A part of a host that no file states, the assumed part, and where the user can name another.
struct TakenPart {
  enum class Kind : std::uint8_t { kNicRate, kCpu };
  Kind kind = Kind::kNicRate;
  std::string text;       ///< "NIC rate, taken as 100 Gbit/s"
  std::string taken;      ///< catalogue name of the assumed CPU
  std::string maker;      ///< common prefix of catalogue names of such CPUs; empty: unknown
  BytesPerSecond rate{};  ///< of the NICs
  std::vector<std::string> devices;  ///< bus ids of the NICs
};

}  // namespace vgsim::topology
