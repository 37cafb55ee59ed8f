#include <fmt/core.h>

#include <algorithm>
#include <span>
#include <string>
#include <vector>

#include "topology/importers/infragraph/infragraph_parser.hpp"
#include "topology/importers/infragraph/yaml_reader.hpp"

namespace vgsim::topology::infragraph {
namespace {

std::vector<std::string_view> split(std::string_view text) {
  std::vector<std::string_view> parts;
  while (true) {
    const std::size_t end = std::min(text.find('.'), text.size());
    parts.push_back(text.substr(0, end));
    if (end == text.size()) return parts;
    text.remove_prefix(end + 1);
  }
}

bool is_index(std::string_view text) {
  return !text.empty() && text.size() <= 7 &&
         text.find_first_not_of("0123456789") == std::string_view::npos;
}

/// Name and index as a slice.
std::string slice(std::span<const std::string_view> parts) {
  return printable_line(fmt::format("{}[{}]", parts[0], parts[1]));
}

}  // namespace

std::optional<Edge> parse_connection(std::string_view text, bool of_instances, Place place) {
  const std::vector<std::string_view> parts = split(text);
  const std::size_t end = of_instances ? 4 : 2;  // parts of one end
  bool fits = parts.size() == 2 * end + 1;
  for (std::size_t i = 0; fits && i < end; i += 2) {
    fits = is_index(parts[i + 1]) && is_index(parts[end + 2 + i]);
  }
  if (!fits) return std::nullopt;
  const std::span<const std::string_view> all(parts);
  const auto endpoint = [&](std::size_t start) {
    const std::string first = slice(all.subspan(start, 2));
    return of_instances ? Endpoint{first, slice(all.subspan(start + 2, 2)), place}
                        : Endpoint{"", first, place};
  };
  return Edge{endpoint(0), endpoint(end + 1), Scheme::kOneToOne, printable_line(parts[end])};
}

}  // namespace vgsim::topology::infragraph
