#pragma once

#include <cstdint>
#include <string>
#include <tl/expected.hpp>
#include <utility>
#include <vector>

#include "models/scenario/read/document.hpp"
#include "topology/input/diagnostics.hpp"
#include "topology/input/value.hpp"

namespace vgsim::scenario {

/// Another value at a place of a scenario: "--set /job/batch_per_gpu=64", a point of a sweep.
struct Override {
  std::string pointer;  ///< as written
  input::Value value;
  bool may_make = false;  ///< hosts, VMs, NICs and other named things that are not there
};

/// Before the pointer of one that may make named things.
inline constexpr const char* kMayMake = "+";

[[nodiscard]] Override set_text(std::string pointer, std::string text);
[[nodiscard]] Override set_number(std::string pointer, double number);
[[nodiscard]] Override set_flag(std::string pointer, bool flag);
[[nodiscard]] Override set_texts(std::string pointer, const std::vector<std::string>& texts);
/// A list of pairs: [[0, 1], [2, 3]].
[[nodiscard]] Override set_pairs(std::string pointer,
                                 const std::vector<std::pair<std::int64_t, std::int64_t>>& pairs);
/// An object of texts.
[[nodiscard]] Override set_members(std::string pointer,
                                   const std::vector<std::pair<std::string, std::string>>& members);
[[nodiscard]] Override take_away(std::string pointer);

/// The value as a text, or as JSON.
[[nodiscard]] std::string words_of(const Override& change);

/// Reads "POINTER=VALUE". The value is JSON, or else the text itself: `/job/batch_per_gpu=64` is a
/// number, `/fabric/host_link=200 Gbit/s` a string; `+/hosts/...` may make things. Errors: no "=",
/// a pointer that is none.
[[nodiscard]] tl::expected<Override, input::Diagnostics> read_override(const std::string& text);

/// A scenario document with other values at some places, one after the other.
///
/// A pointer is a JSON pointer (RFC 6901) whose tokens may stand for many: "*" is every member or
/// element that is there, and for hosts, VMs and their NICs a range such as "esx[01-04]", or a name
/// out of a range that the document has. The value holds in all layouts, whatever they say of that
/// place themselves, and for what a layout adds; "/layouts/NAME/..." addresses one alone. Keys that
/// are not there yet are made, as by a merge patch, but for elements of arrays ("-" appends one);
/// null takes away. A number is taken as it is written where a text belongs ("/vsphere=9.0"). What
/// pointers with "*" or a range stood for is told in `matched`, a line each. Errors: a pointer that
/// is none, leads through a value that holds no others or
/// through a host, a VM, a NIC or another thing with a name that there is not (with the nearest
/// that there is), names no element of an array, or with "*" nothing at all.
[[nodiscard]] Document with_overrides(const Document& document,
                                      const std::vector<Override>& overrides,
                                      input::Diagnostics& diagnostics,
                                      std::vector<std::string>* matched = nullptr);

}  // namespace vgsim::scenario
