#pragma once

#include <string>
#include <variant>
#include <vector>

namespace vgsim::report {

/// What the report says, before it is HTML or Markdown. All texts are plain: whoever writes them
/// out escapes them.

struct Paragraph {
  std::string text;
  bool aside = false;  ///< smaller, of less weight
};

struct Column {
  std::string name;
  bool number = true;  ///< aligned to the right
  bool whole = false;  ///< not broken into lines, where there is room
};

/// How a table behaves where there is little room.
enum class Narrow {
  kScrolls,  ///< columns stay side by side
  kStacks,   ///< each row becomes a card
};

struct Table {
  std::vector<Column> columns;
  /// The first cell names the row; where that begins with blanks, it belongs to the row above.
  std::vector<std::vector<std::string>> rows;
  Narrow narrow = Narrow::kScrolls;
};

/// What a colour means: a class of style.cpp and a word.
struct Key {
  std::string look;
  std::string word;
};

/// A chart: drawn for wide and for narrow pages, and the numbers that it shows.
struct Figure {
  std::string id;       ///< unique on the page, letters and "-"
  std::string heading;  ///< what it shows, where the section has several; may be empty
  std::vector<Key> keys;
  bool keys_on_narrow = false;  ///< alone: the wide drawing says itself what is what
  std::string wide;             ///< SVG
  std::string narrow;
  std::string caption;  ///< how to read it; may be empty
  Table data;
};

/// What a rule says of some layouts.
struct FindingNote {
  std::string verdict;  ///< "refused", "price" or "note"
  std::string rule;
  std::string text;
  std::string remedy;
  std::string source;
  std::string layouts;   ///< that it is about; empty: all
  std::string standing;  ///< how sure it is: "confidence medium"; empty where it is high
};

struct Findings {
  std::vector<FindingNote> notes;
};

struct List {
  std::vector<std::string> items;
};

/// Text as it was written, shown on demand unless `open`.
struct Listing {
  std::string summary;
  std::string text;
  bool open = false;
};

struct Details;

using Block = std::variant<Paragraph, Table, Figure, Findings, List, Listing, Details>;

/// Blocks that are shown on demand.
struct Details {
  std::string summary;
  std::vector<Block> blocks;
  bool on_paper = false;  ///< printed although no one opened it
};

struct Section {
  std::string id;
  std::string topic;    ///< "Iteration"
  std::string heading;  ///< what is found: "Communication takes 60.4 % of an iteration"
  std::vector<Block> blocks;
};

struct Page {
  std::string title;
  std::string subject;               ///< "16 GPUs in 4 VMs"
  std::vector<std::string> verdict;  ///< sentences, the most important first
  std::string knowledge;             ///< how well the inputs are known
  std::vector<Section> sections;
  std::string json;  ///< the scenario, for programs
  std::string made_by;
};

}  // namespace vgsim::report
