#pragma once

#include <gtest/gtest.h>

#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include "topology/input/diagnostics.hpp"
#include "topology/input/json_reader.hpp"
#include "topology/input/shapes/shape.hpp"

namespace vgsim::input {

/// The document, or a failed test and null.
inline Value parsed(std::string text) {
  auto value = read_json(make_source("test.json", std::move(text)));
  if (!value) {
    ADD_FAILURE() << render(value.error());
    return Value();
  }
  return *value;
}

/// What the reader finds wrong; nothing if it accepts the text.
inline std::vector<Diagnostic> read_errors(std::string text) {
  const auto value = read_json(make_source("test.json", std::move(text)));
  return value ? std::vector<Diagnostic>() : value.error().items();
}

/// What check() finds wrong in a document that can be read.
inline std::vector<Diagnostic> check_errors(const Shape& shape, std::string text) {
  Diagnostics diagnostics;
  check(parsed(std::move(text)), shape, diagnostics);
  return diagnostics.items();
}

inline std::vector<std::string> codes_of(const std::vector<Diagnostic>& items) {
  std::vector<std::string> result;
  for (const Diagnostic& item : items) result.push_back(item.code);
  return result;
}

/// The text that a location marks.
inline std::string marked(const Location& location) {
  return location.source->text.substr(location.offset, location.length);
}

using Codes = std::vector<std::string>;

}  // namespace vgsim::input
