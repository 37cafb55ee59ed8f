#pragma once

#include <optional>
#include <string>
#include <vector>

namespace vgsim::cli {

/// A page of `vgsim help NAME`: a file NAME.md in the folder help/ of the configuration.
struct HelpTopic {
  std::string name;
  std::string title;  ///< its first heading
  std::string text;   ///< Markdown
};

/// All topics by name; none without such a folder.
[[nodiscard]] std::vector<HelpTopic> help_topics(const std::string& config_dir);

/// Markdown for a terminal, without markup of headings, emphasis, code and links. Examples keep
/// their indentation and tables their bars.
[[nodiscard]] std::string plain_text(const std::string& markdown);

}  // namespace vgsim::cli
