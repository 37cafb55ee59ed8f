#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace vgsim::report {

/// The text escaped for HTML and SVG, between tags and in quoted attributes.
[[nodiscard]] std::string escaped(std::string_view text);

/// The text escaped for Markdown, in a table cell or a paragraph, with arrows.
[[nodiscard]] std::string escaped_markdown(std::string_view text);

/// Links with typographic arrows: "esx01/vmnic4 \u2192 leaf1" for "esx01/vmnic4 -> leaf1".
[[nodiscard]] std::string with_arrows(std::string_view text);

/// The same as escaped(), with arrows, and without line breaks between figures and units: "12.5
/// ms", "38 %".
[[nodiscard]] std::string typeset(std::string_view text);

/// A figure with grouped thousands, from five digits on: "102,283.5/s".
[[nodiscard]] std::string grouped(std::string figure);

/// JSON escaped for a script element.
[[nodiscard]] std::string escaped_json(std::string_view json);

/// An upper bound of the width of a text at that font size, in the units of the size: with the
/// metrics of Helvetica, from which Arial, Liberation Sans and most system fonts differ by a
/// few percent.
[[nodiscard]] double text_width(std::string_view text, double size);

/// The text, cut with an ellipsis if it is wider.
[[nodiscard]] std::string shortened(std::string_view text, double size, double width);

/// The text in lines of at most that width, broken at blanks; at most that many, the last one
/// shortened.
[[nodiscard]] std::vector<std::string> lines_of(std::string_view text, double size, double width,
                                                std::size_t most);

}  // namespace vgsim::report
