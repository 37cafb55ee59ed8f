#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace vgsim::report {

/// Appearance and tooltip of a shape: classes of style.cpp, separated by blanks.
struct Look {
  std::string_view classes;
  std::string_view title = {};
  std::string_view of = {};  ///< name of the shown object: "esx01/gpu0"
};

/// A rectangle by its upper left corner.
struct Box {
  double x = 0;
  double y = 0;
  double width = 0;
  double height = 0;
};

struct Point {
  double x = 0;
  double y = 0;
};

enum class Anchor { kStart, kMiddle, kEnd };

/// A drawing, built shape by shape; colours are given by classes only, so that they follow the
/// theme. Texts are escaped. Coordinates have one decimal.
class Svg {
 public:
  explicit Svg(double width) : width_(width) {}

  void rect(double x, double y, double width, double height, Look look, double radius = 0);
  /// Many rectangles of one style, without rounded corners, in one path, which is much shorter than
  /// separate elements.
  void rects(const std::vector<Box>& boxes, Look look);
  void line(Point from, Point to, Look look);
  /// An open line through points.
  void polyline(const std::vector<Point>& points, Look look);
  void polygon(const std::vector<Point>& points, Look look);
  void circle(Point centre, double radius, Look look);
  /// `at`: left end, middle or right end of the base line.
  void text(Point at, std::string_view text, Look look = {}, Anchor anchor = Anchor::kStart);

  [[nodiscard]] double width() const { return width_; }

  /// The whole drawing, `height` high, with a title and a description for screen readers;
  /// `classes` as in Look.
  [[nodiscard]] std::string finish(double height, std::string_view classes, std::string_view title,
                                   std::string_view description) const;

 private:
  void shape(const std::string& tag_and_places, Look look);

  double width_;
  std::string body_;
};

/// The height of a drawing made by Svg::finish(); 0 if the text is none.
[[nodiscard]] double height_of(std::string_view svg);

}  // namespace vgsim::report
