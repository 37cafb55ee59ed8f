#pragma once

#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "topology/input/diagnostics.hpp"
#include "topology/input/source_file.hpp"
#include "topology/input/value.hpp"

namespace vgsim::scenario {

/// The JSON document of a scenario, not yet checked. Only readers access its value.
class Document {
 public:
  Document() : value_(input::Value::make_null()) {}
  Document(input::Value value) : value_(std::move(value)) {}  // NOLINT: a value is a document
  [[nodiscard]] static tl::expected<Document, input::Diagnostics> parse(
      const input::SourcePtr& file);

  /// Canonical text: equal for equivalent documents.
  [[nodiscard]] std::string canonical() const { return input::to_canonical_string(value_); }
  [[nodiscard]] const input::Value& value() const { return value_; }
  [[nodiscard]] bool has(const char* member) const;
  /// The text of a member such as "name"; empty if there is none.
  [[nodiscard]] std::string text(const char* member) const;
  /// Names of its layouts; the scenario's name if it has none.
  [[nodiscard]] std::vector<std::string> layouts() const;
  /// Location of a layout's name; the start of the file if it has no layouts.
  [[nodiscard]] input::Location location_of(const std::string& layout) const;
  /// The document with only these layouts, in this order; unchanged without layouts.
  [[nodiscard]] Document with_layouts(const std::vector<std::string>& names) const;

 private:
  input::Value value_;
};

}  // namespace vgsim::scenario
