#pragma once

#include <string_view>
#include <tl/expected.hpp>
#include <vector>

#include "sim/units.hpp"
#include "topology/input/decoder.hpp"

namespace vgsim::scenario {

/// Message sizes as in nccl-tests: "8 B .. 8 GiB x2" multiplies by 2 from 8 bytes up to 8 GiB; "1
/// GiB" is one size. The error states the expected form.
[[nodiscard]] tl::expected<std::vector<Bytes>, std::string> parse_size_range(std::string_view text);

[[nodiscard]] input::Decoder<std::vector<Bytes>> size_range();

}  // namespace vgsim::scenario
