#include "topology/input/load_source.hpp"

#include <fmt/format.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <system_error>
#include <utility>

#include "topology/input/error_codes.hpp"

namespace vgsim::input {
namespace {

tl::unexpected<Diagnostics> failure(const ErrorCode& code, std::string message) {
  Diagnostics diagnostics;
  diagnostics.error(code.code, {}, {}, std::move(message));
  return tl::unexpected(std::move(diagnostics));
}

std::optional<std::string> special(std::filesystem::file_type type) {
  switch (type) {
    case std::filesystem::file_type::fifo:
      return "a pipe";
    case std::filesystem::file_type::socket:
      return "a socket";
    case std::filesystem::file_type::block:
    case std::filesystem::file_type::character:
      return "a device";
    default:
      return std::nullopt;
  }
}

}  // namespace

std::optional<std::string> special_file(const std::string& path) {
  std::error_code ignored;
  return special(std::filesystem::status(path, ignored).type());
}

tl::expected<SourcePtr, Diagnostics> load_source(const std::string& path) {
  std::error_code ignored;
  const auto type = std::filesystem::status(path, ignored).type();
  if (const auto what = special(type)) {
    return failure(codes::kUnreadable, fmt::format("\"{}\" is {}, not a file", path, *what));
  }
  if (type == std::filesystem::file_type::directory) {
    return failure(codes::kUnreadable, fmt::format("\"{}\" is a directory, not a file", path));
  }
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  std::string text;
  std::array<char, 1u << 16> part;  // not zeroed: hundreds of files are read at startup
  while (file && text.size() <= kMaxFileBytes) {
    file.read(part.data(), static_cast<std::streamsize>(part.size()));
    text.append(part.data(), static_cast<std::size_t>(file.gcount()));
  }
  if (!file.eof() && !file) {
    const std::string reason = std::generic_category().message(errno == 0 ? EIO : errno);
    return failure(codes::kUnreadable, fmt::format("cannot read \"{}\": {}", path, reason));
  }
  if (text.size() > kMaxFileBytes) {
    return failure(codes::kTooLarge, fmt::format("\"{}\" is larger than 64 MiB", path));
  }
  return make_source(path, std::move(text));
}

tl::expected<SourcePtr, Diagnostics> load_input(const std::string& path) {
  if (path != kStandardInput && path != kStandardInputInFull) return load_source(path);
  std::string text;
  std::array<char, 1u << 16> part{};
  errno = 0;
  while (const std::size_t size = std::fread(part.data(), 1, part.size(), stdin)) {
    text.append(part.data(), size);
    if (text.size() > kMaxFileBytes) {
      return failure(codes::kTooLarge, "standard input is larger than 64 MiB");
    }
  }
  if (std::ferror(stdin) != 0) {
    const std::string reason = std::generic_category().message(errno == 0 ? EIO : errno);
    return failure(codes::kUnreadable, fmt::format("cannot read standard input: {}", reason));
  }
  return make_source("<stdin>", std::move(text));
}

bool is_input(const std::string& path) {
  std::error_code error;
  return path == kStandardInput || path == kStandardInputInFull ||
         (std::filesystem::exists(path, error) && !std::filesystem::is_directory(path, error));
}

}  // namespace vgsim::input
