#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace vgsim::input {

/// Names and their associated names, as texts with ranges that expand_names() expands.
struct FoldedNames {
  std::string names;   ///< "train[001-400]"
  std::string others;  ///< "esx[001-400]"
  std::size_t count = 0;
};

/// Folds names into as few texts with ranges as their numbers allow, of at most 1000 bytes each, in
/// natural order: "esx[01-04,07]" for esx01 to esx04 and esx07. Names must be unique and without
/// brackets.
[[nodiscard]] std::vector<FoldedNames> fold_names(const std::vector<std::string>& names);

/// The same for pairs: both texts expand to equally many names, and the n-th of one belongs to
/// the n-th of the other. First and second names must each be unique.
[[nodiscard]] std::vector<FoldedNames> fold_pairs(
    const std::vector<std::pair<std::string, std::string>>& pairs);

}  // namespace vgsim::input
