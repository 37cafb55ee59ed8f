#include "tests/fuzz/mutate.hpp"

#include <algorithm>
#include <cctype>
#include <nlohmann/json.hpp>

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

/// A value somewhere within, each depth as likely as the next.
nlohmann::json& part_of(nlohmann::json& value, std::mt19937_64& random) {
  if (value.empty() || value.is_primitive() || below(4, random) == 0) return value;
  auto part = value.begin();
  std::advance(part, static_cast<std::ptrdiff_t>(below(value.size(), random)));
  return part_of(*part, random);
}

void change_json(nlohmann::json& document, std::mt19937_64& random) {
  static const nlohmann::json kValues = {nullptr,
                                         true,
                                         -1,
                                         0,
                                         4294967296,
                                         9007199254740993,
                                         -9223372036854775807,
                                         1e308,
                                         1e-300,
                                         "",
                                         "\x7f 7 x",
                                         "-1",
                                         "1e99",
                                         nlohmann::json::array(),
                                         nlohmann::json::object()};
  nlohmann::json& part = part_of(document, random);
  switch (random() % 4) {
    case 0:
      part = kValues[below(kValues.size(), random)];
      break;
    case 1:
      part = nlohmann::json(part_of(document, random));
      break;
    case 2:
      if (part.is_array() && !part.empty()) part.push_back(part[below(part.size(), random)]);
      if (part.is_object() && !part.empty()) part.erase(part.begin());
      break;
    default:
      if (part.is_array() && !part.empty()) part.erase(part.begin());
      if (part.is_number()) part = 1e3 * part.get<double>();
      break;
  }
}

/// With other values at its places, so that what reads it gets beyond the syntax; empty if it is
/// no JSON.
std::string mutated_json(const std::string& text, std::mt19937_64& random) {
  if (text.empty() || (text.front() != '{' && text.front() != '[')) return {};
  nlohmann::json document = nlohmann::json::parse(text, nullptr, false);
  if (document.is_discarded()) return {};
  const std::size_t changes = 1 + below(4, random);
  for (std::size_t c = 0; c < changes; ++c) change_json(document, random);
  return document.dump(1, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace

std::string mutated(const std::vector<std::string>& corpus, std::mt19937_64& random) {
  constexpr std::size_t kMost = 1 << 20;
  std::string text = corpus[below(corpus.size(), random)];
  if (random() % 2 == 0) {
    if (std::string changed = mutated_json(text, random); !changed.empty()) return changed;
  }
  const std::size_t changes = 1 + below(8, random);
  for (std::size_t c = 0; c < changes; ++c) change(text, corpus, random);
  if (text.size() > kMost) text.resize(kMost);
  return text;
}

}  // namespace vgsim::fuzz
