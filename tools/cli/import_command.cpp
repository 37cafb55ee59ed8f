#include <fmt/format.h>

#include <filesystem>

#include "models/traces/trace_facts.hpp"
#include "models/traces/trace_file.hpp"
#include "models/traces/traced_network.hpp"
#include "tools/cli/commands.hpp"
#include "tools/cli/exit_code.hpp"
#include "tools/cli/output.hpp"
#include "topology/input/diagnostics.hpp"

namespace vgsim::cli {
namespace {

/// "resnet" of "runs/resnet.pt.trace.json.gz", with letters, digits and "-" alone.
std::string name_of(const std::string& file) {
  std::filesystem::path path = std::filesystem::path(file).filename();
  for (const char* ending : {".gz", ".json", ".et", ".trace", ".pt"}) {
    if (path.extension() == ending) path = path.stem();
  }
  std::string name = path.string();
  for (char& c : name) {
    const bool plain = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    if (!plain) c = '-';
  }
  return name.empty() ? "traced" : name;
}

void add_lines(const char* title, const std::vector<std::string>& lines, std::string& text) {
  for (const std::string& line : lines) text += fmt::format("{:>9}  {}\n", title, line);
}

}  // namespace

int import_command(const Options& options) {
  const ImportOptions& import = options.import;
  const auto trace = traces::read_trace_file(import.file);
  if (!trace) {
    return report_errors(trace.error());
  }
  const std::string name = import.name.empty() ? name_of(import.file) : import.name;
  const auto network = traces::network_of(*trace, {name, import.file, import.batch});
  if (!network) {
    std::string text;
    add_lines("found", traces::measured_facts(*trace), text);
    write_message(text + input::render(network.error()));
    return kBadInput;
  }
  write_result(network->network, options.out);
  std::string text;
  add_lines("found", network->found, text);
  add_lines("assumed", network->assumed, text);
  add_lines("skipped", network->skipped, text);
  add_lines("job", {network->job}, text);
  write_message(text);
  return kDone;
}

}  // namespace vgsim::cli
