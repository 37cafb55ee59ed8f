// Parts of a score by the number of measured machines like those of a case.

#include "models/scoring/likeness.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

namespace vgsim::scoring {
namespace likeness_test {

TEST(Likeness, EachNumberOfMachinesHasOneOfTheShownParts) {
  const std::vector<std::string> parts = with_likeness_parts({"all"});
  EXPECT_EQ(parts.front(), "all");
  std::set<std::string> seen;
  std::size_t last = 1;
  for (const std::size_t machines : std::vector<std::size_t>{0, 1, 2, 5, 6, 1000}) {
    const auto found = std::find(parts.begin() + 1, parts.end(), tag_of_likeness(machines));
    ASSERT_NE(found, parts.end()) << machines;
    const auto place = static_cast<std::size_t>(found - parts.begin());
    EXPECT_GE(place, last) << machines;
    last = place;
    seen.insert(*found);
  }
  EXPECT_EQ(seen.size() + 1, parts.size());
  EXPECT_NE(tag_of_likeness(1), tag_of_likeness(2));
  EXPECT_NE(tag_of_likeness(5), tag_of_likeness(6));
}

}  // namespace likeness_test
}  // namespace vgsim::scoring
