#pragma once

#include <optional>
#include <string>
#include <vector>

namespace vgsim::cli {

/// A page that `vgsim help NAME` shows: a file NAME.md in the folder help/ of the configuration.
struct HelpTopic {
  std::string name;
  std::string title;  ///< its first heading
  std::string text;   ///< Markdown
};

/// All of them, by name; none where there is no such folder.
[[nodiscard]] std::vector<HelpTopic> help_topics(const std::string& config_dir);

/// Markdown as a terminal shows it best: without signs for headings, emphasis, code and links.
/// Examples keep their indent and tables their bars.
[[nodiscard]] std::string plain_text(const std::string& markdown);

}  // namespace vgsim::cli
