// vgsim_checked_marks DIR OUTPUT reads the library in a configuration folder and writes a
// definition of checked_marks.hpp: the marks of its files, or none where there are errors, which it
// prints.

#include <fmt/core.h>

#include <fstream>
#include <string>

#include "tools/catalog/library_files.hpp"

int main(int argc, char** argv) {
  using namespace vgsim;
  if (argc != 3) return 2;
  std::string marks;
  const auto mark = [&marks](const std::string& place, const std::string& text) {
    marks += fmt::format("      \"{}\",  // {}\n", catalog::checked_mark(place, text), place);
    return false;
  };
  const auto files = catalog::load_library_files(argv[1], mark);
  const auto library =
      files ? scenario::read_library(*files)
            : tl::expected<scenario::Library, input::Diagnostics>(tl::unexpected(files.error()));
  if (!library) {
    fmt::print(stderr, "{}", input::render(library.error()));
    marks.clear();
  }
  std::ofstream output(argv[2]);
  output << "#include \"tools/cli/checked_marks.hpp\"\n\n"
            "const std::set<std::string_view>& vgsim::cli::checked_marks() {\n"
            "  static const std::set<std::string_view> marks{\n"
         << marks << "  };\n  return marks;\n}\n";
  return output.flush() ? 0 : 1;
}
