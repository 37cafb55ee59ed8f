// Traces of every form, damaged, as they are and packed; what is made of one must be a network.

#include <gmock/gmock.h>
#include <zlib.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "models/traces/gzip_stream.hpp"
#include "models/traces/trace_facts.hpp"
#include "models/traces/trace_file.hpp"
#include "models/traces/traced_network.hpp"
#include "models/training/read/network_file.hpp"
#include "tests/fuzz/mutate.hpp"
#include "tests/fuzz/trials.hpp"
#include "tests/models/traces/chakra_texts.hpp"
#include "tests/models/traces/trace_texts.hpp"
#include "tests/support/extra.hpp"
#include "tests/support/scratch.hpp"

namespace vgsim::traces {
namespace trace_fuzz_test {

namespace fs = std::filesystem;

std::string packed(const std::string& text) {
  const test::Scratch scratch;
  const std::string path = scratch.file("packed");
  gzFile file = gzopen(path.c_str(), "wb1");
  gzwrite(file, text.data(), static_cast<unsigned>(text.size()));
  gzclose(file);
  std::ifstream bytes(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(bytes), {}};
}

std::vector<std::string> corpus() {
  const auto calls = test::small_network();
  const std::string profile = test::kineto_trace(calls);
  std::vector<std::string> texts = {test::execution_trace(calls, true),
                                    test::execution_trace(calls, false),
                                    profile,
                                    test::with_kernels(profile, "sm80_s1688gemm_tn", 100),
                                    test::chakra_trace(),
                                    packed(test::chakra_trace())};
  constexpr std::size_t kMost = 32 << 10;
  const fs::path folder = test::extra_files() / "traces";
  if (!fs::exists(folder)) return texts;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (!entry.is_regular_file() || entry.file_size() > (32u << 10)) continue;
    GzipStream content(entry.path().string(), 16 << 20);
    std::string text{std::istreambuf_iterator<char>(&content), {}};
    if (text.size() <= kMost) texts.push_back(std::move(text));
  }
  std::sort(texts.begin(), texts.end());  // folders are listed in no certain order
  return texts;
}

void try_to_import(const std::string& path) {
  const auto trace = read_trace_file(path);
  if (!trace) {
    EXPECT_TRUE(trace.error().has_errors()) << "refused without a reason";
    return;
  }
  static_cast<void>(measured_facts(*trace));
  const TracedGpu gpu{"a100", {{"fp32", 19.5e12}, {"tf32", 156e12}, {"fp16", 312e12}}};
  const auto traced = network_of(*trace, {"fuzzed", path, std::nullopt, gpu, 1e-6});
  if (!traced) {
    EXPECT_TRUE(traced.error().has_errors()) << "refused without a reason";
    return;
  }
  const auto network = training::read_network(input::make_source("network.json", traced->network));
  EXPECT_TRUE(network) << "a network that we wrote is refused:\n"
                       << (network ? "" : input::render(network.error()));
}

TEST(TraceFuzz, DamagedTracesNeverCrashNorHang) {
  const std::vector<std::string> texts = corpus();
  const test::Scratch scratch;
  const std::string path = scratch.file("trace");
  fuzz::try_damaged(
      "trace",
      [&](std::mt19937_64& random) {
        std::string text = fuzz::mutated(texts, random);
        return random() % 8 == 0 ? packed(text) : text;
      },
      [&](const std::string& bytes) {
        std::ofstream(path, std::ios::binary) << bytes;
        try_to_import(path);
      });
}

}  // namespace trace_fuzz_test
}  // namespace vgsim::traces
