#include "tools/text/terminal_size.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <string_view>

namespace vgsim::text {
namespace {

constexpr std::size_t kUsualColumns = 80;
constexpr std::size_t kFewestColumns = 60;
constexpr std::size_t kMostColumns = 140;

std::size_t terminal_columns() {
  winsize size{};
  return ::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

}  // namespace

std::size_t columns_of(bool is_terminal, const char* asked, std::size_t terminal) {
  if (!is_terminal) return kUsualColumns;
  std::size_t columns = terminal;
  const std::string_view words(asked == nullptr ? "" : asked);
  std::size_t number = 0;
  const auto [end, error] = std::from_chars(words.data(), words.data() + words.size(), number);
  if (error == std::errc() && end == words.data() + words.size() && number > 0) columns = number;
  return columns == 0 ? kUsualColumns : std::clamp(columns, kFewestColumns, kMostColumns);
}

TerminalSize terminal_size(const std::optional<std::string>& file) {
  TerminalSize terminal;
  if (file) return terminal;
  terminal.style = style_of(STDOUT_FILENO);
  terminal.columns =
      columns_of(isatty(STDOUT_FILENO) == 1, std::getenv("COLUMNS"), terminal_columns());
  return terminal;
}

}  // namespace vgsim::text
