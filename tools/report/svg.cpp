#include "tools/report/svg.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstdlib>

#include "tools/report/text.hpp"

namespace vgsim::report {
namespace {

/// With one decimal, none if it is 0.
std::string number(double value) {
  const double tenths = std::round(value * 10);
  if (std::fmod(tenths, 10) == 0) return fmt::format("{:.0f}", tenths / 10 + 0.0);
  return fmt::format("{:.1f}", tenths / 10);
}

std::string places(const std::vector<Point>& points) {
  std::string text;
  for (const Point& point : points) {
    if (!text.empty()) text += ' ';
    text += number(point.x) + ',' + number(point.y);
  }
  return text;
}

}  // namespace

void Svg::shape(const std::string& tag_and_places, Look look) {
  const std::string_view tag = std::string_view(tag_and_places).substr(0, tag_and_places.find(' '));
  body_ += fmt::format("<{} class=\"{}\"", tag_and_places, look.classes);
  if (!look.of.empty()) body_ += fmt::format(" data-of=\"{}\"", escaped(look.of));
  body_ += look.title.empty() ? std::string("/>")
                              : fmt::format("><title>{}</title></{}>", escaped(look.title), tag);
}

void Svg::rect(double x, double y, double width, double height, Look look, double radius) {
  const std::string corners =
      radius > 0 ? fmt::format(" rx=\"{}\"", number(radius)) : std::string();
  shape(fmt::format("rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"{}", number(x), number(y),
                    number(width), number(height), corners),
        look);
}

void Svg::rects(const std::vector<Box>& boxes, Look look) {
  std::string path;
  for (const Box& box : boxes) {
    path += fmt::format("M{} {}h{}v{}h-{}z", number(box.x), number(box.y), number(box.width),
                        number(box.height), number(box.width));
  }
  shape(fmt::format("path d=\"{}\"", path), look);
}

void Svg::line(Point from, Point to, Look look) {
  shape(fmt::format("line x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\"", number(from.x), number(from.y),
                    number(to.x), number(to.y)),
        look);
}

void Svg::polyline(const std::vector<Point>& points, Look look) {
  shape(fmt::format("polyline points=\"{}\"", places(points)), look);
}

void Svg::polygon(const std::vector<Point>& points, Look look) {
  shape(fmt::format("polygon points=\"{}\"", places(points)), look);
}

void Svg::circle(Point centre, double radius, Look look) {
  shape(fmt::format("circle cx=\"{}\" cy=\"{}\" r=\"{}\"", number(centre.x), number(centre.y),
                    number(radius)),
        look);
}

void Svg::text(Point at, std::string_view text, Look look, Anchor anchor) {
  if (text.empty()) return;
  const char* const ends = anchor == Anchor::kStart    ? ""
                           : anchor == Anchor::kMiddle ? " text-anchor=\"middle\""
                                                       : " text-anchor=\"end\"";
  const std::string classes =
      look.classes.empty() ? std::string() : fmt::format(" class=\"{}\"", look.classes);
  const std::string title =
      look.title.empty() ? std::string() : fmt::format("<title>{}</title>", escaped(look.title));
  body_ += fmt::format("<text x=\"{}\" y=\"{}\"{}{}>{}{}</text>", number(at.x), number(at.y), ends,
                       classes, escaped(with_arrows(text)), title);
}

std::string Svg::finish(double height, std::string_view classes, std::string_view title,
                        std::string_view description) const {
  return fmt::format(
      "<svg class=\"{}\" viewBox=\"0 0 {} {}\" role=\"img\"><title>{}</title><desc>{}</desc>"
      "{}</svg>",
      classes, number(width_), number(height), escaped(title), escaped(description), body_);
}

double height_of(std::string_view svg) {
  constexpr std::string_view kBox = "viewBox=\"0 0 ";
  const std::size_t box = svg.find(kBox);
  if (box == std::string_view::npos) return 0;
  const std::size_t blank = svg.find(' ', box + kBox.size());
  return blank == std::string_view::npos ? 0
                                         : std::atof(std::string(svg.substr(blank, 16)).c_str());
}

}  // namespace vgsim::report
