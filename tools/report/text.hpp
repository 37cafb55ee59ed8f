#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace vgsim::report {

/// The text as it may stand in HTML and SVG, between tags and in quoted attributes.
[[nodiscard]] std::string escaped(std::string_view text);

/// The text as it may stand in a cell of a Markdown table, or in a paragraph: with arrows, and
/// nothing in it marks anything up.
[[nodiscard]] std::string escaped_markdown(std::string_view text);

/// Links as they are drawn: "esx01/vmnic4 \u2192 leaf1" for "esx01/vmnic4 -> leaf1".
[[nodiscard]] std::string with_arrows(std::string_view text);

/// The same as escaped(), with arrows, and figures and their units kept in one line: "12.5 ms", "38
/// %".
[[nodiscard]] std::string typeset(std::string_view text);

/// A figure, with its thousands set apart from five digits on: "102,283.5/s".
[[nodiscard]] std::string grouped(std::string figure);

/// JSON that nothing in it can end a script element.
[[nodiscard]] std::string escaped_json(std::string_view json);

/// How wide a text is at most at that font size, in the units of the size: with the widths of
/// Helvetica, to which Arial, Liberation Sans and most fonts of systems keep within a few percent.
[[nodiscard]] double text_width(std::string_view text, double size);

/// The text, cut and ended with an ellipsis where it is wider than that.
[[nodiscard]] std::string shortened(std::string_view text, double size, double width);

/// The text in lines that are not wider than that, broken at blanks; at most so many, the last one
/// shortened.
[[nodiscard]] std::vector<std::string> lines_of(std::string_view text, double size, double width,
                                                std::size_t most);

}  // namespace vgsim::report
