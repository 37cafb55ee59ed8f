#pragma once

#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "topology/input/diagnostics.hpp"
#include "topology/input/source_file.hpp"
#include "topology/input/value.hpp"

namespace vgsim::scenario {

/// A scenario as its file has it, not checked yet: what is passed on, changed and read. Only the
/// rooms that read look at its value.
class Document {
 public:
  Document() : value_(input::Value::make_null()) {}
  Document(input::Value value) : value_(std::move(value)) {}  // NOLINT: a value is a document
  [[nodiscard]] static tl::expected<Document, input::Diagnostics> parse(
      const input::SourcePtr& file);

  /// The same for documents that say the same, however it is written.
  [[nodiscard]] std::string canonical() const { return input::to_canonical_string(value_); }
  [[nodiscard]] const input::Value& value() const { return value_; }
  [[nodiscard]] bool has(const char* member) const;
  /// The text of a member such as "name"; empty where there is none.
  [[nodiscard]] std::string text(const char* member) const;
  /// Names of its layouts; its own name where it has none.
  [[nodiscard]] std::vector<std::string> layouts() const;
  /// Where a layout is named; the start of the file where it has no layouts.
  [[nodiscard]] input::Location location_of(const std::string& layout) const;
  /// The same with these of its layouts alone, in this order. One without layouts stays as it is.
  [[nodiscard]] Document with_layouts(const std::vector<std::string>& names) const;

 private:
  input::Value value_;
};

}  // namespace vgsim::scenario
