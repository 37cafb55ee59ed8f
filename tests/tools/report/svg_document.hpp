#pragma once

#include <gtest/gtest.h>

#include <pugixml.hpp>
#include <string>
#include <vector>

namespace vgsim::test {

/// A drawing, read back by a parser of XML that is not ours.
class SvgDocument {
 public:
  explicit SvgDocument(const std::string& text) {
    const auto read = document_.load_string(text.c_str());
    EXPECT_TRUE(read) << read.description() << " in " << text;
  }

  [[nodiscard]] pugi::xml_node root() const { return document_.child("svg"); }

  /// The elements of that name, and with that class among theirs if one is given.
  [[nodiscard]] std::vector<pugi::xml_node> all(const std::string& tag,
                                                const std::string& look = {}) const {
    std::vector<pugi::xml_node> found;
    for (const pugi::xml_node& node : root().children(tag.c_str())) {
      const std::string looks = std::string(" ") + node.attribute("class").value() + " ";
      if (look.empty() || looks.find(" " + look + " ") != std::string::npos) found.push_back(node);
    }
    return found;
  }

  [[nodiscard]] std::vector<std::string> texts() const {
    std::vector<std::string> found;
    for (const pugi::xml_node& node : all("text")) found.emplace_back(node.child_value());
    return found;
  }

 private:
  pugi::xml_document document_;
};

inline double number(const pugi::xml_node& node, const char* attribute) {
  return node.attribute(attribute).as_double();
}

}  // namespace vgsim::test
