#include <fmt/core.h>

#include <string>
#include <string_view>
#include <utility>

#include "models/vsphere/import/vim/vim_value.hpp"
#include "models/vsphere/import/xml_names.hpp"
#include "topology/importers/xml_reader.hpp"

namespace vgsim::vsphere::import {
namespace {

/// Deeper than the parts that are read: trees of snapshots are omitted.
constexpr topology::XmlLimits kLimits{std::size_t{16} << 20, 96};

/// A list is a repeated member, and xsi:type holds a type; both become what the JSON reader makes
/// of the same object. Prefixes of namespaces are dropped, since they differ by tool.
class XmlValues {
 public:
  explicit XmlValues(FileNotes& notes) : xml_(notes), notes_(notes) {}

  std::optional<VimValue> read() {
    const pugi::xml_node root = xml_.load(kLimits);
    std::optional<VimValue> value;
    if (root) value = read_element(root, 1);
    if (notes_.failed()) return std::nullopt;
    return value;
  }

 private:
  VimValue read_element(pugi::xml_node node, std::size_t depth) {
    VimValue value;
    value.name = std::string(local_name(node.name()));
    read_attributes(node, value);
    value.is_list = value.type.starts_with("ArrayOf");
    const pugi::xml_node first = node.first_child();
    const bool is_text = first && first.type() == pugi::node_pcdata;
    value.place.offset = xml_.offset(is_text ? first : node);
    value.place.length = is_text ? std::string_view(first.value()).size() : value.name.size();
    if (is_text) value.text = first.value();
    for (const pugi::xml_node child : node.children()) {
      if (child.type() != pugi::node_element || is_left_out(local_name(child.name()))) continue;
      if (!within_limits(child, depth)) break;
      value.children.push_back(read_element(child, depth + 1));
    }
    return value;
  }

  static void read_attributes(pugi::xml_node node, VimValue& value) {
    for (const pugi::xml_attribute attribute : node.attributes()) {
      const std::string_view name = attribute.name();
      if (local_name(name) != "type") continue;
      if (name.find(':') != name.npos) {
        value.type = std::string(local_name(attribute.value()));
      } else {
        VimValue member;
        member.name = "type";
        member.text = attribute.value();
        value.children.push_back(std::move(member));
      }
    }
  }

  bool within_limits(pugi::xml_node node, std::size_t depth) {
    if (++count_ <= kMostVimValues && depth < kDeepestVimValue) return true;
    const Place place{xml_.offset(node), std::string_view(node.name()).size()};
    if (!stated_) {
      notes_.error(codes::kTooMuch, place,
                   fmt::format("more than {} values, or nested more than {} levels deep",
                               kMostVimValues, kDeepestVimValue),
                   "one host or VM in a file");
    }
    stated_ = true;
    return false;
  }

  topology::XmlReader xml_;
  FileNotes& notes_;
  std::size_t count_ = 0;
  bool stated_ = false;
};

}  // namespace

std::optional<VimValue> read_vim_xml(FileNotes& notes) { return XmlValues(notes).read(); }

}  // namespace vgsim::vsphere::import
