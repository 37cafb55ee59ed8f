#include "topology/input/entries.hpp"

#include <memory>
#include <optional>
#include <utility>

#include "topology/input/typed.hpp"

namespace vgsim::input {

Entries read_entries(const Value& document, const char* member) {
  Entries entries;
  const Value all = *find(document, member);
  for (const Member& entry : all.members()) entries.names.insert(entry.name);
  entries.entry = [all](const std::string& name) { return all.member(name)->value; };
  entries.sources = [sources = *find(document, "sources")] { return sources; };
  return entries;
}

Entries unread_entries(const SourcePtr& file, MemberTexts texts, const char* member) {
  Entries entries;
  MemberTexts all = std::move(texts.find(member)->second.members);
  for (const auto& [name, text] : all) entries.names.insert(name);
  entries.entry = [file, all = std::move(all)](const std::string& name) {
    return read_text(all.at(name).value);
  };
  entries.sources = [file, text = texts.at("sources").value,
                     sources = std::make_shared<std::optional<Value>>()] {
    if (!*sources) *sources = read_text(text);
    return **sources;
  };
  return entries;
}

}  // namespace vgsim::input
