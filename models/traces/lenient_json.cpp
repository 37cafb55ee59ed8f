#include "models/traces/lenient_json.hpp"

#include <string>

namespace vgsim::traces {
namespace {

using Traits = std::char_traits<char>;

bool is_letter(int c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

}  // namespace

void LenientJson::skip_word() {
  while (is_letter(buffer_->sgetc())) buffer_->sbumpc();
}

LenientJson& LenientJson::operator++() {
  if (!pending_.empty()) {
    current_ = pending_.front();
    pending_.remove_prefix(1);
    return *this;
  }
  int next = buffer_->sbumpc();
  if (next == Traits::eof()) {
    buffer_ = nullptr;
    return *this;
  }
  if (in_string_) {
    if (escaped_) {
      escaped_ = false;
    } else if (next == '\\') {
      escaped_ = true;
    } else if (next == '"') {
      in_string_ = false;
    }
  } else if (next == '"') {
    in_string_ = true;
  } else if (next == 'N' || next == 'I' || (next == '-' && buffer_->sgetc() == 'I')) {
    skip_word();
    next = 'n';
    pending_ = "ull";
  }
  current_ = next >= 0x80 ? '?' : static_cast<char>(next);
  return *this;
}

}  // namespace vgsim::traces
