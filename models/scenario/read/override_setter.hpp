#pragma once

#include <map>
#include <string>
#include <vector>

#include "models/scenario/read/overrides.hpp"
#include "topology/input/diagnostics.hpp"
#include "topology/input/value.hpp"

namespace vgsim::scenario {

/// Sets one value at all places of a scenario matched by its tokens. Values there have the origin
/// of the new value, so that messages refer to it.
class OverrideSetter {
 public:
  OverrideSetter(const Override& change, std::vector<std::string> tokens,
                 input::Diagnostics& diagnostics);

  /// The document with the value in its base and in every layout that sets the same place. Reports
  /// a place without match.
  [[nodiscard]] input::Value in(const input::Value& document);

  /// Whether some token is "*" or a range.
  [[nodiscard]] bool stands_for_many() const;
  /// The matched places: "/vms/*/memory: 4 places (/vms/a/memory and 3 more)".
  [[nodiscard]] std::string matched() const;

 private:
  /// A user-defined name, not a key of the scenario: a host, a VM, a NIC.
  struct Named {
    bool found = false;
    std::vector<std::string> others;  ///< existing names at this place
  };

  void error(const std::string& message, const std::string& expected,
             std::vector<std::string> near = {});
  void report_missing();

  input::Value set(const input::Value& old, std::size_t depth);
  /// Sets the value inside a member.
  input::Value set_inside(const std::string& name, const input::Value& old, std::size_t depth);
  input::Value set_in_array(const input::Value& old, std::size_t depth);
  input::Value set_in_object(const input::Value& old, std::size_t depth);
  /// Sets the value in a layout's patch. `base`: the changed base object, or nullptr if only the
  /// layout has it.
  input::Value set_in_patch(const input::Value& patch, const input::Value* base, std::size_t depth);

  /// Whether a token names a host, a VM or a NIC.
  [[nodiscard]] bool is_machine(std::size_t depth) const;
  /// The members matched by a token.
  std::vector<std::string> names(const input::Value& object, std::size_t depth);
  /// Records whether a required name was found in an object.
  void note(const std::string& name, const input::Value& object, std::size_t depth, bool found);

  const Override change_;  ///< a number becomes text where the shape requires text
  std::vector<std::string> tokens_;
  /// By token: whether it is a user-defined name that must exist.
  std::vector<bool> must_be_there_;
  input::Diagnostics& diagnostics_;
  std::vector<std::string> way_;        ///< current path from the root
  std::vector<std::string> places_;     ///< matched places
  std::map<std::string, Named> named_;  ///< required names
};

}  // namespace vgsim::scenario
