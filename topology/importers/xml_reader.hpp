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

/// Whether a DOCTYPE is allowed before the root: one that only names a file, as in "nvidia-smi -q
/// -x" and lstopo; the file is not read. A DOCTYPE with definitions is always an error.
enum class Doctype : std::uint8_t { kRefused, kNamesFile };

/// Limits of one XML file; the depth also limits the recursion of its readers.
struct XmlLimits {
  std::size_t bytes = 0;
  std::size_t depth = 0;  ///< nested elements, the root included
  Doctype doctype = Doctype::kRefused;
};

/// Parses an XML file and reads attributes. Errors go to the notes with their position; a reader
/// returns a value even after an error, so that reading can continue.
class XmlReader {
 public:
  explicit XmlReader(FileNotes& notes) : XmlReader(notes, notes.text()) {}
  /// The text is that of the file, or of the same length: a copy with parts that are not XML
  /// blanked out.
  XmlReader(FileNotes& notes, std::string_view text) : notes_(notes), text_(text) {}

  /// The root element. Null, with errors, unless the text is exactly one well-formed element within
  /// the limits, without forbidden DOCTYPE (see Doctype), processing instruction, NUL or duplicate
  /// attribute. An XML declaration and comments are allowed around it. Call it only once.
  [[nodiscard]] pugi::xml_node load(const XmlLimits& limits);

  [[nodiscard]] std::size_t offset(pugi::xml_node node) const;
  /// The name of an element.
  [[nodiscard]] input::Location at(pugi::xml_node node) const;
  /// The value of an attribute.
  [[nodiscard]] input::Location at(pugi::xml_node node, pugi::xml_attribute attribute) const;

  /// A whole number, decimal or hex with "0x", as in strtol. Nothing if it is missing or invalid
  /// (then with an error).
  [[nodiscard]] std::optional<std::int64_t> integer(pugi::xml_node node, const char* name,
                                                    std::int64_t min, std::int64_t max);
  /// A number, fractions allowed.
  [[nodiscard]] std::optional<double> number(pugi::xml_node node, const char* name, double min,
                                             double max);
  /// The digits of a hex number "0x060400", lower case; empty if it is missing, empty or invalid.
  [[nodiscard]] std::string hex(pugi::xml_node node, const char* name, std::size_t max_digits);

  /// Text, empty if missing. Reports an error if it is longer than NCCL allows (255 bytes) or not
  /// printable ASCII, because it is used in messages and results.
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
