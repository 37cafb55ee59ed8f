#include "models/questions/read/document_values.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "models/questions/check/result_fingerprint.hpp"
#include "topology/input/value.hpp"

namespace vgsim::scenario {
namespace {

using input::Member;
using input::Value;

constexpr std::array<std::string_view, 3> kSaidOnly{"$schema", "description", "expect"};

Value simulated_part(const Document& document) {
  std::vector<Member> members;
  for (const Member& member : document.value().members()) {
    if (std::find(kSaidOnly.begin(), kSaidOnly.end(), member.name) == kSaidOnly.end()) {
      members.push_back(member);
    }
  }
  return Value::make_object(std::move(members));
}

std::string in_short(const Value& value) {
  constexpr std::size_t kMost = 60;
  const std::string text = value.is_string() ? value.string() : input::to_canonical_string(value);
  if (text.size() <= kMost) return text;
  return fmt::format("{}... ({})", std::string_view(text).substr(0, kMost / 2),
                     text_fingerprint(text));
}

/// Values by pointer; deeper ones than `depth` are merged into their parents.
void add_values(const Value& value, const input::PathPtr& path, std::size_t depth,
                std::map<std::string, std::string>& values) {
  if (depth == 0 || !value.is_object() || value.members().empty()) {
    values[to_pointer(path)] = in_short(value);
    return;
  }
  for (const Member& member : value.members()) {
    add_values(member.value, std::make_shared<const input::Path>(input::Path{path, member.name}),
               depth - 1, values);
  }
}

}  // namespace

std::string simulated_fingerprint(const Document& document) {
  return text_fingerprint(to_canonical_string(simulated_part(document)));
}

std::map<std::string, std::string> simulated_values(const Document& document) {
  constexpr std::size_t kMost = 1000;
  const Value simulated = simulated_part(document);
  std::map<std::string, std::string> values;
  if (simulated.members().empty()) return values;
  for (std::size_t depth = 1;; ++depth) {
    std::map<std::string, std::string> deeper;
    add_values(simulated, nullptr, depth, deeper);
    const bool is_all = deeper == values;
    if (depth > 1 && (is_all || deeper.size() > kMost)) return values;
    values = std::move(deeper);
  }
}

}  // namespace vgsim::scenario
