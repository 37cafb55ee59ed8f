// Each hint has a condition on an error; the first error that meets it brings the hint, once.

#include "tools/cli/hints.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <string_view>

namespace vgsim::cli {
namespace {

using input::Diagnostic;

struct Hint {
  bool (*applies)(const Diagnostic&);
  const char* text;
};

/// The text of the line that an error is in, from its location on.
std::string_view written_at(const Diagnostic& error) {
  if (!error.location.source) return {};
  const std::string_view text = error.location.source->text;
  return text.substr(std::min(error.location.offset, text.size()));
}

bool is_key(const Diagnostic& error, std::string_view pointer) {
  return error.code == "E201" && error.pointer == pointer;
}

/// Whether the unknown key "format" has this value.
bool has_format(const Diagnostic& error, std::string_view format) {
  if (!is_key(error, "/format")) return false;
  const std::string_view line = written_at(error).substr(0, 60);
  return line.substr(0, line.find('\n')).find(format) != std::string_view::npos;
}

bool lacks_format(const Diagnostic& error, std::string_view format) {
  return error.code == "E202" && error.expected.find(format) != std::string::npos &&
         error.pointer.empty() && written_at(error).find("\"hosts\"") != std::string_view::npos;
}

constexpr std::array kHints{
    Hint{[](const Diagnostic& e) { return has_format(e, "vgsim.advice/"); },
         "this is a request for advice, not a scenario: vgsim advise FILE answers it"},
    Hint{[](const Diagnostic& e) { return has_format(e, "vgsim.sweep/"); },
         "this is a sweep, not a scenario: vgsim sweep FILE -o DIR runs it"},
    Hint{[](const Diagnostic& e) { return lacks_format(e, "vgsim.advice/"); },
         "this is a scenario: vgsim run FILE simulates it; a request for advice names it in "
         "\"scenario\" and states a \"goal\" (vgsim help advise)"},
    Hint{[](const Diagnostic& e) { return lacks_format(e, "vgsim.sweep/"); },
         "this is a scenario: vgsim run FILE simulates it; a sweep names it in \"scenario\" and "
         "states what it varies (vgsim help sweeps)"},
    Hint{[](const Diagnostic& e) {
           return e.code == "E206" && e.pointer.ends_with("/gpus/mode") &&
                  e.message.find("mig") != std::string::npos;
         },
         "a MIG instance is a vGPU with a MIG-backed profile: \"mode\": \"vgpu\", \"profile\": "
         "\"nvidia_h100-1-10c\"; vgsim catalog profiles lists them"},
};

/// Files of another version's configurations are read with the keys of this one.
std::string about_configs(const Diagnostic& error) {
  const char* set = std::getenv("VGSIM_CONFIGS");
  if (set == nullptr || *set == '\0' || !error.location.source) return {};
  const std::string& path = error.location.source->path;
  if (!path.starts_with(set)) return {};
  return fmt::format(
      "the configurations are those of {} (VGSIM_CONFIGS), which may be a copy of another "
      "version; unset VGSIM_CONFIGS, or copy the folder again and repeat its changes",
      set);
}

void add(std::string line, std::string& hints) {
  if (line.empty() || hints.find(line) != std::string::npos) return;
  hints += "hint: " + line + "\n";
}

}  // namespace

std::string hints_about(const input::Diagnostics& errors) {
  std::string hints;
  for (const Diagnostic& error : errors.items()) {
    for (const Hint& hint : kHints) {
      if (hint.applies(error)) add(hint.text, hints);
    }
    add(about_configs(error), hints);
  }
  return hints;
}

}  // namespace vgsim::cli
