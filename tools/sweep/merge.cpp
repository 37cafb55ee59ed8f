#include "tools/sweep/merge.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/resource.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <map>
#include <memory>
#include <system_error>

#include "tools/files/atomic_file.hpp"
#include "tools/sweep/line_reader.hpp"
#include "tools/sweep/store_error.hpp"
#include "tools/sweep/store_reader.hpp"

namespace vgsim::sweep {
namespace {

namespace fs = std::filesystem;

/// The shard files of a folder, by number.
std::map<std::uint64_t, std::string> find_shards(const std::string& folder, std::uint64_t& of) {
  std::map<std::uint64_t, std::string> files;
  std::error_code error;
  fs::directory_iterator entries(folder, error);
  if (error) throw StoreError(fmt::format("cannot read {}: {}", folder, error.message()));
  for (const auto& entry : entries) {
    const auto shard = shard_of_file(entry.path().filename().string());
    if (!shard) continue;
    if (of != 0 && of != shard->of) {
      throw StoreError(
          fmt::format("{} holds shards of {} and of {}: remove those that do not belong there",
                      folder, std::min(of, shard->of), std::max(of, shard->of)));
    }
    of = shard->of;
    files[shard->number] = entry.path().string();
  }
  return files;
}

/// A shard's file, locked and read line by line.
struct OpenShard {
  explicit OpenShard(const std::string& name)
      : file(name), descriptor(files::open_file(name, O_RDONLY)), lines(descriptor.number(), file) {
    if (::flock(descriptor.number(), LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
      throw StoreError(fmt::format("{} is being written by another process", file));
    }
  }

  std::string file;
  files::Descriptor descriptor;
  LineReader lines;
};

/// All shards are open at once, and there may be thousands.
void allow_many_open_files() {
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
  limit.rlim_cur = limit.rlim_max;
  static_cast<void>(::setrlimit(RLIMIT_NOFILE, &limit));
}

StoreHeader header_of(const StoreHeader& whole, const Shard& shard) {
  StoreHeader header = whole;
  header.shard = shard;
  return header;
}

/// Writes points in the order of their indices, round-robin over the shards.
void write_points(const std::vector<std::unique_ptr<OpenShard>>& shards, const StoreHeader& header,
                  const std::string& file) {
  files::AtomicFile out(file);
  files::Digest digest;
  const auto write = [&](std::string_view line) {
    out.write(line);
    out.write("\n");
  };
  const auto write_digested = [&](std::string_view line) {
    write(line);
    digest.add(line);
    digest.add("\n");
  };
  write_digested(header_line(header));
  for (std::uint64_t index = 0; index < header.points; ++index) {
    OpenShard& shard = *shards[index % shards.size()];
    std::string_view line;
    // The file was verified before, but this is a second read.
    if (!shard.lines.next(line) || !is_sealed(line) || !is_point(line, index)) {
      throw StoreError(fmt::format("{} changed while it was read", shard.file));
    }
    write_digested(line);
  }
  write(footer_line(header.points, digest.text()));
  out.finish();
}

/// Whether the merged store exists and is valid. Throws StoreError if it belongs to another
/// sweep.
bool whole_is_there(const std::string& file, const StoreHeader& header) {
  std::error_code ignored;
  return fs::exists(file, ignored) && read_store(file, header, {}).complete;
}

}  // namespace

Merged merge_shards(const std::string& folder, const StoreHeader& header) {
  Merged merged;
  merged.file = (fs::path(folder) / file_name(header.shard)).string();
  std::uint64_t of = 0;
  const auto files = find_shards(folder, of);
  if (whole_is_there(merged.file, header) && files.empty()) return merged;
  if (files.empty()) throw StoreError(fmt::format("there are no shards in {}", folder));
  allow_many_open_files();
  std::vector<std::unique_ptr<OpenShard>> shards;
  for (std::uint64_t number = 1; number <= of; ++number) {
    const Shard shard{number, of};
    const auto found = files.find(number);
    if (found == files.end()) {
      merged.missing.push_back({shard, 0});
      continue;
    }
    auto& open = shards.emplace_back(std::make_unique<OpenShard>(found->second));
    const StoreContent content = read_store(open->file, header_of(header, shard), {});
    if (!content.complete) merged.missing.push_back({shard, content.points});
    std::string_view first;
    static_cast<void>(open->lines.next(first));
  }
  if (!merged.missing.empty()) return merged;
  write_points(shards, header, merged.file);
  merged.shards = of;
  return merged;
}

}  // namespace vgsim::sweep
