#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "topology/input/source_file.hpp"

namespace vgsim::input {

enum class Severity { error, warning };

/// One error or warning about the input.
struct Diagnostic {
  Severity severity = Severity::error;
  std::string code;                      ///< "E201"; see error_codes.hpp for those of this folder.
  Location location;                     ///< Where; without a source only the message is shown.
  std::string pointer;                   ///< JSON pointer (RFC 6901) in that file; may be empty.
  std::string message;                   ///< The problem: `unknown key "bandwidht"`.
  std::string expected;                  ///< Goes on after the word "expected"; may be empty.
  std::vector<std::string> suggestions;  ///< Nearest valid words, best first; may be empty.
};

/// The diagnostics so far. Adding is cheap; reading sorts.
///
/// Only the first kCapacity of each severity are kept and the others counted, so that a hostile
/// file cannot exhaust the memory.
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

  /// Sorted by file, offset, severity, code and message, without duplicates.
  [[nodiscard]] std::vector<Diagnostic> items() const;

  /// Number of diagnostics of that severity that were counted but not kept.
  [[nodiscard]] std::size_t dropped(Severity severity) const;

 private:
  std::vector<Diagnostic> items_;
  std::array<std::size_t, 2> kept_{};  // Indexed by severity.
  std::array<std::size_t, 2> dropped_{};
};

/// Asserts that there are no errors, for input that was checked before. Throws std::logic_error
/// with the first error otherwise.
void expect_no_errors(const Diagnostics& diagnostics);

/// The text for the user, with a newline at the end; empty without diagnostics:
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
/// Control characters of the input are escaped.
[[nodiscard]] std::string render(const Diagnostics& diagnostics, std::size_t max_errors = 20);

}  // namespace vgsim::input
