#include "tests/fuzz/mutate.hpp"

#include <algorithm>
#include <cctype>

namespace vgsim::fuzz {
namespace {

std::size_t below(std::size_t limit, std::mt19937_64& random) {
  return limit == 0 ? 0 : static_cast<std::size_t>(random() % limit);
}

/// A stretch of the text: a few bytes, or some whole lines.
std::pair<std::size_t, std::size_t> stretch(const std::string& text, std::mt19937_64& random) {
  std::size_t begin = below(text.size(), random);
  std::size_t end = std::min(text.size(), begin + 1 + below(64, random));
  if (random() % 2 == 0) {
    begin = begin == 0 ? 0 : text.rfind('\n', begin - 1) + 1;
    end = std::min(text.size(), text.find('\n', end));
  }
  return {begin, end};
}

void make_a_number_extreme(std::string& text, std::mt19937_64& random) {
  static const char* const kNumbers[] = {"-1",    "0",          "99999999999999999999",
                                         "1e308", "2147483648", "0x7fffffffffffffff",
                                         "nan",   "0.0000001",  "4294967295"};
  std::size_t digit = below(text.size(), random);
  while (digit < text.size() && std::isdigit(static_cast<unsigned char>(text[digit])) == 0) ++digit;
  if (digit == text.size()) return;
  std::size_t end = digit;
  while (end < text.size() && std::isdigit(static_cast<unsigned char>(text[end])) != 0) ++end;
  text.replace(digit, end - digit, kNumbers[below(std::size(kNumbers), random)]);
}

void change(std::string& text, const std::vector<std::string>& corpus, std::mt19937_64& random) {
  static const std::string kBytes("\0\xff\x1b<>&\"'{}[]:,=\n\t ", 17);
  if (text.empty()) {
    text = corpus[below(corpus.size(), random)];
    return;
  }
  const auto [begin, end] = stretch(text, random);
  switch (random() % 8) {
    case 0:
      text[begin] = static_cast<char>(text[begin] ^ (1 << (random() % 8)));
      break;
    case 1:
      text.erase(begin, end - begin);
      break;
    case 2:
      text.insert(begin, text.substr(begin, end - begin));
      break;
    case 3: {
      const std::string& other = corpus[below(corpus.size(), random)];
      const auto [from, to] = stretch(other, random);
      text.insert(begin, other.substr(from, to - from));
      break;
    }
    case 4:
      text.resize(begin);
      break;
    case 5:
      text.insert(begin, 1, kBytes[below(kBytes.size(), random)]);
      break;
    case 6: {
      const std::string part = text.substr(begin, end - begin);
      text.erase(begin, end - begin);
      text.insert(below(text.size() + 1, random), part);
      break;
    }
    default:
      make_a_number_extreme(text, random);
      break;
  }
}

}  // namespace

std::string mutated(const std::vector<std::string>& corpus, std::mt19937_64& random) {
  constexpr std::size_t kMost = 1 << 20;
  std::string text = corpus[below(corpus.size(), random)];
  const std::size_t changes = 1 + below(8, random);
  for (std::size_t c = 0; c < changes; ++c) change(text, corpus, random);
  if (text.size() > kMost) text.resize(kMost);
  return text;
}

}  // namespace vgsim::fuzz
