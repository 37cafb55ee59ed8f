#pragma once

#include <cstddef>
#include <memory>
#include <string>

namespace vgsim::input {

/// The text of one input file; locations share its ownership.
struct SourceFile {
  std::string path;  ///< As the user wrote it; shown in messages.
  std::string text;  ///< The bytes as they are in the file.
  /// The build has validated this file: it need not be checked again, and entries can be read on
  /// first use.
  bool checked = false;
};

using SourcePtr = std::shared_ptr<const SourceFile>;

/// A range of a source file. Without a source: an unknown position.
struct Location {
  SourcePtr source;
  std::size_t offset = 0;  ///< Byte offset of the first byte; may be the size of the text.
  std::size_t length = 1;  ///< Bytes.
};

/// A position as in editors.
struct LineColumn {
  std::size_t line = 1;    ///< From 1; lines end with \n.
  std::size_t column = 1;  ///< From 1, in Unicode code points; a byte order mark has no column.
};

/// Time is linear in the offset. Without a source the result is 1:1.
[[nodiscard]] LineColumn line_column(const Location& location);

[[nodiscard]] SourcePtr make_source(std::string path, std::string text);

}  // namespace vgsim::input
