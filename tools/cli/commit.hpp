#pragma once

namespace vgsim::cli {

/// The commit that the program was built from: "305e434", with "-dirty" behind it where files had
/// been changed since; empty where that is not known. Told by the build to the program alone, so
/// that a commit lets nothing else be linked again.
[[nodiscard]] const char* commit();

}  // namespace vgsim::cli
