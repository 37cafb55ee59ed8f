#pragma once

#include <simgrid/s4u.hpp>

/// Max-min sharing and nothing else: no TCP windows, no acknowledgements that take bandwidth, and
/// no rounding of dates to nanoseconds, which merges completions.
inline void configure() {
  simgrid::s4u::Engine::set_config("network/model:CM02");
  simgrid::s4u::Engine::set_config("network/TCP-gamma:1e18");
  simgrid::s4u::Engine::set_config("network/crosstraffic:0");
  simgrid::s4u::Engine::set_config("surf/precision:1e-12");
}
