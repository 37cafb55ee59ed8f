#include "models/traces/trace_file.hpp"

#include <fmt/format.h>

#include <cctype>
#include <system_error>

#include "models/traces/gzip_stream.hpp"
#include "models/traces/trace_readers.hpp"
#include "topology/input/error_codes.hpp"

namespace vgsim::traces {
namespace {

tl::unexpected<input::Diagnostics> failure(std::string_view code, std::string message,
                                           std::string expected = {}) {
  input::Diagnostics diagnostics;
  diagnostics.error(code, {}, {}, std::move(message), std::move(expected));
  return tl::unexpected(std::move(diagnostics));
}

/// Whether the file begins with a brace, followed by a key or the other brace. A message length of
/// 123 looks like a brace as well, but is followed by a message.
bool looks_like_json(std::istream& file) {
  char start[64] = {};
  file.read(start, sizeof start);
  const auto count = static_cast<std::size_t>(file.gcount());
  std::size_t i = 0;
  const auto skip_blanks = [&] {
    while (i < count && std::isspace(static_cast<unsigned char>(start[i])) != 0) ++i;
  };
  skip_blanks();
  if (i == count || start[i] != '{') return false;
  ++i;
  skip_blanks();
  return i == count || start[i] == '"' || start[i] == '}';
}

bool starts_with_json(const std::string& path) {
  GzipStream content(path, kMaxTraceBytes);
  std::istream text(&content);
  text.exceptions(std::ios::badbit);
  return looks_like_json(text);
}

/// Whether it is a tar archive, by the magic number of its first header.
bool is_archive(const std::string& path) {
  GzipStream content(path, kMaxTraceBytes);
  char header[262] = {};
  content.sgetn(header, sizeof header);
  return std::string_view(header + 257, 5) == "ustar";
}

}  // namespace

tl::expected<Trace, input::Diagnostics> read_trace_file(const std::string& path,
                                                        const std::string& name) {
  const std::string& shown = name.empty() ? path : name;
  constexpr const char* kExpected =
      "JSON of PyTorch's profiler or of its ExecutionTraceObserver, or a Chakra execution trace; "
      "compressed with gzip or not";
  try {
    const bool json = starts_with_json(path);
    GzipStream content(path, kMaxTraceBytes);
    std::istream text(&content);
    text.exceptions(std::ios::badbit);
    if (is_archive(path)) throw TraceError("it is an archive; unpack it first");
    return json ? read_json_trace(text) : read_chakra_trace(text);
  } catch (const std::system_error& error) {
    return failure(input::codes::kUnreadable.code,
                   fmt::format("cannot read \"{}\": {}", shown, error.code().message()));
  } catch (const TraceError& error) {
    return failure("E601", fmt::format("\"{}\" is not a trace: {}", shown, error.what()),
                   kExpected);
  } catch (const TraceTooLarge& error) {
    return failure("E602", fmt::format("\"{}\": {}", shown, error.what()));
  }
}

}  // namespace vgsim::traces
