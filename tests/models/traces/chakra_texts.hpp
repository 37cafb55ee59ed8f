#pragma once

#include <cstdint>
#include <iterator>
#include <protozero/pbf_writer.hpp>
#include <string>

#include "tests/models/traces/trace_texts.hpp"

namespace vgsim::test {

/// A message preceded by its length, as in Chakra's files.
inline std::string chakra_message(const std::string& body) {
  std::string out;
  protozero::write_varint(std::back_inserter(out), body.size());
  return out + body;
}

/// Lists in Python's notation.
inline std::string python_list(const json& list) {
  std::string text = list.dump();
  for (char& c : text) {
    if (c == '"') c = '\'';
  }
  return text;
}

/// In the form of Chakra's converter: operations in parts, without those that start no kernel.
inline std::string chakra_trace() {
  std::string metadata;
  protozero::pbf_writer(metadata).add_string(1, "0.0.4");
  std::string file = chakra_message(metadata);
  std::uint64_t id = 0;
  for (const Call& call : small_network()) {
    if (call.parent >= 0 || call.name.find("::evaluate_function") != std::string::npos) continue;
    for (const char* piece : {"(0)", "(1)"}) {
      json values = json::array();
      json shapes = json::array();
      json types = json::array();
      for (const auto& input : call.inputs) {
        values.push_back(input.is_array() ? json{values.empty() ? call.tensor : 0} : input);
        shapes.push_back(input.is_array() ? input : json::array());
        types.push_back(input.is_array() ? "Tensor(float)" : "Int");
      }
      std::string tensors;
      protozero::pbf_writer io(tensors);
      io.add_string(1, python_list(values));
      io.add_string(2, python_list(shapes));
      io.add_string(3, python_list(types));
      std::string outputs;
      protozero::pbf_writer(outputs).add_string(2, python_list(json::array({call.output})));
      std::string thread;
      protozero::pbf_writer attribute(thread);
      attribute.add_string(1, "tid");
      attribute.add_int64(9, call.thread);
      std::string node;
      protozero::pbf_writer writer(node);
      writer.add_uint64(1, ++id);
      writer.add_string(2, call.name + piece);
      writer.add_enum(3, 4);
      writer.add_message(8, tensors);
      writer.add_message(9, outputs);
      writer.add_message(10, thread);
      file += chakra_message(node);
    }
  }
  return file;
}

}  // namespace vgsim::test
