#include <fmt/core.h>

#include "tools/cli/commands.hpp"
#include "tools/cli/config_files.hpp"
#include "tools/cli/exit_code.hpp"
#include "tools/cli/output.hpp"
#include "tools/cli/table.hpp"
#include "tools/cli/words.hpp"
#include "topology/input/suggest.hpp"

namespace vgsim::cli {
namespace {

std::string rules_text(const vsphere::Rules& rules) {
  std::size_t width = 0;
  for (const auto& [id, rule] : rules) width = std::max(width, id.size());
  std::string text;
  for (const auto& [id, rule] : rules) {
    text += fmt::format("{:<{}}  {:<8} {}\n", id, width, to_string(rule.verdict), rule.title);
  }
  return text + "\nvgsim explain RULE tells more about one.\n";
}

std::string rule_text(const vsphere::Rule& rule) {
  std::string text = fmt::format("{} ({})\n  {}\n\nwhy\n  {}\n\nwhat to do\n  {}\n\nsources\n",
                                 rule.id, to_string(rule.verdict), wrap(rule.title, 2),
                                 wrap(rule.why, 2), wrap(rule.remedy, 2));
  for (const vsphere::Citation& source : rule.sources) {
    text += "  " + wrap(fmt::format("- {} ({})", source.title, source.evidence), 4) + "\n";
    if (!source.url.empty()) text += fmt::format("    {}\n", source.url);
  }
  return text;
}

}  // namespace

int explain_command(const Options& options) {
  const auto library = load_library(config_dir());
  if (!library) {
    write_message(input::render(library.error()));
    return kBadInput;
  }
  const vsphere::Rules& rules = library->vsphere.rules;
  if (options.name.empty()) {
    write_result(rules_text(rules), options.out);
    return kDone;
  }
  const auto found = rules.find(options.name);
  if (found != rules.end()) {
    write_result(rule_text(found->second), options.out);
    return kDone;
  }
  std::vector<std::string> known;
  for (const auto& [id, rule] : rules) known.push_back(id);
  const auto near = input::suggest(options.name, known);
  write_message(fmt::format("vgsim: no rule \"{}\"{}; vgsim explain lists them\n", options.name,
                            near.empty() ? "" : fmt::format("; did you mean \"{}\"?", near[0])));
  return kBadInput;
}

}  // namespace vgsim::cli
