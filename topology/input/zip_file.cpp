#include "topology/input/zip_file.hpp"

#include <minizip/ioapi.h>
#include <minizip/unzip.h>
#include <minizip/zip.h>
#include <zlib.h>

#include <algorithm>
#include <stdexcept>

namespace vgsim::input {
namespace {

/// Bytes that minizip reads or writes as a file.
struct ZipBytes {
  std::string_view read;
  std::string written;
  bool is_written = false;
  std::size_t at = 0;

  [[nodiscard]] std::size_t size() const { return is_written ? written.size() : read.size(); }
};

ZipBytes& bytes_of(voidpf stream) { return *static_cast<ZipBytes*>(stream); }

voidpf open_bytes(voidpf opaque, const void*, int) { return opaque; }
int close_bytes(voidpf, voidpf) { return 0; }
int error_of_bytes(voidpf, voidpf) { return 0; }
ZPOS64_T tell_bytes(voidpf, voidpf stream) { return bytes_of(stream).at; }

uLong read_bytes(voidpf, voidpf stream, void* buffer, uLong size) {
  ZipBytes& bytes = bytes_of(stream);
  const std::string_view all = bytes.is_written ? std::string_view(bytes.written) : bytes.read;
  const std::size_t got = std::min<std::size_t>(size, all.size() - bytes.at);
  std::copy_n(all.data() + bytes.at, got, static_cast<char*>(buffer));
  bytes.at += got;
  return static_cast<uLong>(got);
}

uLong write_bytes(voidpf, voidpf stream, const void* buffer, uLong size) {
  ZipBytes& bytes = bytes_of(stream);
  bytes.written.replace(bytes.at, std::min<std::size_t>(size, bytes.written.size() - bytes.at),
                        static_cast<const char*>(buffer), size);
  bytes.at += size;
  return size;
}

long seek_bytes(voidpf, voidpf stream, ZPOS64_T offset, int origin) {
  ZipBytes& bytes = bytes_of(stream);
  const std::size_t from = origin == ZLIB_FILEFUNC_SEEK_SET   ? 0
                           : origin == ZLIB_FILEFUNC_SEEK_CUR ? bytes.at
                                                              : bytes.size();
  if (offset > bytes.size() - from) return -1;
  bytes.at = from + static_cast<std::size_t>(offset);
  return 0;
}

zlib_filefunc64_def functions_on(ZipBytes& bytes) {
  zlib_filefunc64_def functions{};
  functions.zopen64_file = &open_bytes;
  functions.zread_file = &read_bytes;
  functions.zwrite_file = &write_bytes;
  functions.ztell64_file = &tell_bytes;
  functions.zseek64_file = &seek_bytes;
  functions.zclose_file = &close_bytes;
  functions.zerror_file = &error_of_bytes;
  functions.opaque = &bytes;
  return functions;
}

/// An open archive and its bytes.
struct OpenArchive {
  ZipBytes bytes;
  unzFile file = nullptr;
};

OpenArchive& archive_of(void* archive) { return *static_cast<OpenArchive*>(archive); }

constexpr int kIgnoreCase = 2;

}  // namespace

ZipReader::ZipReader(std::string_view bytes) : bytes_(bytes) {
  auto* archive = new OpenArchive{{bytes_, {}, false, 0}, nullptr};
  zlib_filefunc64_def functions = functions_on(archive->bytes);
  archive->file = unzOpen2_64("", &functions);
  if (archive->file == nullptr) {
    delete archive;
  } else {
    archive_ = archive;
  }
}

ZipReader::~ZipReader() {
  if (archive_ == nullptr) return;
  unzClose(archive_of(archive_).file);
  delete &archive_of(archive_);
}

bool ZipReader::has(const std::string& name) const {
  return good() && unzLocateFile(archive_of(archive_).file, name.c_str(), kIgnoreCase) == UNZ_OK;
}

/// Counts bytes while unpacking instead of trusting the size in the archive.
tl::expected<std::string, std::string> ZipReader::read(const std::string& name,
                                                       std::size_t most) const {
  constexpr std::size_t kChunk = std::size_t{256} << 10;
  constexpr uLong kEncrypted = 1;
  if (!has(name)) return tl::unexpected(std::string("missing"));
  const unzFile file = archive_of(archive_).file;
  unz_file_info64 info{};
  if (unzGetCurrentFileInfo64(file, &info, nullptr, 0, nullptr, 0, nullptr, 0) != UNZ_OK) {
    return tl::unexpected(std::string("damaged"));
  }
  if ((info.flag & kEncrypted) != 0) return tl::unexpected(std::string("encrypted"));
  if (unzOpenCurrentFile(file) != UNZ_OK) return tl::unexpected(std::string("damaged"));
  std::string text;
  int got = 0;
  do {
    const std::size_t size = text.size();
    const std::size_t wanted = std::min(kChunk, most + 1 - size);
    text.resize(size + wanted);
    got = unzReadCurrentFile(file, text.data() + size, static_cast<unsigned>(wanted));
    text.resize(size + static_cast<std::size_t>(std::max(got, 0)));
  } while (got > 0 && text.size() <= most);
  const bool sound = unzCloseCurrentFile(file) == UNZ_OK && got >= 0;
  if (!sound && text.size() <= most) return tl::unexpected(std::string("damaged"));
  return text;
}

std::string zipped(const std::vector<std::pair<std::string, std::string>>& files) {
  ZipBytes bytes;
  bytes.is_written = true;
  zlib_filefunc64_def functions = functions_on(bytes);
  const zipFile archive = zipOpen2_64("", APPEND_STATUS_CREATE, nullptr, &functions);
  bool good = archive != nullptr;
  for (const auto& [name, text] : files) {
    constexpr uLong kFirstOfJanuary1980 = 0x00210000;
    constexpr std::size_t kMostAtOnce = std::size_t{1} << 30;
    zip_fileinfo info{};
    info.dosDate = kFirstOfJanuary1980;
    good = good && zipOpenNewFileInZip64(archive, name.c_str(), &info, nullptr, 0, nullptr, 0,
                                         nullptr, Z_DEFLATED, Z_DEFAULT_COMPRESSION, 1) == ZIP_OK;
    for (std::size_t at = 0; good && at < text.size(); at += kMostAtOnce) {
      const std::size_t size = std::min(kMostAtOnce, text.size() - at);
      good = zipWriteInFileInZip(archive, text.data() + at, static_cast<unsigned>(size)) == ZIP_OK;
    }
    good = good && zipCloseFileInZip(archive) == ZIP_OK;
  }
  if (archive == nullptr || zipClose(archive, nullptr) != ZIP_OK || !good) {
    throw std::runtime_error("a ZIP archive cannot be made in memory");
  }
  return std::move(bytes.written);
}

}  // namespace vgsim::input
