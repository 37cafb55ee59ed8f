#pragma once

#include <cstddef>
#include <string>

namespace vgsim::text {

/// "12.5 %"; `share` is from 0 to 1.
[[nodiscard]] std::string percent(double share);

/// "1.36 GB"; bytes that are not a whole number are shown like whole ones.
[[nodiscard]] std::string bytes_text(double bytes);

/// "4.32 h", "12.5 d", "265.3 ms".
[[nodiscard]] std::string duration_text(double seconds);

/// A word as a shell reads it, in quotes where it needs them.
[[nodiscard]] std::string shell_word(const std::string& word);

/// "1 GPU", "2 GPUs".
[[nodiscard]] std::string plural(std::size_t count, const char* one);

}  // namespace vgsim::text
