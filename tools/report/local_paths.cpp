// All texts of the page are visited; in each, a folder followed by a slash is erased.

#include "tools/report/local_paths.hpp"

#include <algorithm>
#include <utility>

namespace vgsim::report {
namespace {

class FolderRemover {
 public:
  explicit FolderRemover(std::vector<std::string> folders) : folders_(std::move(folders)) {
    std::erase_if(folders_, [](const std::string& f) { return f.empty() || f == "/"; });
    for (std::string& folder : folders_) folder += folder.ends_with('/') ? "" : "/";
    // The longest first: a folder may contain another.
    std::ranges::sort(folders_, std::ranges::greater(), &std::string::size);
  }

  void from(std::string& text) const {
    for (const std::string& folder : folders_) {
      for (std::size_t at = text.find(folder); at != std::string::npos;
           at = text.find(folder, at)) {
        text.erase(at, folder.size());
      }
    }
  }

  void from(std::vector<std::string>& texts) const {
    for (std::string& text : texts) from(text);
  }

  void from(std::vector<Block>& blocks) const {
    for (Block& block : blocks) std::visit(*this, block);
  }

  void operator()(Paragraph& paragraph) const { from(paragraph.text); }
  void operator()(Table& table) const {
    for (auto& row : table.rows) from(row);
  }
  void operator()(Figure& figure) const {
    from(figure.wide);
    from(figure.narrow);
    from(figure.caption);
    (*this)(figure.data);
  }
  void operator()(Findings& findings) const {
    for (FindingNote& note : findings.notes) {
      from(note.text);
      from(note.remedy);
      from(note.source);
    }
  }
  void operator()(List& list) const { from(list.items); }
  void operator()(Listing& listing) const {
    if (listing.open) from(listing.text);  // a folded listing is the scenario itself
  }
  void operator()(Details& details) const { from(details.blocks); }

 private:
  std::vector<std::string> folders_;
};

}  // namespace

void remove_folders(const std::vector<std::string>& folders, Page& page) {
  const FolderRemover remover(folders);
  remover.from(page.verdict);
  for (Section& section : page.sections) {
    remover.from(section.heading);
    remover.from(section.blocks);
  }
}

}  // namespace vgsim::report
