#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "tools/text/style.hpp"

namespace vgsim::text {

/// The size of a first screen, which must not scroll.
struct TerminalSize {
  std::size_t columns = 80;
  std::size_t lines = 20;
  Style style;
};

/// Columns of complete answers (--full), which may be wider than a terminal.
constexpr std::size_t kFewestFullColumns = 100;

/// The width of the terminal, 80 for files and pipes; clamped to 60 to 140. `asked`: COLUMNS as
/// getenv() returns it.
[[nodiscard]] std::size_t columns_of(bool is_terminal, const char* asked, std::size_t terminal);

/// For output to this file, or to stdout.
[[nodiscard]] TerminalSize terminal_size(const std::optional<std::string>& file);

}  // namespace vgsim::text
