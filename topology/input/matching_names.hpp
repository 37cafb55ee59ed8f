#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace vgsim::input {

/// A name with its aliases.
struct KnownName {
  std::string name;
  std::vector<std::string> others;  ///< titles and aliases
};

/// The names that match a text, in alphabetical order; empty if none does.
///
/// The first of these rules that matches any name applies: the name itself; a name or alias with
/// the same words; one that contains these words in sequence; one that contains them anywhere.
/// Words are runs of letters, digits and "."; case and separators are ignored. A word of letters
/// also matches a word with a number after it ("sxm" matches "sxm5"), but "a10" does not match
/// "a100".
[[nodiscard]] std::vector<std::string> matching_names(std::string_view text,
                                                      const std::vector<KnownName>& known);

/// The names that, or whose alias, consist of exactly these words, in alphabetical order.
[[nodiscard]] std::vector<std::string> exactly_matching_names(std::string_view text,
                                                              const std::vector<KnownName>& known);

/// The same as matching_names, for names without aliases.
[[nodiscard]] std::vector<std::string> matching_names(std::string_view text,
                                                      const std::vector<std::string>& names);

}  // namespace vgsim::input
