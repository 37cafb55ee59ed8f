#pragma once

#include <cstddef>
#include <optional>
#include <vector>

namespace vgsim::calibration {

/// The residual of a fit for one measurement: measured over predicted.
struct Residual {
  double octave = 0;     ///< base-2 logarithm of the message size
  double logarithm = 0;  ///< natural logarithm of measured over predicted
  bool outlier = false;  ///< in the fit
};

/// Residuals of one collective by size, smoothed over neighbouring sizes.
///
/// An outlier is ignored if both neighbours, with half and twice its size, disagree with it, that
/// is, do not deviate in the same direction by at least half as much: a deviation without such
/// neighbours is a glitch, a shared one is behaviour of the machine.
class SmoothResiduals {
 public:
  explicit SmoothResiduals(std::vector<Residual> residuals);

  /// The weighted mean near a size (normal kernel of 0.7 octaves).
  [[nodiscard]] double at(double octave) const { return mean(octave, std::nullopt); }

  /// The distance of each residual from the prediction of the others at its size; 0 for a single
  /// one.
  [[nodiscard]] std::vector<double> surprises() const;

 private:
  [[nodiscard]] double mean(double octave, std::optional<std::size_t> left_out) const;

  std::vector<Residual> residuals_;
  std::vector<bool> counts_;
};

}  // namespace vgsim::calibration
