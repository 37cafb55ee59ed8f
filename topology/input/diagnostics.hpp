#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "topology/input/source_file.hpp"

namespace vgsim::input {

enum class Severity { error, warning };

/// One thing that is wrong, or odd, with the input.
struct Diagnostic {
  Severity severity = Severity::error;
  std::string code;                      ///< "E201"; see error_codes.hpp for those of this folder.
  Location location;                     ///< Where; without a source only the message is shown.
  std::string pointer;                   ///< JSON pointer (RFC 6901) in that file; may be empty.
  std::string message;                   ///< What was found: `unknown key "bandwidht"`.
  std::string expected;                  ///< Goes on after the word "expected"; may be empty.
  std::vector<std::string> suggestions;  ///< Nearest valid words, best first; may be empty.
};

/// Everything found so far. Adding is cheap; reading sorts.
///
/// Of each severity the first kCapacity are kept and the others only counted, so that a hostile
/// file cannot fill the memory with complaints.
class Diagnostics {
 public:
  static constexpr std::size_t kCapacity = 1000;

  void add(Diagnostic diagnostic);

  /// Adds an error. `expected` and `suggestions` as in Diagnostic.
  void error(std::string_view code, Location location, std::string pointer, std::string message,
             std::string expected = {}, std::vector<std::string> suggestions = {});

  /// Adds a warning.
  void warning(std::string_view code, Location location, std::string pointer, std::string message,
               std::string expected = {}, std::vector<std::string> suggestions = {});

  void append(const Diagnostics& other);

  [[nodiscard]] bool has_errors() const { return kept_[0] > 0; }
  [[nodiscard]] bool empty() const { return items_.empty(); }

  /// Sorted by file, offset, severity, code and message, without repetitions.
  [[nodiscard]] std::vector<Diagnostic> items() const;

  /// How many of that severity were counted but not kept.
  [[nodiscard]] std::size_t dropped(Severity severity) const;

 private:
  std::vector<Diagnostic> items_;
  std::array<std::size_t, 2> kept_{};  // Indexed by severity.
  std::array<std::size_t, 2> dropped_{};
};

/// For what cannot go wrong, because it was checked before. Throws std::logic_error with the first
/// error where it did.
void expect_no_errors(const Diagnostics& diagnostics);

/// The text shown to people, with a newline at the end; empty if there is nothing to say:
///
///     rack.json:8:36: error E201: unknown key "bandwidht"
///        8 |                {"kind": "nvlink4", "bandwidht": "900 GB/s"}]}
///          |                                    ^^^^^^^^^^^ did you mean "bandwidth"?
///        at /hosts/1/links/1/bandwidht
///        expected one of: kind, bandwidth
///
///     1 error
///
/// At most `max_errors` errors and as many warnings are shown, and the last line counts the rest.
/// Nothing from the input reaches the terminal as a control character.
[[nodiscard]] std::string render(const Diagnostics& diagnostics, std::size_t max_errors = 20);

}  // namespace vgsim::input
