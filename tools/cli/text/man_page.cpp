#include "tools/cli/text/man_page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <span>
#include <sstream>
#include <string_view>
#include <vector>

#include "tools/cli/reference/program_facts.hpp"
#include "tools/text/table.hpp"

namespace vgsim::cli {
namespace {

constexpr const char* kDescription = R"(.PP
A
.I scenario
is a JSON file that says which hosts, VMs and GPUs there are, and which job
runs on them.
Results go to standard output, messages and progress to standard error.
Files that are named with
.B \-o
are written whole or not at all.
.PP
Each command has
.BR \-\-help .
)";

constexpr const char* kFiles = R"(.SH FILES
.TP
.I configs/catalog
Parts: GPUs, NICs, CPUs, servers, switches, with the source of each figure.
.TP
.I configs/vsphere
Versions, profiles and rules of vSphere.
.TP
.IR configs/networks ,\~ configs/parameters ,\~ configs/calibrations
Networks, model constants, and what was fitted to measurements.
.TP
.I configs/scenarios
Scenarios to begin with.
.TP
.I configs/schema
JSON Schema of each kind of file, for editors.
)";

/// Escapes a text for roff. Blank lines and line breaks become blanks.
std::string roff(const std::string& text) {
  std::string result;
  for (const char c : text) {
    switch (c) {
      case '\\':
        result += "\\e";
        break;
      case '-':
        result += "\\-";
        break;
      case '\'':
        result += "\\(aq";
        break;
      case '`':
        result += "\\(ga";
        break;
      case '^':
        result += "\\(ha";
        break;
      case '~':
        result += "\\(ti";
        break;
      case '"':
        result += "\\(dq";
        break;
      case '\n':
        result += ' ';
        break;
      default:
        result += c;
    }
  }
  return result.starts_with('.') ? "\\&" + result : result;
}

/// Text to be filled, in short lines, none of which begins like a roff request.
std::string filled(const std::string& text) {
  constexpr std::size_t kWidth = 78;
  std::istringstream lines(text::wrap(text, 0, kWidth));
  std::string result;
  for (std::string line; std::getline(lines, line);) result += roff(line) + "\n";
  return result;
}

/// "Prints it." of "prints it".
std::string sentence(std::string text) {
  if (text.empty()) return text;
  text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
  return text.back() == '.' ? text : text + ".";
}

std::string bold(const std::string& text) { return "\\fB" + roff(text) + "\\fR"; }
std::string italic(const std::string& text) { return "\\fI" + roff(text) + "\\fR"; }

/// Unfilled lines.
std::string example(const std::string& text) {
  std::string result = ".EX\n";
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) result += roff(line) + "\n";
  return result + ".EE\n";
}

/// Appends the choices if the description does not list them.
std::string describe(const Argument& argument) {
  std::string text = argument.description;
  const auto is_told = [&](const std::string& choice) { return text.find(choice) != text.npos; };
  if (!std::all_of(argument.choices.begin(), argument.choices.end(), is_told)) {
    text +=
        fmt::format("{}one of: {}", text.empty() ? "" : "; ", fmt::join(argument.choices, ", "));
  }
  return text.empty() ? "\\&\n" : filled(text);
}

bool is_help(const Argument& option) { return option.names.back() == "--help"; }

std::string entry(const Argument& argument) {
  std::vector<std::string> names;
  const bool positional = !argument.names.front().starts_with('-');
  for (const std::string& name : argument.names) names.push_back(bold(name));
  std::string head =
      positional ? italic(argument.label) : fmt::format("{}", fmt::join(names, ", "));
  if (!positional && argument.takes_value()) head += " " + italic(argument.label);
  return fmt::format(".TP\n{}\n{}", head, describe(argument));
}

/// "vgsim run [options] SCENARIO.json"
std::string synopsis(const std::string& path, const Command& command) {
  std::string text = bold(path);
  bool options = false;
  for (const Argument& option : command.options) {
    if (option.required) {
      text += " " + bold(option.names.back()) + " " + italic(option.label);
    } else {
      options = options || !is_help(option);
    }
  }
  if (options) text += " [options]";
  if (!command.commands.empty()) text += " " + italic("COMMAND");
  for (const Argument& each : command.positionals) {
    const std::string name = italic(each.label) + (each.repeats ? " ..." : "");
    text += each.required ? " " + name : " [" + name + "]";
  }
  return text;
}

std::string command_section(const std::string& path, const Command& command) {
  std::string text =
      fmt::format(".SS {}\n{}\n", synopsis(path, command), roff(sentence(command.description)));
  for (const Argument& each : command.positionals) text += entry(each);
  for (const Argument& each : command.options) {
    if (!is_help(each)) text += entry(each);
  }
  const std::size_t start = command.footer.find_first_not_of('\n');
  if (start != std::string::npos) text += ".PP\n" + example(command.footer.substr(start));
  for (const Command& each : command.commands) {
    text += command_section(path + " " + each.name, each);
  }
  return text;
}

std::string facts_section(const char* title, std::span<const ProgramFact> facts) {
  std::string text = fmt::format(".SH {}\n", title);
  for (const ProgramFact& fact : facts) {
    text += fmt::format(".TP\n{}\n{}", bold(fact.word), filled(fact.about));
  }
  return text;
}

/// The lines below "Examples:" in the help, up to the next blank line.
std::string examples_of(const std::string& footer) {
  constexpr std::string_view kHead = "Examples:\n";
  const std::size_t head = footer.find(kHead);
  if (head == footer.npos) return {};
  const std::size_t start = head + kHead.size();
  const std::size_t end = footer.find("\n\n", start);
  return footer.substr(start, end == footer.npos ? end : end - start);
}

/// "simulates training jobs" of "Simulates training jobs."
std::string name_line(std::string description) {
  if (description.empty()) return description;
  description[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(description[0])));
  if (description.back() == '.') description.pop_back();
  return roff(description);
}

}  // namespace

std::string man_page(const Command& program, const std::string& version) {
  std::string text = fmt::format(".TH VGSIM 1 \"\" \"vgsim {}\" \"User Commands\"\n", version);
  text += fmt::format(".SH NAME\n{} \\- {}\n", program.name, name_line(program.description));
  text += fmt::format(".SH SYNOPSIS\n{}\n", synopsis(program.name, program));
  text += fmt::format(".SH DESCRIPTION\n{}", filled(sentence(program.description)));
  text += kDescription;
  text += ".SH OPTIONS\n";
  for (const Argument& option : program.options) text += entry(option);
  text += ".SH COMMANDS\n";
  for (const Command& each : program.commands) {
    text += command_section(program.name + " " + each.name, each);
  }
  text += facts_section("EXIT STATUS", kExitStatus) + facts_section("ENVIRONMENT", kEnvironment);
  text += kFiles;
  const std::string examples = examples_of(program.footer);
  if (!examples.empty()) text += ".SH EXAMPLES\n" + example(examples);
  return text;
}

}  // namespace vgsim::cli
