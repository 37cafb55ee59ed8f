#include <fmt/core.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "topology/importers/hwloc/hwloc_clean.hpp"
#include "topology/machine/text.hpp"

namespace vgsim::topology {
namespace {

constexpr std::size_t kMostMatrixObjects = 1024;
/// Types of the ends of links.
constexpr std::array<std::string_view, 3> kMatrixTypes = {"OSDev", "PCIDev", "Package"};

/// The words in all elements of that name.
std::vector<std::string_view> words_in(pugi::xml_node matrix, const char* element,
                                       std::size_t most) {
  std::vector<std::string_view> words;
  for (const pugi::xml_node part : matrix.children(element)) {
    std::string_view text = part.child_value();
    while (words.size() <= most) {
      text = trimmed(text);
      if (text.empty()) break;
      const std::size_t end = std::min(text.find_first_of(" \t\r\n"), text.size());
      words.push_back(text.substr(0, end));
      text.remove_prefix(end);
    }
  }
  return words;
}

bool is_number(std::string_view text) {
  constexpr std::size_t kDigits = 18;
  return !text.empty() && text.size() <= kDigits &&
         text.find_first_not_of("0123456789") == text.npos;
}

bool is_type(std::string_view text) {
  return std::ranges::find(kMatrixTypes, text) != kMatrixTypes.end();
}

/// "OSDev:802" in a matrix of objects of several types, "802" otherwise.
bool is_object(std::string_view text, bool several_types) {
  const std::size_t colon = text.find(':');
  if (!several_types) return is_number(text);
  return colon != text.npos && is_type(text.substr(0, colon)) && is_number(text.substr(colon + 1));
}

void add_words(pugi::xml_node matrix, const char* element,
               const std::vector<std::string_view>& words) {
  const std::string text = fmt::format("{} ", fmt::join(words, " "));
  pugi::xml_node node = matrix.append_child(element);
  node.append_attribute("length") = text.size();
  node.text() = text.c_str();
}

bool copy_parts(pugi::xml_node from, pugi::xml_node to, bool several_types) {
  const std::string_view size = from.attribute("nbobjs").value();
  std::size_t count = 0;
  const auto [end, failure] = std::from_chars(size.data(), size.data() + size.size(), count);
  if (failure != std::errc() || end != size.data() + size.size()) return false;
  if (count < 2 || count > kMostMatrixObjects) return false;
  const auto objects = words_in(from, "indexes", count);
  const auto values = words_in(from, "u64values", count * count);
  const bool good =
      objects.size() == count && values.size() == count * count &&
      std::ranges::all_of(objects,
                          [&](std::string_view word) { return is_object(word, several_types); }) &&
      std::ranges::all_of(values, is_number);
  if (!good) return false;
  to.append_attribute("nbobjs") = count;
  // "From the operating system, bandwidth" and, for several types, "heterogeneous".
  to.append_attribute("kind") = several_types ? "25" : "9";
  to.append_attribute("name") = from.attribute("name").value();
  if (!several_types) to.append_attribute("indexing") = "gp";
  add_words(to, "indexes", objects);
  add_words(to, "u64values", values);
  return true;
}

}  // namespace

void copy_hwloc_matrix(pugi::xml_node from, pugi::xml_node topology, FileNotes& notes) {
  const std::string_view element = from.name();
  const std::string_view name = from.attribute("name").value();
  const bool several_types = element == "distances2hetero";
  if (!several_types && element != "distances2") return;
  if (name != kHwlocNvLinks && name != kHwlocXgmi && name != kHwlocXgmiHops) return;
  const char* type = from.attribute("type").value();
  pugi::xml_node copy = topology.append_child(from.name());
  if (!several_types) copy.append_attribute("type") = type;
  if ((!several_types && !is_type(type)) || !copy_parts(from, copy, several_types)) {
    topology.remove_child(copy);
    notes.skip("matrices of links with other numbers of objects and values than they state",
               std::string(name));
  }
}

}  // namespace vgsim::topology
