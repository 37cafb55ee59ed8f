#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace vgsim::report {

/// The content of the report, independent of HTML and Markdown. All texts are plain; writers
/// escape them.

struct Paragraph {
  std::string text;
  bool aside = false;  ///< smaller
};

struct Column {
  std::string name;
  bool number = true;  ///< aligned to the right
  bool whole = false;  ///< without line breaks, if it fits
};

/// The layout of a table on a narrow page.
enum class Narrow {
  kScrolls,  ///< columns stay side by side
  kStacks,   ///< each row becomes a card
};

struct Table {
  std::vector<Column> columns;
  /// The first cell names the row; if it begins with blanks, the row is a detail of the row
  /// above.
  std::vector<std::vector<std::string>> rows;
  Narrow narrow = Narrow::kScrolls;
};

/// The meaning of a colour: a class of style.cpp and a word.
struct Key {
  std::string look;
  std::string word;
};

/// A chart, drawn for wide and for narrow pages, with its table.
struct Figure {
  std::string id;       ///< unique on the page, letters and "-"
  std::string heading;  ///< its subject, if the section has several figures; may be empty
  std::vector<Key> keys;
  bool keys_on_narrow = false;  ///< the wide drawing is labelled itself
  std::string wide;             ///< SVG
  std::string narrow;
  std::string caption;  ///< how to read it; may be empty
  Table data;
};

/// A finding of a rule on some layouts.
struct FindingNote {
  std::string verdict;  ///< "refused", "warning" or "note"
  std::string rule;
  std::string text;
  std::string remedy;
  std::string source;
  std::string layouts;     ///< affected ones; empty: all
  std::string confidence;  ///< "confidence medium"; empty for high confidence
};

struct Findings {
  std::vector<FindingNote> notes;
};

struct List {
  std::vector<std::string> items;
};

/// Preformatted text, folded unless `open`.
struct Listing {
  std::string summary;
  std::string text;
  bool open = false;
};

struct Details;

using Block = std::variant<Paragraph, Table, Figure, Findings, List, Listing, Details>;

/// Folded blocks.
struct Details {
  std::string summary;
  std::vector<Block> blocks;
  bool on_paper = false;  ///< printed also when folded
};

struct Section {
  std::string id;
  std::string topic;    ///< "Iteration"
  std::string heading;  ///< the conclusion: "Communication takes 60.4 % of an iteration"
  std::vector<Block> blocks;
  /// On the first printed sheet, with the verdict; such sections are the first of a page, and the
  /// others are its appendix.
  bool on_first_sheet = false;
};

/// The studio's page inside an HTML report, whose script opens it.
struct Simulator {
  std::string page;    ///< HTML
  std::string script;  ///< of the report
  std::string policy;  ///< content security policy of both
};

struct Page {
  std::string title;
  std::string subject;               ///< "16 GPUs in 4 VMs"
  std::vector<std::string> verdict;  ///< sentences, the most important first
  std::string knowledge;             ///< evidence of the inputs
  std::vector<Section> sections;
  std::string json;  ///< the scenario in machine-readable form
  std::string made_by;
  std::optional<Simulator> simulator;
};

}  // namespace vgsim::report
