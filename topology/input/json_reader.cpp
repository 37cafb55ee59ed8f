#include "topology/input/json_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <numeric>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "topology/input/error_codes.hpp"
#include "topology/input/syntax_error.hpp"
#include "topology/input/text_cells.hpp"
#include "topology/input/token_walk.hpp"

namespace vgsim::input {
namespace {

/// Each report contains the line of the first key, which takes time linear in the file.
constexpr std::size_t kMaxDuplicateKeys = 100;

/// An array or object that is not closed yet.
struct Frame {
  bool is_object = false;
  std::size_t offset = 0;  ///< Of the opening bracket.
  PathPtr path;
  std::vector<Value> elements;  // Of an array.
  std::vector<Member> members;  // Of an object; the last one waits for its value after a key.
};

/// SAX handler of nlohmann::json that builds the Value. Methods return false to stop the parser;
/// their names are given by the library.
class Builder {
 public:
  using json = nlohmann::json;

  explicit Builder(const SourcePtr& source) : source_(source), walk_(source->text) {}

  bool null() {
    return scalar(walk_.step(4), [](Origin o) { return Value::make_null(std::move(o)); });
  }

  bool boolean(bool value) {
    return scalar(walk_.step(value ? 4 : 5),
                  [value](Origin o) { return Value::make_boolean(value, std::move(o)); });
  }

  bool number_integer(json::number_integer_t value) {
    return scalar(walk_.step_number(),
                  [value](Origin o) { return Value::make_integer(value, std::move(o)); });
  }

  bool number_unsigned(json::number_unsigned_t value) {
    constexpr auto kMax = static_cast<json::number_unsigned_t>(INT64_MAX);
    if (value <= kMax) return number_integer(static_cast<std::int64_t>(value));
    return number_float(static_cast<double>(value), "0");
  }

  bool number_float(json::number_float_t value, const std::string& text) {
    const bool whole = text.find_first_of(".eE") == text.npos;
    return scalar(walk_.step_number(), [value, whole](Origin o) {
      return Value::make_number(value, whole, std::move(o));
    });
  }

  bool string(std::string& value) {
    const std::size_t start = walk_.step_string();
    return scalar(start, [this, &value](Origin o) {
      check_text(value, o.location);
      return Value::make_string(std::move(value), std::move(o));
    });
  }

  bool key(std::string& name) {
    const std::size_t start = walk_.step_string();
    frames_.back().members.push_back({name, from(start), Value()});
    check_text(name, frames_.back().members.back().key);
    after_ = After::key;
    return true;
  }

  bool start_object(std::size_t /*unknown size*/) { return open(true); }
  bool start_array(std::size_t /*unknown size*/) { return open(false); }
  bool end_array() { return close(); }
  bool end_object() { return close(); }

  bool binary(json::binary_t& /*never in text*/) { return false; }

  bool parse_error(std::size_t /*position*/, const std::string& /*token*/,
                   const nlohmann::detail::exception& cause) {
    constexpr int kNumberOverflow = 406;
    StopPoint stop{source_->text, walk_.offset(), after_, cause.id == kNumberOverflow, 0};
    if (!frames_.empty()) stop.open_line = line_column({source_, frames_.back().offset, 1}).line;
    SyntaxError error = explain_syntax_error(stop);
    diagnostics_.error(error.code.code, {source_, error.offset, error.length},
                       frames_.empty() ? "" : to_pointer(frames_.back().path),
                       std::move(error.message), std::move(error.expected));
    for (const Frame& frame : frames_) report_duplicates(frame);
    return false;
  }

  /// The result after parsing.
  tl::expected<Value, Diagnostics> result() && {
    if (diagnostics_.has_errors()) return tl::unexpected(std::move(diagnostics_));
    return std::move(document_);
  }

 private:
  /// The location from `start` to the current position.
  Location from(std::size_t start) const { return {source_, start, walk_.offset() - start}; }

  /// The path of the next value.
  PathPtr next_path() const {
    if (frames_.empty()) return nullptr;
    const Frame& frame = frames_.back();
    std::string token =
        frame.is_object ? frame.members.back().name : std::to_string(frame.elements.size());
    return std::make_shared<const Path>(Path{frame.path, std::move(token)});
  }

  template <class Make>
  bool scalar(std::size_t start, Make make) {
    return place(make(Origin{from(start), next_path()}));
  }

  bool place(Value value) {
    if (++values_ > kMaxValues) {
      fail(codes::kTooLarge, value.location(), to_pointer(value.origin().path),
           fmt::format("more than {} values in one file", kMaxValues));
      return false;
    }
    if (frames_.empty()) {
      document_ = std::move(value);
      after_ = After::document;
    } else if (frames_.back().is_object) {
      frames_.back().members.back().value = std::move(value);
      after_ = After::member;
    } else {
      frames_.back().elements.push_back(std::move(value));
      after_ = After::element;
    }
    return true;
  }

  bool open(bool is_object) {
    PathPtr path = next_path();
    const std::size_t start = walk_.step(1);
    if (frames_.size() == kMaxDepth) {
      fail(codes::kTooDeep, from(start), to_pointer(path),
           fmt::format("brackets nested more than {} deep", kMaxDepth));
      return false;
    }
    frames_.push_back({is_object, start, std::move(path), {}, {}});
    after_ = is_object ? After::open_object : After::open_array;
    return true;
  }

  bool close() {
    walk_.step(1);
    Frame frame = std::move(frames_.back());
    frames_.pop_back();
    Origin origin{from(frame.offset), frame.path};
    if (!frame.is_object) {
      return place(Value::make_array(std::move(frame.elements), std::move(origin)));
    }
    if (report_duplicates(frame)) frame.members.clear();
    if (duplicates_ >= kMaxDuplicateKeys) return false;
    std::erase_if(frame.members, is_comment);
    return place(Value::make_object(std::move(frame.members), std::move(origin)));
  }

  static bool is_comment(const Member& member) {
    return member.name == kCommentKey && member.value.is_string();
  }

  bool report_duplicates(const Frame& frame) {
    const std::vector<Member>& members = frame.members;
    std::vector<std::size_t> order(members.size());
    std::iota(order.begin(), order.end(), 0u);
    std::stable_sort(order.begin(), order.end(), [&members](std::size_t a, std::size_t b) {
      return members[a].name < members[b].name;
    });
    std::size_t first = 0;
    const std::size_t before = duplicates_;
    for (std::size_t i = 1; i < order.size() && duplicates_ < kMaxDuplicateKeys; ++i) {
      const Member& member = members[order[i]];
      if (member.name != members[order[first]].name) {
        first = i;
        continue;
      }
      ++duplicates_;
      const std::size_t line = line_column(members[order[first]].key).line;
      fail(codes::kDuplicateKey, member.key,
           to_pointer(std::make_shared<const Path>(Path{frame.path, member.name})),
           fmt::format("duplicate key \"{}\"; the first one is on line {}", member.name, line),
           "each key once");
    }
    return duplicates_ > before;
  }

  /// Checks the length and characters of a key or text.
  void check_text(const std::string& text, const Location& where) {
    if (text.size() > kMaxStringBytes) {
      fail(codes::kTooLarge, where, to_pointer(next_path()),
           fmt::format("a text of {} bytes", text.size()),
           fmt::format("at most {} bytes", kMaxStringBytes));
    }
    if (text.find('\0') != text.npos) {
      fail(codes::kBadCharacter, where, to_pointer(next_path()), "NUL (\\u0000) in a text",
           "text without NUL");
    }
  }

  void fail(const ErrorCode& code, const Location& where, std::string pointer, std::string message,
            std::string expected = {}) {
    diagnostics_.error(code.code, where, std::move(pointer), std::move(message),
                       std::move(expected));
  }

  SourcePtr source_;
  TokenWalk walk_;
  After after_ = After::nothing;
  std::size_t values_ = 0;
  std::size_t duplicates_ = 0;
  std::vector<Frame> frames_;
  Value document_;
  Diagnostics diagnostics_;
};

/// Checks of the bytes before they are treated as text.
Diagnostics check_bytes(const SourcePtr& source) {
  Diagnostics diagnostics;
  const std::string& text = source->text;
  if (text.size() > kMaxFileBytes) {
    diagnostics.error(codes::kTooLarge.code, {}, {},
                      fmt::format("\"{}\" is larger than 64 MiB", source->path));
    return diagnostics;
  }
  const std::size_t invalid = find_invalid_utf8(text);
  if (invalid < text.size()) {
    const bool utf16 = text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF");
    diagnostics.error(codes::kBadUtf8.code, {source, invalid, 1}, {},
                      utf16 ? "the file is UTF-16" : "a byte that is not valid UTF-8",
                      "a file saved as UTF-8");
    return diagnostics;
  }
  const std::size_t nul = text.find('\0');
  if (nul != text.npos) {
    diagnostics.error(codes::kBadCharacter.code, {source, nul, 1}, {}, "NUL byte in the file",
                      "text without NUL");
  }
  return diagnostics;
}

}  // namespace

tl::expected<Value, Diagnostics> read_json(const SourcePtr& source) {
  Diagnostics unfit = check_bytes(source);
  if (unfit.has_errors()) return tl::unexpected(std::move(unfit));
  Builder builder(source);
  nlohmann::json::sax_parse(source->text, &builder);
  return std::move(builder).result();
}

}  // namespace vgsim::input
