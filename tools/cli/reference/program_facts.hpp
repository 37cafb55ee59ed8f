#pragma once

namespace vgsim::cli {

/// An entry of the manual page and tools/README.md, such as an environment variable, and its
/// meaning.
struct ProgramFact {
  const char* word;
  const char* about;
};

inline constexpr ProgramFact kExitStatus[] = {
    {"0", "Done."},
    {"1",
     "An expectation failed: a limit of a score or check was missed, or vSphere refuses a "
     "layout."},
    {"2", "The input or the usage is wrong; all errors are reported at once."},
    {"3", "A bug in vgsim."},
    {"4", "A limit of time, memory or events stopped it."},
};

inline constexpr ProgramFact kEnvironment[] = {
    {"VGSIM_CONFIGS",
     "Folder with catalogue, networks, parameters and schemas, instead of the one that came with "
     "the program."},
    {"NO_COLOR", "If set and not empty, output is not coloured."},
};

}  // namespace vgsim::cli
