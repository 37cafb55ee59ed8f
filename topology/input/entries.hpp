#pragma once

#include <functional>
#include <string>

#include "topology/input/member_texts.hpp"
#include "topology/input/name_table.hpp"
#include "topology/input/source_file.hpp"
#include "topology/input/value.hpp"

namespace vgsim::input {

/// The entries of a data file, which name their sources in a table of that file.
struct Entries {
  NameTable<Value>::Names names;
  std::function<Value(const std::string& name)> entry;
  std::function<Value()> sources;  ///< not for several threads at once
};

/// Of a document, whose entries are in that member.
[[nodiscard]] Entries read_entries(const Value& document, const char* member);

/// Of a file that has been checked: each is read when it is asked for. `texts` is what
/// member_texts() finds in the file down to a depth of 2.
[[nodiscard]] Entries unread_entries(const SourcePtr& file, MemberTexts texts, const char* member);

}  // namespace vgsim::input
