#include <fmt/core.h>

#include "tools/cli/commands.hpp"
#include "tools/cli/config_files.hpp"
#include "tools/cli/exit_code.hpp"
#include "tools/cli/host_tree_text.hpp"
#include "tools/cli/import/read_files.hpp"
#include "tools/cli/output.hpp"
#include "tools/cli/path_matrix_text.hpp"
#include "tools/cli/server_comparison.hpp"
#include "topology/input/text_cells.hpp"
#include "topology/inventory/path_classes.hpp"

namespace vgsim::cli {
namespace {

/// The text with whatever could move a cursor shown as an escape.
std::string safe(const std::string& text) {
  std::string result;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    result += input::printable(std::string_view(text).substr(begin, end - begin)) + '\n';
    begin = end + 1;
  }
  return result;
}

}  // namespace

int show_command(const Options& options) {
  const auto library = load_library(config_dir());
  if (!library) return report_errors(library.error());
  const auto all = read_inventories(options.import.files, options.import.kind);
  if (!all) return report_errors(all.error());
  if (all->hosts.empty()) {
    write_message("vgsim: the files describe no host\n");
    return kBadInput;
  }
  std::string text;
  for (const auto& host : all->hosts) {
    if (!text.empty()) text += '\n';
    text += host_tree_text(host, library->catalog) + '\n' +
            path_matrix_text(topology::inventory::path_classes(host));
    if (!options.against) continue;
    const auto comparison = server_comparison(host, *options.against, library->catalog);
    if (!comparison) return report_errors(comparison.error());
    text += '\n' + *comparison;
  }
  write_result(safe(text), options.out);
  if (!all->warnings.empty()) write_message(input::render(all->warnings));
  return kDone;
}

}  // namespace vgsim::cli
