#pragma once

#include <pugixml.hpp>
#include <string_view>

/// XML elements and attributes by their names alone: tools choose the prefixes of namespaces.
namespace vgsim::vsphere::import {

[[nodiscard]] inline std::string_view local_name(std::string_view name) {
  return name.substr(name.find(':') + 1);
}

[[nodiscard]] inline pugi::xml_node child_named(pugi::xml_node node, std::string_view name) {
  return node.find_child([&](pugi::xml_node child) { return local_name(child.name()) == name; });
}

[[nodiscard]] inline pugi::xml_attribute attribute_named(pugi::xml_node node,
                                                         std::string_view name) {
  return node.find_attribute(
      [&](pugi::xml_attribute attribute) { return local_name(attribute.name()) == name; });
}

/// The text of a child; empty if there is none.
[[nodiscard]] inline std::string_view text_of(pugi::xml_node node, std::string_view name) {
  return child_named(node, name).child_value();
}

}  // namespace vgsim::vsphere::import
