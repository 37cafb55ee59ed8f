#pragma once

#include <cstddef>
#include <optional>
#include <vector>

namespace vgsim::calibration {

/// What a fit leaves of one measurement: measured over predicted.
struct Residual {
  double octave = 0;     ///< logarithm of the message size, to the base of 2
  double logarithm = 0;  ///< of measured over predicted
  bool outlier = false;  ///< of the fit
};

/// Residuals of one collective in order of size, smoothed over neighbouring sizes.
///
/// An outlier does not count between two neighbours of half and twice its size that disagree with
/// it, that is, are not off to the same side by half as much: what no neighbour shares is a glitch,
/// what they share is how the machine behaves.
class SmoothResiduals {
 public:
  explicit SmoothResiduals(std::vector<Residual> residuals);

  /// The mean near a size, the nearer the more (a normal kernel of 0.7 octaves).
  [[nodiscard]] double at(double octave) const { return mean(octave, std::nullopt); }

  /// How far each is from what the others say of its size; from 0 for one alone.
  [[nodiscard]] std::vector<double> surprises() const;

 private:
  [[nodiscard]] double mean(double octave, std::optional<std::size_t> left_out) const;

  std::vector<Residual> residuals_;
  std::vector<bool> counts_;
};

}  // namespace vgsim::calibration
