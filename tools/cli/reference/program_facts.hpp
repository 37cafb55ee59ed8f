#pragma once

namespace vgsim::cli {

/// A word of the program's surroundings and what it means, for the manual page and tools/README.md.
struct ProgramFact {
  const char* word;
  const char* about;
};

inline constexpr ProgramFact kExitStatus[] = {
    {"0", "Done."},
    {"1",
     "An expectation failed: a limit of a score or check was missed, or vSphere refuses a "
     "layout."},
    {"2", "The input or the usage is wrong; all that is wrong with it is said at once."},
    {"3", "A bug in vgsim."},
    {"4", "A limit of time, memory or events stopped it."},
};

inline constexpr ProgramFact kEnvironment[] = {
    {"VGSIM_CONFIGS",
     "Folder with catalogue, networks, parameters and schemas, instead of the one that came with "
     "the program."},
    {"NO_COLOR", "Where it is set and not empty, nothing is coloured."},
};

}  // namespace vgsim::cli
