#pragma once

#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "topology/input/diagnostics.hpp"
#include "topology/input/value.hpp"

namespace vgsim::scenario {

/// Another value at a place of a scenario: "--set /job/batch_per_gpu=64", a point of a sweep.
struct Override {
  std::string pointer;  ///< as written
  input::Value value;
};

/// Reads "POINTER=VALUE". The value is JSON, or else the text itself: `/job/batch_per_gpu=64` is a
/// number, `/fabric/host_link=200 Gbit/s` a string. Errors: no "=", a pointer that is none.
[[nodiscard]] tl::expected<Override, input::Diagnostics> read_override(const std::string& text);

/// A scenario document with other values at some places, one after the other.
///
/// A pointer is a JSON pointer (RFC 6901) whose tokens may stand for many: "*" is every member or
/// element that is there, and for hosts, VMs and their NICs a range such as "esx[01-04]", or a name
/// out of a range that the document has. The value holds in all layouts, whatever they say of that
/// place themselves, and for what a layout adds; "/layouts/NAME/..." addresses one alone. Keys that
/// are not there yet are made, as by a merge patch, but for elements of arrays ("-" appends one);
/// null takes away. Errors: a pointer that is none, leads through a value that holds no others or
/// through a host, a VM, a NIC or another thing with a name that there is not (with the nearest
/// that there is), names no element of an array, or with "*" nothing at all.
[[nodiscard]] input::Value with_overrides(const input::Value& document,
                                          const std::vector<Override>& overrides,
                                          input::Diagnostics& diagnostics);

}  // namespace vgsim::scenario
