#pragma once

#include <cstddef>
#include <string>

namespace vgsim::text {

/// "12.5 %"; `share` is from 0 to 1.
[[nodiscard]] std::string percent(double share);

/// "1.36 GB"; rounds bytes to whole numbers.
[[nodiscard]] std::string bytes_text(double bytes);

/// "4.32 h", "12.5 d", "265.3 ms".
[[nodiscard]] std::string duration_text(double seconds);

/// A word quoted for a shell where necessary.
[[nodiscard]] std::string shell_word(const std::string& word);

/// "1 GPU", "2 GPUs".
[[nodiscard]] std::string plural(std::size_t count, const char* one);

}  // namespace vgsim::text
