#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "models/vsphere/import/reading.hpp"

namespace vgsim::vsphere::import {

/// A value of the vSphere API (vim25), from XML or JSON: a text, an object with members
/// or a list. A property list becomes the object of its paths.
///
/// In XML a list is a member that is there several times, in JSON one member that is a list, so
/// members are read with items(). `_value` and ArrayOfX are taken off.
struct VimValue {
  std::string name;  ///< as a member; as the file spells it
  std::string type;  ///< xsi:type or _typeName: "VirtualPCIPassthrough"; empty: unknown
  std::string text;  ///< of a text, number or truth value
  Place place;       ///< JSON: the last byte of the value
  bool is_list = false;
  std::vector<VimValue> children;  ///< members, or what is in the list
};

/// The member at a path such as "config.hardware". Go's spelling of names, with a capital first,
/// counts as the same. Null if it is not there, is null or empty; `value` may be null.
[[nodiscard]] const VimValue* find(const VimValue* value, std::string_view path);

/// All values of a member that may be a list.
[[nodiscard]] std::vector<const VimValue*> items(const VimValue* value, std::string_view path);

/// Whether a member name is that one.
[[nodiscard]] bool same_name(std::string_view name, std::string_view wanted);

/// The id of a reference to a managed object: "host-25". Empty if it is none.
[[nodiscard]] std::string reference(const VimValue* value);

/// Readers of members: empty if the member is missing, an error if its value is impossible.
[[nodiscard]] Maybe<std::string> vim_text(const VimValue* value, const FileNotes& notes);
[[nodiscard]] Maybe<std::int64_t> vim_number(const VimValue* value, std::int64_t min,
                                             std::int64_t max, FileNotes& notes);
[[nodiscard]] Maybe<bool> vim_truth(const VimValue* value, FileNotes& notes);

/// Adds a value to an object at the path that a property list gives for it. Nothing happens to a
/// path of more than 16 parts.
void add_at_path(VimValue& object, std::string_view path, VimValue value);

/// Limits of one file.
inline constexpr std::size_t kMostVimValues = 1'000'000;
inline constexpr std::size_t kDeepestVimValue = 32;

/// Whether a member is left out while the file is read: large, and nothing in it concerns
/// hardware.
[[nodiscard]] bool is_left_out(std::string_view name);

/// Reads an XML document of the vSphere API: what "govc object.save" writes, answers in SOAP, or a
/// data object by itself. Prefixes of namespaces do not matter; attributes without one, such as the
/// type of a managed object, become members. Errors (in `notes`, with nothing returned): E501 to
/// E504 for bad XML, E533 beyond the limits of VimValue.
[[nodiscard]] std::optional<VimValue> read_vim_xml(FileNotes& notes);

/// Reads successive JSON documents, as "govc -json" writes them for several
/// objects. Errors (in `notes`, with nothing returned): E531 for text that is not JSON, E532 for an
/// empty file or an early end, E533 beyond the limits of VimValue.
[[nodiscard]] std::vector<VimValue> read_vim_json(FileNotes& notes);

}  // namespace vgsim::vsphere::import
