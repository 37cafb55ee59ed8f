#include "topology/input/member_texts.hpp"

#include <utility>

#include "topology/input/json_reader.hpp"

namespace vgsim::input {
namespace {

/// Scans a text for quotes, backslashes, commas, colons and brackets only.
class Scan {
 public:
  explicit Scan(std::string_view json) : json_(json) {}

  /// The members of the next object.
  MemberTexts members(std::size_t depth) {
    MemberTexts members;
    go_to("{");
    while (go_to("\"}") == '"') {
      const std::size_t start = at_;
      skip_string();
      std::string name = text_of(json_.substr(start, at_ - start));
      go_to(":");
      ++at_;
      add(std::move(name), depth, members);
    }
    ++at_;
    return members;
  }

 private:
  void add(std::string name, std::size_t depth, MemberTexts& members) {
    at_ = json_.find_first_not_of(" \t\r\n", at_);
    const std::size_t start = at_;
    MemberText member;
    if (depth > 1 && json_[at_] == '{') {
      member.members = this->members(depth - 1);
    } else {
      skip_value();
    }
    member.value = json_.substr(start, at_ - start);
    if (name == kCommentKey && json_[start] == '"') return;
    members.emplace(std::move(name), std::move(member));
  }

  char go_to(const char* any_of) {
    at_ = json_.find_first_of(any_of, at_);
    return json_[at_];
  }

  void skip_string() {
    while (json_[++at_] != '"') {
      if (json_[at_] == '\\') ++at_;
    }
    ++at_;
  }

  /// Skips the value, up to the following comma or bracket.
  void skip_value() {
    std::size_t open = 0;
    while (true) {
      switch (json_[at_]) {
        case '"':
          skip_string();
          continue;
        case '{':
        case '[':
          ++open;
          break;
        case '}':
        case ']':
          if (open-- == 0) return;
          break;
        case ',':
          if (open == 0) return;
          break;
        default:
          break;
      }
      ++at_;
    }
  }

  /// The text of a string literal.
  static std::string text_of(std::string_view literal) {
    if (literal.find('\\') != literal.npos) return read_text(literal).string();
    return std::string(literal.substr(1, literal.size() - 2));
  }

  std::string_view json_;
  std::size_t at_ = 0;
};

}  // namespace

MemberTexts member_texts(std::string_view object, std::size_t depth) {
  return Scan(object).members(depth);
}

Value read_text(std::string_view json) { return *read_json(make_source({}, std::string(json))); }

}  // namespace vgsim::input
