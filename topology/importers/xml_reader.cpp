#include "topology/importers/xml_reader.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <vector>

#include "topology/machine/import_codes.hpp"
#include "topology/machine/text.hpp"

namespace vgsim::topology {
namespace {

using input::Location;

/// Parses an attribute as a number; an out-of-range number is distinguished from other text.
template <class Number>
std::errc read_number(std::string_view text, Number& value, int base) {
  const char* end = text.data() + text.size();
  std::from_chars_result result{};
  if constexpr (std::is_integral_v<Number>) {
    result = std::from_chars(text.data(), end, value, base);
  } else {
    result = std::from_chars(text.data(), end, value);
  }
  if (result.ec == std::errc::invalid_argument || result.ptr != end) {
    return std::errc::invalid_argument;
  }
  return result.ec;
}

/// The last tag before the offset, without attributes ("<pci", "</cpu"), for messages about broken
/// XML.
std::string last_tag_before(std::string_view text, std::size_t offset) {
  const std::size_t open = text.substr(0, std::min(offset + 1, text.size())).rfind('<');
  if (open == text.npos) return {};
  const std::size_t start = open + (text.substr(open).starts_with("</") ? 2 : 1);
  const std::size_t end = std::min(text.find_first_of(" \t\r\n/>=\"'<", start), text.size());
  return std::string(text.substr(open, std::min<std::size_t>(end - open, 40)));
}

}  // namespace

std::size_t XmlReader::offset(pugi::xml_node node) const {
  return static_cast<std::size_t>(std::max<std::ptrdiff_t>(node.offset_debug(), 0));
}

Location XmlReader::at(pugi::xml_node node) const {
  return notes_.at(offset(node), std::string_view(node.name()).size());
}

Location XmlReader::at(pugi::xml_node node, pugi::xml_attribute attribute) const {
  // pugixml parses in place, so names and values are in one buffer with the layout of the text.
  const std::string_view value = attribute.value();
  const char* start = value.empty() ? attribute.name() : attribute.value();
  return notes_.at(offset(node) + static_cast<std::size_t>(start - node.name()), value.size());
}

void XmlReader::report_syntax(const pugi::xml_parse_result& result) {
  const auto offset = static_cast<std::size_t>(std::max<std::ptrdiff_t>(result.offset, 0));
  const std::string tag = last_tag_before(text_, offset);
  const std::string where = tag.empty() ? "" : fmt::format(" after {}>", tag);
  const bool at_end = text_.find_first_not_of(" \t\r\n", offset + 1) == text_.npos;
  if (result.status == pugi::status_no_document_element) {
    notes_.error(import_codes::kEndsEarly, notes_.at(0, 1), "the file contains no XML element");
  } else if (at_end) {
    notes_.error(import_codes::kEndsEarly, notes_.at(offset, 1),
                 fmt::format("the file ends too early{}", where));
  } else {
    notes_.error(import_codes::kBadXml, notes_.at(offset, 1),
                 fmt::format("malformed XML{}: {}", where, result.description()));
  }
}

void XmlReader::check_repeated_attributes(pugi::xml_node node) {
  std::vector<std::pair<std::string_view, pugi::xml_attribute>> attributes;
  for (const pugi::xml_attribute attribute : node.attributes()) {
    attributes.emplace_back(attribute.name(), attribute);
  }
  const auto less = [](const auto& a, const auto& b) { return a.first < b.first; };
  std::ranges::stable_sort(attributes, less);
  for (std::size_t i = 1; i < attributes.size(); ++i) {
    if (attributes[i].first != attributes[i - 1].first) continue;
    notes_.error(
        import_codes::kBadXml, at(node, attributes[i].second),
        fmt::format("<{}> has the attribute \"{}\" twice", node.name(), attributes[i].first));
  }
}

void XmlReader::check_node(pugi::xml_node node, std::size_t depth, const XmlLimits& limits) {
  switch (node.type()) {
    case pugi::node_doctype:
      if (limits.doctype == Doctype::kNamesFile &&
          std::string_view(node.value()).find('[') == std::string_view::npos) {
        return;
      }
      return notes_.error(import_codes::kForbiddenXml, notes_.at(offset(node), 1),
                          "a DOCTYPE, which may define entities", "none: no tool writes it");
    case pugi::node_pi:
      return notes_.error(import_codes::kForbiddenXml, at(node),
                          fmt::format("the processing instruction <?{}", node.name()));
    case pugi::node_element:
      if (depth == limits.depth + 1) {
        notes_.error(
            import_codes::kTooLarge, at(node),
            fmt::format("<{}> is nested more than {} levels deep", node.name(), limits.depth));
      }
      return check_repeated_attributes(node);
    default:
      return;
  }
}

void XmlReader::check_tree(const XmlLimits& limits) {
  std::size_t depth = 1;
  // Not recursive, because the depth is not limited yet.
  for (pugi::xml_node node = document_.first_child(); node;) {
    check_node(node, depth, limits);
    if (node.first_child()) {
      node = node.first_child();
      ++depth;
      continue;
    }
    while (node && !node.next_sibling()) {
      node = node.parent();
      --depth;
    }
    if (node) node = node.next_sibling();
  }
}

/// pugixml accepts duplicate attributes, text after the root and entities of a DOCTYPE. These are
/// rejected here after parsing, and the depth is checked by an iterative walk before any recursion
/// over the tree.
pugi::xml_node XmlReader::load(const XmlLimits& limits) {
  const std::size_t nul = text_.find('\0');
  if (text_.size() > limits.bytes) {
    notes_.error(import_codes::kTooLarge, notes_.at(0),
                 fmt::format("the file has {} bytes", text_.size()),
                 fmt::format("at most {} MiB", limits.bytes >> 20));
  } else if (nul != text_.npos) {
    notes_.error(import_codes::kBadXml, notes_.at(nul), "a NUL character");
  }
  if (notes_.failed()) return {};
  const auto options = pugi::parse_escapes | pugi::parse_wconv_attribute | pugi::parse_eol |
                       pugi::parse_pi | pugi::parse_doctype;
  const auto result =
      document_.load_buffer(text_.data(), text_.size(), options, pugi::encoding_utf8);
  if (!result) report_syntax(result);
  if (notes_.failed()) return {};
  check_tree(limits);
  const pugi::xml_node root = document_.document_element();
  for (pugi::xml_node other = root.next_sibling(); other; other = other.next_sibling()) {
    if (other.type() != pugi::node_element) continue;
    notes_.error(import_codes::kBadXml, at(other),
                 fmt::format("a second root element <{}>", other.name()));
  }
  return notes_.failed() ? pugi::xml_node() : root;
}

std::optional<std::int64_t> XmlReader::integer(pugi::xml_node node, const char* name,
                                               std::int64_t min, std::int64_t max) {
  const pugi::xml_attribute attribute = node.attribute(name);
  if (!attribute) return std::nullopt;
  const std::string_view text = attribute.value();
  const bool hex = has_hex_prefix(text);
  const std::string_view digits = hex ? text.substr(2) : text;
  std::int64_t value = 0;
  const bool signed_hex = hex && digits.starts_with("-");
  const std::errc failure =
      signed_hex ? std::errc::invalid_argument : read_number(digits, value, hex ? 16 : 10);
  if (failure == std::errc::invalid_argument) {
    notes_.error(import_codes::kBadAttribute, at(node, attribute),
                 fmt::format("{} of <{}> is \"{}\"", name, node.name(), text), "a whole number");
    return std::nullopt;
  }
  if (failure != std::errc() || value < min || value > max) {
    notes_.error(import_codes::kAttributeRange, at(node, attribute),
                 fmt::format("{} of <{}> is {}", name, node.name(), text),
                 fmt::format("{} to {}", min, max));
    return std::nullopt;
  }
  return value;
}

std::optional<double> XmlReader::number(pugi::xml_node node, const char* name, double min,
                                        double max) {
  const pugi::xml_attribute attribute = node.attribute(name);
  if (!attribute) return std::nullopt;
  double value = 0.0;
  const std::errc failure = read_number(std::string_view(attribute.value()), value, 10);
  if (failure == std::errc::invalid_argument) {
    notes_.error(import_codes::kBadAttribute, at(node, attribute),
                 fmt::format("{} of <{}> is \"{}\"", name, node.name(), attribute.value()),
                 "a number");
    return std::nullopt;
  }
  if (failure != std::errc() || !(value >= min && value <= max)) {
    notes_.error(import_codes::kAttributeRange, at(node, attribute),
                 fmt::format("{} of <{}> is {}", name, node.name(), attribute.value()),
                 fmt::format("{} to {}", min, max));
    return std::nullopt;
  }
  return value;
}

std::string XmlReader::hex(pugi::xml_node node, const char* name, std::size_t max_digits) {
  const pugi::xml_attribute attribute = node.attribute(name);
  const std::string_view text = attribute.value();
  if (text.empty()) return {};
  std::string digits(has_hex_prefix(text) ? text.substr(2) : text);
  const bool all_hex = digits.find_first_not_of("0123456789abcdefABCDEF") == digits.npos;
  if (digits.empty() || digits.size() > max_digits || !all_hex) {
    notes_.error(import_codes::kBadAttribute, at(node, attribute),
                 fmt::format("{} of <{}> is \"{}\"", name, node.name(), text),
                 fmt::format("a hex number of at most {} digits", max_digits));
    return {};
  }
  std::transform(digits.begin(), digits.end(), digits.begin(),
                 [](char c) { return c >= 'A' && c <= 'F' ? static_cast<char>(c + 32) : c; });
  return digits;
}

std::string XmlReader::text(pugi::xml_node node, const char* name) {
  const pugi::xml_attribute attribute = node.attribute(name);
  std::string value = attribute.value();
  const bool printable = std::ranges::all_of(value, [](char c) { return c >= ' ' && c <= '~'; });
  if (printable && value.size() <= 255) return value;
  notes_.error(import_codes::kBadAttribute, at(node, attribute),
               fmt::format("{} of <{}> has {}", name, node.name(),
                           printable ? fmt::format("{} characters", value.size())
                                     : std::string("characters that are not printable")),
               "at most 255 characters of ASCII");
  return {};
}

}  // namespace vgsim::topology
