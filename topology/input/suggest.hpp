#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace vgsim::input {

/// Number of insertions, deletions, replacements and transpositions between two words, with no part
/// edited twice ("optimal string alignment"). Bytes; ASCII case is ignored.
[[nodiscard]] std::size_t edit_distance(std::string_view a, std::string_view b);

/// The candidates nearest to `word`, at most three, best first; equally near ones in alphabetical
/// order. A candidate is near if its distance is at most max(2, size of word / 3) and smaller than
/// its own size. If none is near, those whose first part is the beginning of the word: "batch_per_gpu"
/// for "batchsize". Words beyond 100 bytes get no suggestions.
[[nodiscard]] std::vector<std::string> suggest(std::string_view word,
                                               const std::vector<std::string>& candidates);

/// "one of: a, b": all if they are few; otherwise the nearest eight, the number of others, and the
/// command that lists them: "... and 40 more: vgsim catalog gpus".
[[nodiscard]] std::string one_of(std::string_view word, std::vector<std::string> known,
                                 std::string_view listed_by = {});

}  // namespace vgsim::input
