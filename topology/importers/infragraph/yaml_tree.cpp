#include "topology/importers/infragraph/yaml_tree.hpp"

#include <fmt/core.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include <algorithm>
#include <istream>
#include <map>
#include <optional>
#include <streambuf>
#include <utility>

#include "topology/inventory/import_codes.hpp"

namespace vgsim::topology {
namespace {

using input::Diagnostics;
using input::ErrorCode;
using input::Location;
using input::SourcePtr;

constexpr std::size_t kMaxBytes = 16u << 20;
constexpr std::size_t kMaxDepth = 32;
constexpr std::size_t kMaxNodes = 2'000'000;
constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";

/// Thrown to leave the parser.
struct Refusal {
  const ErrorCode* code;
  std::size_t offset;
  std::string message;
  std::string expected;
};

/// A stream over a text that is not copied.
class TextBuffer : public std::streambuf {
 public:
  explicit TextBuffer(std::string_view text) {
    char* start = const_cast<char*>(text.data());  // a get area is never written to
    setg(start, start, start + text.size());
  }
};

/// Builds the tree. Containers that are still open lie on a stack of their own, so that the number
/// of values and the depth are known before anything more is taken in.
///
/// Built from yaml-cpp's events and not from its nodes, because a file of a few bytes of aliases
/// can stand for gigabytes: an alias is copied only after the values that it stands for have been
/// counted.
class TreeBuilder : public YAML::EventHandler {
 public:
  explicit TreeBuilder(std::size_t start) : start_(start) {}

  void OnDocumentStart(const YAML::Mark&) override {}
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    add(node(YamlNode::Kind::kNull, mark), anchor);
  }
  void OnScalar(const YAML::Mark& mark, const std::string&, YAML::anchor_t anchor,
                const std::string& value) override {
    YamlNode scalar = node(YamlNode::Kind::kScalar, mark);
    scalar.text = value;
    add(std::move(scalar), anchor);
  }
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    const auto known = anchors_.find(anchor);
    if (known == anchors_.end()) {
      throw Refusal{&import_codes::kNotThisFormat, at(mark), "an alias of what it stands in", ""};
    }
    const auto& [copy, nodes, depth] = known->second;
    count(mark, nodes);
    check_depth(mark, open_.size() + depth);
    attach(copy, nodes, depth);
  }
  void OnSequenceStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value) override {
    open(YamlNode::Kind::kList, mark, anchor);
  }
  void OnSequenceEnd() override { close(); }
  void OnMapStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value) override {
    open(YamlNode::Kind::kMap, mark, anchor);
  }
  void OnMapEnd() override { close(); }

  std::optional<YamlNode> root;

 private:
  struct Open {
    YamlNode node;
    YAML::anchor_t anchor = 0;
    std::size_t nodes = 1;  ///< in it, itself included
    std::size_t depth = 1;
  };
  struct Anchored {
    YamlNode node;
    std::size_t nodes = 1;
    std::size_t depth = 1;
  };

  [[nodiscard]] std::size_t at(const YAML::Mark& mark) const {
    return start_ + static_cast<std::size_t>(std::max(mark.pos, 0));
  }
  [[nodiscard]] YamlNode node(YamlNode::Kind kind, const YAML::Mark& mark) {
    count(mark, 1);
    YamlNode made;
    made.kind = kind;
    made.offset = static_cast<std::uint32_t>(at(mark));
    return made;
  }
  void count(const YAML::Mark& mark, std::size_t nodes) {
    count_ += nodes;
    if (count_ <= kMaxNodes) return;
    throw Refusal{&import_codes::kTooMuch, at(mark), "the file holds more values than it may",
                  fmt::format("at most {}, aliases replaced by what they stand for", kMaxNodes)};
  }
  void check_depth(const YAML::Mark& mark, std::size_t depth) const {
    if (depth <= kMaxDepth) return;
    throw Refusal{&import_codes::kTooMuch, at(mark), "lists and maps are nested too deeply",
                  fmt::format("at most {} levels", kMaxDepth)};
  }
  void open(YamlNode::Kind kind, const YAML::Mark& mark, YAML::anchor_t anchor) {
    check_depth(mark, open_.size() + 1);
    open_.push_back({node(kind, mark), anchor});
  }
  void close() {
    Open closed = std::move(open_.back());
    open_.pop_back();
    if (closed.anchor != 0) remember(closed.anchor, closed.node, closed.nodes, closed.depth);
    attach(std::move(closed.node), closed.nodes, closed.depth);
  }
  void add(YamlNode node, YAML::anchor_t anchor) {
    if (anchor != 0) remember(anchor, node, 1, 1);
    attach(std::move(node), 1, 1);
  }
  void remember(YAML::anchor_t anchor, const YamlNode& node, std::size_t nodes, std::size_t depth) {
    count_ += nodes;  // the copy takes memory, too
    if (count_ > kMaxNodes) {
      throw Refusal{&import_codes::kTooMuch, node.offset, "the file holds more values than it may",
                    fmt::format("at most {}", kMaxNodes)};
    }
    anchors_.insert_or_assign(anchor, Anchored{node, nodes, depth});
  }
  void attach(YamlNode node, std::size_t nodes, std::size_t depth) {
    if (open_.empty()) {
      root = std::move(node);
      return;
    }
    Open& parent = open_.back();
    const bool is_key =
        parent.node.kind == YamlNode::Kind::kMap && parent.node.items.size() % 2 == 0;
    if (is_key && (node.kind == YamlNode::Kind::kList || node.kind == YamlNode::Kind::kMap)) {
      throw Refusal{&import_codes::kNotThisFormat, node.offset, "a key that is a list or a map",
                    "a text"};
    }
    parent.node.items.push_back(std::move(node));
    parent.nodes += nodes;
    parent.depth = std::max(parent.depth, depth + 1);
  }

  std::size_t start_;
  std::size_t count_ = 0;
  std::vector<Open> open_;
  std::map<YAML::anchor_t, Anchored> anchors_;
};

/// What can be said before parsing.
void check_bytes(std::string_view text) {
  if (text.size() > kMaxBytes) {
    throw Refusal{&import_codes::kTooMuch, 0, fmt::format("the file has {} bytes", text.size()),
                  fmt::format("at most {} MiB", kMaxBytes >> 20)};
  }
  if (text.starts_with("\xff\xfe") || text.starts_with("\xfe\xff")) {
    throw Refusal{&import_codes::kNotThisFormat, 0, "the text is UTF-16", "UTF-8"};
  }
  if (const std::size_t nul = text.find('\0'); nul != text.npos) {
    throw Refusal{&import_codes::kNotThisFormat, nul, "a NUL character", ""};
  }
}

YamlNode parse(std::string_view text, bool* has_more) {
  check_bytes(text);
  const std::size_t start = text.starts_with(kByteOrderMark) ? kByteOrderMark.size() : 0;
  TextBuffer buffer(text.substr(start));
  std::istream stream(&buffer);
  TreeBuilder builder(start);
  try {
    YAML::Parser parser(stream);
    parser.HandleNextDocument(builder);
    if (has_more != nullptr) *has_more = static_cast<bool>(parser);
  } catch (const YAML::Exception& bad) {
    throw Refusal{&import_codes::kNotThisFormat,
                  start + static_cast<std::size_t>(std::max(bad.mark.pos, 0)),
                  fmt::format("the text is not YAML: {}", bad.msg), "YAML or JSON"};
  }
  if (!builder.root || builder.root->kind == YamlNode::Kind::kNull) {
    throw Refusal{&import_codes::kNothingInIt, 0, "the file holds no value", ""};
  }
  return *std::move(builder.root);
}

}  // namespace

const YamlNode* YamlNode::find(std::string_view key) const {
  if (kind != Kind::kMap) return nullptr;
  const YamlNode* found = nullptr;
  for (std::size_t i = 0; i + 1 < items.size(); i += 2) {
    if (items[i].text == key) found = &items[i + 1];
  }
  return found;
}

tl::expected<YamlNode, Diagnostics> read_yaml(const SourcePtr& source, bool* has_more) {
  Diagnostics diagnostics;
  try {
    return parse(source->text, has_more);
  } catch (const Refusal& refusal) {
    const std::size_t offset = std::min(refusal.offset, source->text.size());
    diagnostics.error(refusal.code->code, Location{source, offset, 1}, "", refusal.message,
                      refusal.expected);
  }
  return tl::unexpected(std::move(diagnostics));
}

}  // namespace vgsim::topology
