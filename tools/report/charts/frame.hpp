#pragma once

#include <string_view>

namespace vgsim::report {

/// The room that a chart is drawn for. Each is drawn twice, for wide and for narrow pages, as text
/// would be too small, or too large, on one of them if the drawing were only scaled.
struct Frame {
  double width = 880;
  bool narrow = false;

  /// Class of style.cpp that shows the drawing on such pages alone.
  [[nodiscard]] std::string_view look() const { return narrow ? "narrow" : "wide"; }
};

inline constexpr Frame kWide{880, false};
inline constexpr Frame kNarrow{360, true};

/// Font sizes of style.cpp.
inline constexpr double kTextSize = 12;
inline constexpr double kNameSize = 13;

}  // namespace vgsim::report
