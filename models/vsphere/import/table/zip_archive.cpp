#include "models/vsphere/import/table/zip_archive.hpp"

#include <fmt/core.h>
#include <zip.h>

#include <algorithm>
#include <utility>

namespace vgsim::vsphere::import {
namespace {

constexpr std::size_t kMostPacked = std::size_t{64} << 20;
constexpr std::size_t kMostUnpacked = std::size_t{256} << 20;
constexpr std::size_t kUnpackedChunk = std::size_t{256} << 10;

struct CloseFile {
  void operator()(zip_file_t* file) const { zip_fclose(file); }
};

}  // namespace

void ZipArchive::Close::operator()(zip* archive) const { zip_discard(archive); }

ZipArchive::ZipArchive(FileNotes& notes) : notes_(notes), left_(kMostUnpacked) {
  zip_error_t error;
  zip_error_init(&error);
  const std::string_view bytes = notes.text();
  zip_source_t* source = zip_source_buffer_create(bytes.data(), bytes.size(), 0, &error);
  if (source != nullptr) {
    archive_.reset(zip_open_from_source(source, ZIP_RDONLY, &error));
    if (!archive_) zip_source_free(source);
  }
  if (!archive_) {
    notes.error(codes::kNotThisFormat, {0, 2},
                fmt::format("the file is no whole ZIP archive: {}", zip_error_strerror(&error)),
                "an .xlsx file as a spreadsheet program saves it");
  }
  zip_error_fini(&error);
}

bool ZipArchive::has(const std::string& name) const {
  return archive_ && zip_name_locate(archive_.get(), name.c_str(), ZIP_FL_NOCASE) >= 0;
}

/// What the archive says of a file's size is not believed: bytes are counted as they come out.
std::optional<std::string> ZipArchive::read(const std::string& name) {
  if (!archive_) return std::nullopt;
  const std::unique_ptr<zip_file_t, CloseFile> file(
      zip_fopen(archive_.get(), name.c_str(), ZIP_FL_NOCASE));
  std::string text;
  zip_int64_t got = file ? 0 : -1;
  const std::size_t most = std::min(left_, kMostPacked);
  while (got >= 0 && text.size() <= most) {
    const std::size_t size = text.size();
    text.resize(size + kUnpackedChunk);
    got = zip_fread(file.get(), text.data() + size, kUnpackedChunk);
    text.resize(size + static_cast<std::size_t>(std::max<zip_int64_t>(got, 0)));
    if (got == 0) break;
  }
  if (got < 0) {
    const std::string reason = file ? zip_file_strerror(file.get()) : zip_strerror(archive_.get());
    notes_.error(codes::kNothingInIt, {0, 2},
                 fmt::format("{} in it cannot be read: {}", name, printable(reason)),
                 "an .xlsx file without a password, whole");
    return std::nullopt;
  }
  if (text.size() > most) {
    notes_.error(codes::kTooMuch, {0, 2}, fmt::format("{} in it is too large", name),
                 fmt::format("at most {} MiB unpacked, and {} MiB of all parts", kMostPacked >> 20,
                             kMostUnpacked >> 20));
    return std::nullopt;
  }
  left_ -= text.size();
  return text;
}

}  // namespace vgsim::vsphere::import
