#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace vgsim::input {

/// Something that can be named, and what else people call it.
struct KnownName {
  std::string name;
  std::vector<std::string> others;  ///< titles and aliases
};

/// The names that a person may have meant by a text, in alphabetical order; none if nothing fits.
///
/// The first of these that finds any: the name itself; a name, or what else it is called, of the
/// same words; one that holds these words in a row; one that holds them anywhere. Words are runs of
/// letters, digits and "."; case and what separates them do not matter. A word of letters alone
/// stands for one with a number behind it as well ("sxm" for "sxm5"), but "a10" is not "a100".
[[nodiscard]] std::vector<std::string> meant_names(std::string_view text,
                                                   const std::vector<KnownName>& known);

/// Those that are called just so, in the same words, in alphabetical order.
[[nodiscard]] std::vector<std::string> names_called(std::string_view text,
                                                    const std::vector<KnownName>& known);

/// The same as meant_names where nothing is known but the names.
[[nodiscard]] std::vector<std::string> meant_names(std::string_view text,
                                                   const std::vector<std::string>& names);

}  // namespace vgsim::input
