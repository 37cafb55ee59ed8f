#include "models/vsphere/facts/cited.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <vector>

namespace vgsim::vsphere {

using namespace input;

namespace {

/// The best first.
std::vector<std::string> evidence_words() {
  return {"read", "measured", "excerpt", "inferred", "recalled", "assumed"};
}

}  // namespace

std::size_t rank_of_evidence(const std::string& evidence) {
  const auto words = evidence_words();
  return static_cast<std::size_t>(std::find(words.begin(), words.end(), evidence) - words.begin());
}

Shape citations_shape() {
  return map_shape(
      "short name of the source",
      object_shape({
          field("title", string_shape()).required(),
          field("date", string_shape())
              .describe("of the document, as far as it states one")
              .examples({"2024-06-25"}),
          field("url", string_shape()),
          field("evidence", enum_shape(evidence_words()))
              .required()
              .describe(
                  "read: the whole page or file; measured; excerpt: a part of it; inferred: it "
                  "follows from what sources state; recalled: from memory, not re-read"),
      }));
}

Citation Citations::of(const Value& name, Diagnostics& diagnostics) const {
  const auto found = find(sources_, as_string(name));
  if (!found) {
    diagnostics.error("E401", name.location(), name.pointer(),
                      fmt::format("unknown source \"{}\"", as_string(name)),
                      "a key of \"sources\" in the same file");
    return {};
  }
  const auto text = [&](const char* key) {
    const auto value = find(*found, key);
    return value ? as_string(*value) : std::string();
  };
  return {text("title"), text("date"), text("url"), text("evidence")};
}

std::string to_string(const Citation& source) {
  return fmt::format("{}{} ({})", source.title, source.date.empty() ? "" : ", " + source.date,
                     source.evidence);
}

}  // namespace vgsim::vsphere
