#pragma once

#include <map>
#include <string>
#include <vector>

#include "models/scenario/read/overrides.hpp"
#include "topology/input/diagnostics.hpp"
#include "topology/input/value.hpp"

namespace vgsim::scenario {

/// Puts one value into a scenario, at all places that its tokens stand for. What is put there has
/// the origin of the new value, so that messages about it point to where that was written.
class OverrideSetter {
 public:
  OverrideSetter(const Override& change, std::vector<std::string> tokens,
                 input::Diagnostics& diagnostics);

  /// The document with the value in its base and in every layout that says something of the same
  /// place. Reports a place that there is nowhere.
  [[nodiscard]] input::Value in(const input::Value& document);

  /// Whether some token is "*" or a range.
  [[nodiscard]] bool stands_for_many() const;
  /// Where the value has been put: "/vms/*/memory: 4 places (/vms/a/memory and 3 more)".
  [[nodiscard]] std::string matched() const;

 private:
  /// A name that is no key of a scenario but of something that somebody named: a host, a VM, a NIC.
  struct Named {
    bool found = false;
    std::vector<std::string> others;  ///< that there are in its place
  };

  void error(const std::string& message, const std::string& expected,
             std::vector<std::string> near = {});
  void report_missing();

  input::Value set(const input::Value& old, std::size_t depth);
  /// The same of something inside, of that name.
  input::Value set_inside(const std::string& name, const input::Value& old, std::size_t depth);
  input::Value set_in_array(const input::Value& old, std::size_t depth);
  input::Value set_in_object(const input::Value& old, std::size_t depth);
  /// `patch` is what a layout makes of `base`, which has been changed already, or is nullptr where
  /// the layout alone has such a thing.
  input::Value set_in_patch(const input::Value& patch, const input::Value* base, std::size_t depth);

  /// Whether a token names a host, a VM or a NIC.
  [[nodiscard]] bool is_machine(std::size_t depth) const;
  /// The members that a token stands for.
  std::vector<std::string> names(const input::Value& object, std::size_t depth);
  /// Remembers whether a name that must be there was found in an object.
  void note(const std::string& name, const input::Value& object, std::size_t depth, bool found);

  const Override change_;  ///< a number as the text that it is written as where a text belongs
  std::vector<std::string> tokens_;
  /// By token: whether it is a name that something must have before anything is said of it.
  std::vector<bool> must_be_there_;
  input::Diagnostics& diagnostics_;
  std::vector<std::string> way_;        ///< from the top to where it is at
  std::vector<std::string> places_;     ///< that got the value
  std::map<std::string, Named> named_;  ///< by name, of those that must be there
};

}  // namespace vgsim::scenario
