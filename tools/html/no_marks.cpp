#include "tools/cli/checked_marks.hpp"

const std::set<std::string_view>& vgsim::cli::checked_marks() {
  static const std::set<std::string_view> none;
  return none;
}
