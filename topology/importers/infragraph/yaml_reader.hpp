#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "topology/importers/infragraph/yaml_tree.hpp"
#include "topology/input/diagnostics.hpp"

namespace vgsim::topology {

/// Reads values of a YAML tree, every complaint at its place in the file. What is missing or null
/// is empty; what is of another kind is empty, with an error (kBadValue).
class YamlReader {
 public:
  explicit YamlReader(input::SourcePtr source) : source_(std::move(source)) {}

  [[nodiscard]] input::Location at(const YamlNode& node) const;
  void bad(const YamlNode& node, std::string message, std::string expected);
  void odd(const YamlNode& node, std::string message);

  [[nodiscard]] std::span<const YamlNode> list(const YamlNode& object, const char* key);
  /// As one line of printable ASCII, at most 255 characters.
  [[nodiscard]] std::string text(const YamlNode& object, const char* key);
  /// A whole number from 0 to `max`.
  [[nodiscard]] std::optional<std::int64_t> count(const YamlNode& object, const char* key,
                                                  std::int64_t max);
  /// A number from 0 to `max`, of the value itself.
  [[nodiscard]] std::optional<double> number(const YamlNode& value, const std::string& key,
                                             double max);
  /// `what` is for the message: "a link".
  [[nodiscard]] bool is_object(const YamlNode& node, const char* what);

  input::Diagnostics errors;
  input::Diagnostics warnings;

 private:
  input::SourcePtr source_;
};

/// One line of printable ASCII, at most 255 characters, without blanks around it.
[[nodiscard]] std::string printable_line(std::string_view text);

}  // namespace vgsim::topology
