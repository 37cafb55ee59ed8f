#pragma once

#include <functional>
#include <string>

#include "topology/input/member_texts.hpp"
#include "topology/input/name_table.hpp"
#include "topology/input/source_file.hpp"
#include "topology/input/value.hpp"

namespace vgsim::input {

/// The entries of a data file, whose sources are keys of a table in that file.
struct Entries {
  NameTable<Value>::Names names;
  std::function<Value(const std::string& name)> entry;
  std::function<Value()> sources;  ///< not thread-safe
};

/// The entries in that member of a document.
[[nodiscard]] Entries read_entries(const Value& document, const char* member);

/// The entries of a checked file, each parsed on first use. `texts`: result of member_texts() for
/// the file with a depth of 2.
[[nodiscard]] Entries unread_entries(const SourcePtr& file, MemberTexts texts, const char* member);

}  // namespace vgsim::input
