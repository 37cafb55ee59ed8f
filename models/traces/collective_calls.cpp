#include <cctype>
#include <string_view>

#include "models/traces/trace_readers.hpp"

namespace vgsim::traces {

double type_bytes(const std::string& type) {
  struct Size {
    std::string_view part;
    double bytes;
  };
  constexpr Size kSizes[] = {{"bfloat16", 2}, {"half", 2},    {"float16", 2}, {"float8", 1},
                             {"double", 8},   {"float64", 8}, {"long", 8},    {"int64", 8},
                             {"short", 2},    {"int16", 2},   {"byte", 1},    {"char", 1},
                             {"bool", 1},     {"uint8", 1},   {"int8", 1}};
  std::string lower;
  for (const char c : type) lower += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  for (const Size& size : kSizes) {
    if (lower.find(size.part) != std::string::npos) return size.bytes;
  }
  return 4;
}

void add_collective(const Operation& operation, std::size_t index, Trace& trace) {
  for (const std::string_view library : {"nccl:", "gloo:"}) {
    if (operation.name.rfind(library, 0) != 0) continue;
    TracedCollective call{operation.name.substr(library.size()), 0, index, {}, 0};
    for (const auto& input : operation.inputs) {
      if (input) call.bytes += elements(input->shape) * type_bytes(input->type);
    }
    trace.collectives.push_back(std::move(call));
  }
}

}  // namespace vgsim::traces
