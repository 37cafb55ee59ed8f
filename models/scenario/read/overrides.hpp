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

/// A value to set at a place of a scenario: "--set /job/batch_per_gpu=64", a point of a sweep.
struct Override {
  std::string pointer;  ///< as written
  input::Value value;
  bool may_make = false;  ///< may create hosts, VMs, NICs and other named entries
};

/// Prefix of pointers that may create named entries.
inline constexpr const char* kMayMake = "+";

[[nodiscard]] Override set_text(std::string pointer, std::string text);
[[nodiscard]] Override set_number(std::string pointer, double number);
[[nodiscard]] Override set_flag(std::string pointer, bool flag);
[[nodiscard]] Override set_texts(std::string pointer, const std::vector<std::string>& texts);
/// A list of pairs: [[0, 1], [2, 3]].
[[nodiscard]] Override set_pairs(std::string pointer,
                                 const std::vector<std::pair<std::int64_t, std::int64_t>>& pairs);
/// An object with text members.
[[nodiscard]] Override set_members(std::string pointer,
                                   const std::vector<std::pair<std::string, std::string>>& members);
[[nodiscard]] Override take_away(std::string pointer);

/// The value as text or JSON.
[[nodiscard]] std::string words_of(const Override& change);

/// Reads "POINTER=VALUE". The value is JSON, or otherwise text: `/job/batch_per_gpu=64` sets a
/// number, `/fabric/host_link=200 Gbit/s` a string; `+/hosts/...` may create entries. Errors: no
/// "=", not a JSON pointer.
[[nodiscard]] tl::expected<Override, input::Diagnostics> read_override(const std::string& text);

/// Applies overrides to a scenario document, one after the other.
///
/// A pointer is a JSON pointer (RFC 6901) with patterns: "*" matches every member or element; for
/// hosts, VMs and their NICs a token may be a range such as "esx[01-04]", or a name from a range of
/// the document. The value applies to all layouts, including their patches and additions;
/// "/layouts/NAME/..." addresses one layout. Missing keys are created, as by a merge patch, except
/// elements of arrays ("-" appends one); null removes a key. A number becomes text where the shape
/// requires text ("/vsphere=9.0"). `matched` receives a line with the places of each pointer with
/// "*" or a range. Errors: not a JSON pointer; a path through a scalar value or through an unknown
/// host, VM, NIC or other named entry (with the nearest known name); an unknown array element; "*"
/// without match.
[[nodiscard]] Document with_overrides(const Document& document,
                                      const std::vector<Override>& overrides,
                                      input::Diagnostics& diagnostics,
                                      std::vector<std::string>* matched = nullptr);

}  // namespace vgsim::scenario
