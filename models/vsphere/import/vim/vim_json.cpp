#include <fmt/core.h>

#include <iterator>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "models/vsphere/import/reading.hpp"
#include "models/vsphere/import/vim/vim_value.hpp"

namespace vgsim::vsphere::import {
namespace {

using VimJson = nlohmann::json;

constexpr std::size_t kMostDocuments = 65536;

/// Reads characters and keeps where the parser is.
class Cursor {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  Cursor(const char* at, const char** reached) : at_(at), reached_(reached) {}
  reference operator*() const { return *at_; }
  Cursor& operator++() {
    *reached_ = ++at_;
    return *this;
  }
  Cursor operator++(int) {
    Cursor before = *this;
    ++*this;
    return before;
  }
  friend bool operator==(const Cursor& a, const Cursor& b) { return a.at_ == b.at_; }
  friend bool operator!=(const Cursor& a, const Cursor& b) { return a.at_ != b.at_; }

 private:
  const char* at_;
  const char** reached_;
};

/// Builds values from what the parser meets; returns false to stop it.
///
/// nlohmann's SAX events and not its documents: most of an inventory is left out by the member's
/// name while it is read. Several documents may follow one another, as govc writes them; the cursor
/// is the position that the parser has reached.
class Builder {
 public:
  Builder(FileNotes& notes, std::size_t& count) : notes_(notes), count_(count) {
    reached_ = notes.text().data();
  }

  const char** reached() { return &reached_; }
  VimValue take() { return std::move(root_); }

  bool null() { return add_text("", 1); }
  bool boolean(bool value) { return add_text(value ? "true" : "false", 1); }
  bool number_integer(VimJson::number_integer_t value) {
    return add_text(fmt::format("{}", value), 2);
  }
  bool number_unsigned(VimJson::number_unsigned_t value) {
    return add_text(fmt::format("{}", value), 2);
  }
  bool number_float(VimJson::number_float_t, const std::string& text) { return add_text(text, 2); }
  bool string(std::string& text) { return add_text(std::move(text), 1); }
  bool binary(VimJson::binary_t&) { return false; }

  bool start_object(std::size_t) { return open(false); }
  bool start_array(std::size_t) { return open(true); }
  bool end_object() { return close(); }
  bool end_array() { return close(); }

  bool key(std::string& name) {
    name_ = std::move(name);
    return true;
  }

  bool parse_error(std::size_t, const std::string& token, const nlohmann::detail::exception&) {
    const bool at_end = offset() >= notes_.text().size();
    notes_.error(at_end ? codes::kNothingInIt : codes::kNotThisFormat, {offset(), 1},
                 at_end ? "the JSON ends too early"
                        : fmt::format("malformed JSON after \"{}\"", printable(token)));
    return false;
  }

 private:
  [[nodiscard]] std::size_t offset() const {
    return static_cast<std::size_t>(reached_ - notes_.text().data());
  }

  [[nodiscard]] bool skipping() const { return skipped_depth_ > 0; }

  bool add_text(std::string text, std::size_t behind) {
    VimValue value;
    value.name = std::move(name_);
    name_.clear();
    value.text = std::move(text);
    value.place = {offset() >= behind ? offset() - behind : 0, 1};
    return skipping() || add(std::move(value));
  }

  bool open(bool is_list) {
    if (skipping() || is_left_out(name_)) {
      ++skipped_depth_;
      name_.clear();
      return true;
    }
    if (stack_.size() >= kDeepestVimValue) {
      notes_.error(codes::kTooMuch, Place{offset(), 1},
                   fmt::format("values are nested more than {} levels deep", kDeepestVimValue));
      return false;
    }
    VimValue value;
    value.name = std::move(name_);
    name_.clear();
    value.is_list = is_list;
    value.place = {offset() > 0 ? offset() - 1 : 0, 1};
    stack_.push_back(std::move(value));
    return true;
  }

  bool close() {
    name_.clear();
    if (skipping()) {
      --skipped_depth_;
      return true;
    }
    VimValue value = std::move(stack_.back());
    stack_.pop_back();
    unwrap(value);
    return add(std::move(value));
  }

  /// Takes the type and _value off an object. pyVmomi writes "vim.vm.device.VirtualE1000" for it.
  static void unwrap(VimValue& value) {
    if (value.is_list) return;
    const auto is_type = [](const VimValue& child) {
      return child.name == "_typeName" || child.name == "_vimtype";
    };
    for (const VimValue& child : value.children) {
      if (is_type(child)) value.type = child.text.substr(child.text.rfind('.') + 1);
    }
    std::erase_if(value.children, is_type);
    if (value.children.size() != 1 || value.children.front().name != "_value") return;
    VimValue inner = std::move(value.children.front());
    inner.name = std::move(value.name);
    if (inner.type.empty()) inner.type = std::move(value.type);
    value = std::move(inner);
  }

  bool add(VimValue value) {
    if (++count_ > kMostVimValues) {
      notes_.error(codes::kTooMuch, value.place, fmt::format("more than {} values", kMostVimValues),
                   "one host or VM in a file");
      return false;
    }
    if (stack_.empty()) {
      root_ = std::move(value);
    } else {
      stack_.back().children.push_back(std::move(value));
    }
    return true;
  }

  FileNotes& notes_;
  std::size_t& count_;  ///< of values, in all documents
  const char* reached_;
  std::vector<VimValue> stack_;
  std::string name_;
  std::size_t skipped_depth_ = 0;
  VimValue root_;
};

/// Where the document ends that starts there: behind the bracket that closes its first one.
std::size_t end_of_document(std::string_view text, std::size_t start) {
  std::size_t depth = 0;
  bool in_string = false;
  for (std::size_t i = start; i < text.size(); ++i) {
    const char c = text[i];
    if (in_string) {
      if (c == '\\') ++i;
      in_string = c != '"';
    } else if (c == '"') {
      in_string = true;
    } else if (c == '{' || c == '[') {
      ++depth;
    } else if (c == '}' || c == ']') {
      if (depth <= 1) return i + 1;
      --depth;
    }
  }
  return text.size();
}

}  // namespace

std::vector<VimValue> read_vim_json(FileNotes& notes) {
  std::vector<VimValue> documents;
  std::size_t count = 0;
  const std::string_view text = notes.text();
  std::size_t start = text.find_first_not_of(" \t\r\n");
  if (start == text.npos) notes.error(codes::kNothingInIt, Place{}, "the file is empty");
  while (start != text.npos && !notes.failed()) {
    if (documents.size() >= kMostDocuments) {
      notes.error(codes::kTooMuch, Place{start, 1},
                  fmt::format("more than {} JSON documents", kMostDocuments));
      break;
    }
    const std::size_t end = end_of_document(text, start);
    Builder builder(notes, count);
    *builder.reached() = text.data() + start;
    VimJson::sax_parse(Cursor(text.data() + start, builder.reached()),
                       Cursor(text.data() + end, builder.reached()), &builder,
                       nlohmann::detail::input_format_t::json, true);
    documents.push_back(builder.take());
    start = text.find_first_not_of(" \t\r\n,", end);
  }
  return documents;
}

}  // namespace vgsim::vsphere::import
