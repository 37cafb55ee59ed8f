#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "tools/text/style.hpp"

namespace vgsim::text {

/// What a first screen may take: an answer that scrolls away is none.
struct Room {
  std::size_t columns = 80;
  std::size_t lines = 20;
  Style style;
};

/// Of answers in full, which need not fit on a screen: tables are read more easily whole.
constexpr std::size_t kFewestFullColumns = 100;

/// As many columns as the terminal has, 80 where the text goes to a file or a pipe; never more than
/// can be read, nor fewer than a table needs. `asked`: what COLUMNS says, as getenv() gives it.
[[nodiscard]] std::size_t columns_of(bool is_terminal, const char* asked, std::size_t terminal);

/// Of what is written to this file, or to stdout.
[[nodiscard]] Room room_of(const std::optional<std::string>& file);

}  // namespace vgsim::text
