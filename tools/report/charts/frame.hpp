#pragma once

#include <string_view>

namespace vgsim::report {

/// The size of a drawing. Each chart is drawn for wide and for narrow pages, as scaling alone
/// would make its text too small or too large.
struct Frame {
  double width = 880;
  bool narrow = false;

  /// Class of style.cpp that shows the drawing only on such pages.
  [[nodiscard]] std::string_view look() const { return narrow ? "narrow" : "wide"; }
};

inline constexpr Frame kWide{880, false};
inline constexpr Frame kNarrow{360, true};

/// Font sizes of style.cpp.
inline constexpr double kTextSize = 12;
inline constexpr double kNameSize = 13;

}  // namespace vgsim::report
