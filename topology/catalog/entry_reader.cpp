#include "topology/catalog/entry_reader.hpp"

#include <fmt/core.h>

#include <map>
#include <utility>

#include "topology/catalog/catalog.hpp"
#include "topology/input/typed.hpp"

namespace vgsim::topology {

using input::as_count;
using input::as_string;
using input::find;
using input::Value;

std::string describe_source(const Value& sources, const std::string& key) {
  const auto source = find(sources, key);
  if (!source) return key;
  return fmt::format("{} ({})", as_string(*find(*source, "title")),
                     as_string(*find(*source, "evidence")));
}

std::string evidence_in(const std::string& described) {
  const std::size_t open = described.rfind('(');
  if (open == std::string::npos || !described.ends_with(')')) return {};
  return described.substr(open + 1, described.size() - open - 2);
}

std::string EntryReader::source_of(const Value& object) const {
  const auto key = find(object, "source");
  return key ? describe_source(*sources_, as_string(*key)) : std::string();
}

NvLinkLayout read_nvlink_layout(const Value& value, std::string source) {
  using Kind = NvLinkLayout::Kind;
  static const std::map<std::string, Kind> kinds = {{"none", Kind::kNone},
                                                    {"bridge", Kind::kBridge},
                                                    {"mesh", Kind::kMesh},
                                                    {"nvswitch", Kind::kNvSwitch},
                                                    {"matrix", Kind::kMatrix}};
  NvLinkLayout layout;
  layout.kind = kinds.at(as_string(*find(value, "kind")));
  layout.source = std::move(source);
  if (const auto pairs = find(value, "pairs")) {
    for (const Value& pair : pairs->elements()) {
      layout.pairs.emplace_back(as_count(pair.elements()[0]), as_count(pair.elements()[1]));
    }
  }
  if (const auto count = find(value, "links_per_pair")) layout.links_per_pair = as_count(*count);
  if (const auto nvswitch = find(value, "switch")) layout.nvswitch = as_string(*nvswitch);
  if (const auto count = find(value, "count")) layout.nvswitches = as_count(*count);
  if (const auto links = find(value, "links")) {
    for (const Value& row : links->elements()) {
      layout.links.emplace_back();
      for (const Value& cell : row.elements()) layout.links.back().push_back(as_count(cell));
    }
  }
  return layout;
}

}  // namespace vgsim::topology
