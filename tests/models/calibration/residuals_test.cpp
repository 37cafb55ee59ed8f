#include "models/calibration/residuals.hpp"

#include <gtest/gtest.h>

namespace vgsim::calibration {
namespace residuals_test {

TEST(Residuals, OfOneHeightStaySo) {
  const SmoothResiduals flat({{10, 0.2, false}, {11, 0.2, false}, {14, 0.2, false}});
  for (const double octave : {8.0, 10.5, 12.7, 20.0, 60.0}) EXPECT_NEAR(flat.at(octave), 0.2, 1e-9);
  for (const double surprise : flat.surprises()) EXPECT_NEAR(surprise, 0.0, 1e-9);
}

TEST(Residuals, AnOutlierBetweenNeighboursThatDisagreeDoesNotCount) {
  const SmoothResiduals glitch({{10, 0.01, false}, {11, 0.9, true}, {12, 0.01, false}});
  EXPECT_NEAR(glitch.at(11), 0.01, 1e-9);
}

TEST(Residuals, AnOutlierThatANeighbourSharesCounts) {
  const SmoothResiduals hump(
      {{10, 0.01, false}, {11, 0.9, true}, {12, 0.8, true}, {13, 0.01, false}});
  EXPECT_GT(hump.at(11), 0.5);
}

TEST(Residuals, WithoutNearNeighboursNothingTellsAnOutlierFromTheMachine) {
  const SmoothResiduals sparse({{10, 0.01, false}, {12, 0.9, true}, {14, 0.01, false}});
  EXPECT_GT(sparse.at(12), 0.8);
}

TEST(Residuals, OneAloneSurprisesByItself) {
  EXPECT_EQ(SmoothResiduals({{10, 0.3, false}}).surprises(), (std::vector<double>{0.3}));
}

}  // namespace residuals_test
}  // namespace vgsim::calibration
