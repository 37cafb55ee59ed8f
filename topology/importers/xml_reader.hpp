#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <pugixml.hpp>
#include <string>
#include <string_view>

#include "topology/importers/file_notes.hpp"
#include "topology/input/diagnostics.hpp"

namespace vgsim::topology {

/// Whether a DOCTYPE may stand before the root: one that only names a file ("nvidia-smi -q -x" and
/// lstopo write such), which is never read. One that defines something is an error in any case.
enum class Doctype : std::uint8_t { kRefused, kNamesFile };

/// Limits of one XML file; the depth also bounds the recursion of those who read the tree.
struct XmlLimits {
  std::size_t bytes = 0;
  std::size_t depth = 0;  ///< nested elements, the root included
  Doctype doctype = Doctype::kRefused;
};

/// Parses an XML file and reads attributes from it. Errors go to the notes, each at its place in
/// the file; a reader that met one still returns a value, so that reading can go on to the next.
class XmlReader {
 public:
  explicit XmlReader(FileNotes& notes) : XmlReader(notes, notes.text()) {}
  /// The text is the file's, or as long: a copy with what is no XML blanked out.
  XmlReader(FileNotes& notes, std::string_view text) : notes_(notes), text_(text) {}

  /// The root element. Null, with errors, for text that is not exactly one well-formed element
  /// within the limits, or has a DOCTYPE (see Doctype), a processing instruction, a NUL or the same
  /// attribute twice. An XML declaration and comments may stand around it. Must be called only
  /// once.
  [[nodiscard]] pugi::xml_node load(const XmlLimits& limits);

  [[nodiscard]] std::size_t offset(pugi::xml_node node) const;
  /// The name of an element.
  [[nodiscard]] input::Location at(pugi::xml_node node) const;
  /// The value of an attribute.
  [[nodiscard]] input::Location at(pugi::xml_node node, pugi::xml_attribute attribute) const;

  /// A whole number, decimal or hex with "0x", as C's strtol reads it. Empty if it is missing or
  /// wrong (then with an error).
  [[nodiscard]] std::optional<std::int64_t> integer(pugi::xml_node node, const char* name,
                                                    std::int64_t min, std::int64_t max);
  /// A number, fractions allowed.
  [[nodiscard]] std::optional<double> number(pugi::xml_node node, const char* name, double min,
                                             double max);
  /// A hex number "0x060400" as its digits, lower case; empty if it is missing, empty or wrong.
  [[nodiscard]] std::string hex(pugi::xml_node node, const char* name, std::size_t max_digits);

  /// Text as it is, empty if it is missing. An error if it is longer than NCCL can hold (255 bytes)
  /// or not printable ASCII: it goes on into messages and results.
  [[nodiscard]] std::string text(pugi::xml_node node, const char* name);

 private:
  void report_syntax(const pugi::xml_parse_result& result);
  void check_node(pugi::xml_node node, std::size_t depth, const XmlLimits& limits);
  void check_repeated_attributes(pugi::xml_node node);
  void check_tree(const XmlLimits& limits);

  FileNotes& notes_;
  std::string_view text_;
  pugi::xml_document document_;
};

}  // namespace vgsim::topology
