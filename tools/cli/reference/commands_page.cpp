#include "tools/cli/reference/commands_page.hpp"

#include <fmt/format.h>

#include <cctype>
#include <sstream>

#include "tools/cli/reference/program_facts.hpp"
#include "tools/text/table.hpp"

namespace vgsim::cli {
namespace {

constexpr std::size_t kCommandsWidth = 80;

std::string entry_of(const std::string& words, const std::string& about) {
  return text::wrap(fmt::format("* `{}`{}{}", words, about.empty() ? "" : ": ", about), 2,
                    kCommandsWidth) +
         "\n";
}

/// "-o, --out FILE"
std::string argument_words(const Argument& argument) {
  if (!argument.names.front().starts_with('-')) return argument.label;
  const std::string names = fmt::format("{}", fmt::join(argument.names, ", "));
  return argument.takes_value() ? names + " " + argument.label : names;
}

std::string synopsis_line(const std::string& path, const Command& command) {
  std::string text = path;
  bool optional = false;
  for (const Argument& option : command.options) {
    if (option.required) text += fmt::format(" {} {}", option.names.back(), option.label);
    optional = optional || (!option.required && option.names.back() != "--help");
  }
  if (optional) text += " [options]";
  for (const Argument& each : command.positionals) {
    const std::string name = each.label + (each.repeats ? " ..." : "");
    text += each.required ? " " + name : " [" + name + "]";
  }
  return text;
}

/// `vgsim run x.json     what it does` with a "#" before the description.
std::string as_shell_line(const std::string& line) {
  const std::size_t gap = line.find("   ");
  if (gap == line.npos) return line;
  const std::size_t words = line.find_first_not_of(' ', gap);
  return line.substr(0, gap) + "  # " + line.substr(words);
}

/// The footer of a command's help: sentences, examples and other indented lines.
class FooterText {
 public:
  std::string of(const std::string& footer) {
    std::istringstream lines(footer);
    for (std::string line; std::getline(lines, line);) add(line);
    end_sentences();
    end_lines();
    return text_;
  }

 private:
  void add(const std::string& line) {
    if (line.starts_with("  ")) {
      end_sentences();
      lines_ += (examples_ ? as_shell_line(line.substr(2)) : line.substr(2)) + "\n";
      return;
    }
    end_lines();
    if (line == "Examples:") {
      examples_ = true;
    } else if (line.empty()) {
      end_sentences();
    } else {
      sentences_ += (sentences_.empty() ? "" : " ") + line;
    }
  }

  void end_sentences() {
    if (!sentences_.empty()) text_ += "\n" + text::wrap(sentences_, 0, kCommandsWidth) + "\n";
    sentences_.clear();
  }

  void end_lines() {
    if (lines_.empty()) return;
    text_ += fmt::format("\n```{}\n{}```\n", examples_ ? "sh" : "text", lines_);
    lines_.clear();
    examples_ = false;
  }

  std::string text_;
  std::string sentences_;
  std::string lines_;
  bool examples_ = false;
};

std::string command_text(const std::string& path, const Command& command) {
  std::string about = command.description;
  if (!about.empty()) {
    about[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(about[0])));
  }
  std::string text =
      fmt::format("### {}\n\n{}.\n\n```text\n{}\n```\n\n", path,
                  text::wrap(about, 0, kCommandsWidth), synopsis_line(path, command));
  for (const Argument& each : command.positionals)
    text += entry_of(argument_words(each), each.description);
  for (const Argument& each : command.options) {
    if (each.names.back() != "--help") text += entry_of(argument_words(each), each.description);
  }
  text += FooterText().of(command.footer);
  for (const Command& each : command.commands) {
    text += "\n" + command_text(path + " " + each.name, each);
  }
  return text;
}

}  // namespace

std::string commands_page(const Command& program) {
  std::string text;
  for (const Command& each : program.commands) {
    text += command_text(program.name + " " + each.name, each) + "\n";
  }
  text += "### Exit status\n\n";
  for (const ProgramFact& fact : kExitStatus) text += entry_of(fact.word, fact.about);
  text += "\n### Environment\n\n";
  for (const ProgramFact& fact : kEnvironment) text += entry_of(fact.word, fact.about);
  return text;
}

}  // namespace vgsim::cli
