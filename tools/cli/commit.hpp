#pragma once

namespace vgsim::cli {

/// The commit that the program was built from: "305e434", with "-dirty" appended if files had
/// been changed; empty if unknown. Compiled into the program only, so that a commit relinks
/// nothing else.
[[nodiscard]] const char* commit();

}  // namespace vgsim::cli
