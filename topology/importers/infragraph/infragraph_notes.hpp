#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "topology/importers/infragraph/infragraph_model.hpp"
#include "topology/inventory/inventory.hpp"

namespace vgsim::topology::infragraph {

/// Annotations of one node, or of the graph: names and values, the last of a name. The names are
/// those that InfraGraph's own translator from NCCL writes, where it has one.
class Notes {
 public:
  /// Names that are asked for are noted in `known`.
  Notes(const Attributes* attributes, std::string source, std::set<std::string>& known)
      : attributes_(attributes), source_(std::move(source)), known_(&known) {}

  [[nodiscard]] inventory::Maybe<std::string> text(std::string_view name) const;
  [[nodiscard]] inventory::Maybe<std::int64_t> number(std::string_view name, std::int64_t min,
                                                      std::int64_t max) const;
  [[nodiscard]] inventory::Maybe<bool> flag(std::string_view name) const;  ///< "0" or "1"
  /// So many hex digits at most, with or without "0x"; lower case, without it.
  [[nodiscard]] inventory::Maybe<std::string> hex(std::string_view name, std::size_t digits) const;
  /// normalized_bus_id(), empty if there is none.
  [[nodiscard]] std::string bus_id() const;

 private:
  [[nodiscard]] std::string_view find(std::string_view name) const;

  const Attributes* attributes_;
  std::string source_;
  std::set<std::string>* known_;
};

/// What annotations tell of a device, whatever its kind.
void read_notes(const Notes& notes, inventory::Device& device);
void read_notes(const Notes& notes, inventory::NumaNode& node);
void read_notes(const Notes& notes, inventory::Gpu& gpu);
/// Ports of a NIC: "name", "speed" in Mbit/s and others as NCCL calls them; of further ports with
/// "_2", "_3" behind.
[[nodiscard]] std::vector<inventory::Port> read_ports(const Notes& notes);
/// Of the graph.
void read_notes(const Notes& notes, inventory::Inventory& host);

/// The same as annotations, of what the schema has no place for; without values that were assumed
/// and bus ids that placeholder_bus_id() made up.
[[nodiscard]] Attributes annotations_of(const inventory::Device& device);
[[nodiscard]] Attributes annotations_of(const inventory::NumaNode& node);
[[nodiscard]] Attributes annotations_of(const inventory::Inventory& host);

/// The annotations of a document's nodes by name.
class NoteBook {
 public:
  /// Both must outlive it.
  NoteBook(const Document& document, const std::string& source);

  /// "host.0.xpu.3"
  [[nodiscard]] Notes of(const std::string& node);
  [[nodiscard]] Notes of_graph();
  /// Names of annotations that were there and nobody asked for, but for those that the API adds.
  [[nodiscard]] std::set<std::string> unread() const;

 private:
  const Document* document_;
  std::string source_;
  std::map<std::string_view, const Attributes*> nodes_;
  std::set<std::string> known_;
  std::set<std::string_view> met_;
};

}  // namespace vgsim::topology::infragraph
