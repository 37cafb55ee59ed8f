#include "models/training/read/network_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "topology/catalog/catalog.hpp"
#include "topology/catalog/catalog_shapes.hpp"
#include "topology/input/json_reader.hpp"
#include "topology/input/typed.hpp"

namespace vgsim::training {
namespace {

using namespace input;

constexpr std::int64_t kMost = 10'000'000;

std::int64_t number(const Value& value, const char* name, std::int64_t otherwise) {
  const auto found = find(value, name);
  return found ? as_count(*found) : otherwise;
}

bool flag(const Value& value, const char* name, bool otherwise) {
  const auto found = find(value, name);
  return found ? as_bool(*found) : otherwise;
}

Shape transformer_shape() {
  const auto count = [] { return count_shape(1, kMost); };
  return object_shape({
      field("layers", count_shape(1, 10'000)).required().describe("blocks"),
      field("hidden", count()).required().describe("width of a token"),
      field("heads", count_shape(1, 10'000)).required().describe("attention heads"),
      field("kv_heads", count_shape(1, 10'000))
          .describe("heads of keys and values, shared by groups of heads")
          .default_text("as many as heads"),
      field("head_size", count()).default_text("hidden / heads"),
      field("ffn", count()).describe("width of the feed-forward part").default_text("4 x hidden"),
      field("gated", boolean_shape())
          .describe("three matrices in the feed-forward part (SwiGLU)")
          .default_text("false"),
      field("vocabulary", count()).describe("number of tokens"),
      field("patch_elements", count())
          .describe("elements of a patch that is projected, instead of a vocabulary"),
      field("learned_positions", count_shape(0, kMost))
          .describe("rows of a learned table of positions")
          .default_text("0"),
      field("token_types", count_shape(0, 1000)).default_text("0"),
      field("tied_output", boolean_shape())
          .describe("the output shares the embedding's matrix")
          .default_text("false"),
      field("output", enum_shape({"lm", "mlm", "classifier", "none"})).default_text("lm"),
      field("classes", count()),
      field("bias", boolean_shape()).describe("of matrix products").default_text("true"),
      field("norm", enum_shape({"layer", "rms"})).default_text("layer"),
      field("final_norm", boolean_shape()).default_text("true"),
      field("embedding_norm", boolean_shape()).default_text("false"),
      field("causal", boolean_shape()).default_text("true"),
      field("experts", object_shape({
                           field("count", count_shape(1, 10'000)).required(),
                           field("per_token", count_shape(1, 1000)).required(),
                           field("ffn", count())
                               .describe("width of an expert")
                               .default_text("that of the feed-forward part"),
                           field("shared", count_shape(0, 1000))
                               .describe("experts besides \"count\" that process all tokens")
                               .default_text("0"),
                           field("dense_layers", count_shape(0, 10'000))
                               .describe("first blocks, whose feed-forward part has no experts")
                               .default_text("0"),
                           field("grouped", boolean_shape())
                               .describe("one kernel computes a product for all experts of a rank, "
                                         "on tokens copied into their order")
                               .default_text("false"),
                       }))
          .describe("the feed-forward part is a mixture of experts"),
      field("latent",
            object_shape({
                field("query_rank", count()).required().describe("width of the vector of queries"),
                field("kv_rank", count())
                    .required()
                    .describe("width of the vector of keys and values"),
                field("rotated", count_shape(0, kMost))
                    .describe("elements of each query and key besides \"head_size\" that are "
                              "rotated; all heads share those of the keys")
                    .default_text("0"),
                field("value_size", count())
                    .describe("elements of a value of one head")
                    .default_text("that of head_size"),
            }))
          .describe("queries, keys and values are projected from narrow vectors (multi-head latent "
                    "attention)"),
  });
}

Transformer read_transformer(const Value& value) {
  static const std::map<std::string, Transformer::Output> outputs{
      {"lm", Transformer::Output::kLm},
      {"mlm", Transformer::Output::kMlm},
      {"classifier", Transformer::Output::kClassifier},
      {"none", Transformer::Output::kNone}};
  Transformer t;
  t.layers = number(value, "layers", 1);
  t.hidden = number(value, "hidden", 1);
  t.heads = number(value, "heads", 1);
  t.kv_heads = number(value, "kv_heads", t.heads);
  t.head_size = number(value, "head_size", t.hidden / t.heads);
  t.ffn = number(value, "ffn", 4 * t.hidden);
  t.gated = flag(value, "gated", false);
  t.vocabulary = number(value, "vocabulary", 0);
  t.patch_elements = number(value, "patch_elements", 0);
  t.learned_positions = number(value, "learned_positions", 0);
  t.token_types = number(value, "token_types", 0);
  t.tied_output = flag(value, "tied_output", false);
  if (const auto output = find(value, "output")) t.output = outputs.at(as_string(*output));
  t.classes = number(value, "classes", 0);
  t.bias = flag(value, "bias", true);
  const auto norm = find(value, "norm");
  t.rms_norm = norm && as_string(*norm) == "rms";
  t.final_norm = flag(value, "final_norm", true);
  t.embedding_norm = flag(value, "embedding_norm", false);
  t.causal = flag(value, "causal", true);
  if (const auto experts = find(value, "experts")) {
    t.experts = number(*experts, "count", 1);
    t.experts_per_token = number(*experts, "per_token", 1);
    t.expert_ffn = number(*experts, "ffn", t.ffn);
    t.shared_experts = number(*experts, "shared", 0);
    t.dense_layers = number(*experts, "dense_layers", 0);
    t.grouped_experts = flag(*experts, "grouped", false);
  }
  if (const auto latent = find(value, "latent")) {
    t.latent =
        LatentAttention{number(*latent, "query_rank", 1), number(*latent, "kv_rank", 1),
                        number(*latent, "rotated", 0), number(*latent, "value_size", t.head_size)};
  }
  return t;
}

Shape tensor_shape() {
  return array_shape(any_of_shape({string_shape(), count_shape(1)}), 2, 2)
      .describe("name and parameter count of a tensor");
}

Shape flops_parts_shape() {
  return object_shape({
      field("per_sample", flops_shape())
          .describe("for each sample of any length")
          .default_text("0 FLOP"),
      field("per_token", flops_shape()).describe("for each token").default_text("0 FLOP"),
      field("per_token_pair", flops_shape())
          .describe("for each pair of tokens (attention)")
          .default_text("0 FLOP"),
  });
}

Shape activations_shape() {
  const auto elements = [] { return number_shape(0.0, 1e15); };
  return object_shape({
      field("per_sample", elements()).describe("for each sample of any length").default_text("0"),
      field("per_token", elements()).describe("for each token").default_text("0"),
      field("per_token_pair", elements())
          .describe("for each pair of tokens (attention)")
          .default_text("0"),
  });
}

std::vector<Field> layer_fields() {
  return {
      field("name", name_shape()).required(),
      field("tensors", array_shape(tensor_shape()))
          .describe("in order of registration: [name, parameters]"),
      field("forward_flops", flops_parts_shape())
          .describe("operations of the forward pass; a multiply-add counts two"),
      field("activations", activations_shape())
          .describe("elements that the forward pass keeps for the backward pass"),
      field("kernels", count_shape(0, 10'000'000))
          .describe("GPU kernels that the forward pass launches")
          .default_text("0: their gaps and launches are not counted"),
      field("placement", enum_shape({"replicated", "sharded"}))
          .describe("sharded: the parameters are spread over the ranks, as embedding tables are")
          .default_text("replicated"),
      field("repeat", count_shape(1, 10'000)).describe("copies in a row").default_text("1"),
  };
}

Shape layer_shape() {
  std::vector<Field> fields = layer_fields();
  fields.push_back(field("layers", array_shape(object_shape(layer_fields()), 1, 1000))
                       .describe("layers that are repeated together"));
  return object_shape(std::move(fields));
}

LayerGroup read_layer(const Value& value) {
  LayerGroup group;
  group.name = as_string(*find(value, "name"));
  if (const auto tensors = find(value, "tensors")) {
    for (const Value& tensor : tensors->elements()) {
      group.tensors.push_back(as_count(tensor.elements()[1]));
    }
  }
  if (const auto flops = find(value, "forward_flops")) {
    const auto part = [&](const char* name) {
      const auto found = find(*flops, name);
      return found ? as_flops(*found) : Flops{0};
    };
    group.flops_per_sample = part("per_sample");
    group.flops_per_token = part("per_token");
    group.flops_per_token_pair = part("per_token_pair");
  }
  if (const auto kept = find(value, "activations")) {
    const auto part = [&](const char* name) {
      const auto found = find(*kept, name);
      return found ? found->number() : 0.0;
    };
    group.activations = {part("per_sample"), part("per_token"), 0.0, part("per_token_pair")};
  }
  if (const auto kernels = find(value, "kernels")) group.kernels = as_count(*kernels);
  const auto placement = find(value, "placement");
  group.sharded = placement && as_string(*placement) == "sharded";
  return group;
}

std::int64_t repeats(const Value& value) {
  const auto repeat = find(value, "repeat");
  return repeat ? as_count(*repeat) : 1;
}

void read_layers(const Value& layers, std::vector<LayerGroup>& out) {
  for (const Value& layer : layers.elements()) {
    const auto nested = find(layer, "layers");
    for (std::int64_t i = 0; i < repeats(layer); ++i) {
      if (nested) {
        read_layers(*nested, out);
      } else {
        out.push_back(read_layer(layer));
      }
    }
  }
}

/// A hundred times the layers of the deepest published network. Nested repeats in a short file
/// could otherwise exhaust memory.
constexpr std::int64_t kMostLayers = 100'000;

/// Counts layers with all repeats.
std::int64_t count_layers(const Value& layers) {
  std::int64_t count = 0;
  for (const Value& layer : layers.elements()) {
    const auto nested = find(layer, "layers");
    count += repeats(layer) * (nested ? count_layers(*nested) : 1);
  }
  return count;
}

void check_count(const Value& layers, Diagnostics& diagnostics) {
  const std::int64_t count = count_layers(layers);
  if (count <= kMostLayers) return;
  diagnostics.error("E431", layers.location(), layers.pointer(),
                    fmt::format("{} layers after expanding \"repeat\"", count),
                    fmt::format("at most {}: merge several layers into one", kMostLayers));
}

/// One day, and more samples than any batch has.
constexpr SimTime kLongestStep{86'400'000'000'000'000};
constexpr std::int64_t kLargestBatch = 100'000'000;

Shape step_shape() {
  return object_shape({
      field("measured",
            array_shape(object_shape({
                            field("batch", count_shape(1, kLargestBatch)).required(),
                            field("time", time_shape(SimTime{1}, kLongestStep)).required(),
                            field("busy", number_shape(0.001, 1.0))
                                .describe("share of the time with a kernel on the GPU, as "
                                          "utilization.gpu of nvidia-smi; for all batches or none"),
                        }),
                        1, 1000))
          .required()
          .describe("time of a step on the whole GPU, on bare metal, by samples of the batch"),
      field("busy", number_shape(0.001, 1.0))
          .describe("share of the single measured time with a busy GPU")
          .default_text("1; with several batches, that of each, or derived from their times"),
      field("in_turn", boolean_shape())
          .describe("each step begins with the result of the last one, as in a single stream: the "
                    "times of host and GPU add up")
          .default_text("false: they overlap"),
      field("weights_read", bytes_shape())
          .describe("weights that the GPU reads in a step of any batch, those of a recurrent layer "
                    "once for each of its time steps; a MIG slice has a share of the bandwidth")
          .default_text("unknown: none"),
      field("memory_bound", number_shape(0.0, 1.0))
          .describe("share of the GPU's work that is limited by memory bandwidth")
          .default_text("parameter memory_bound_share"),
  });
}

MeasuredStep read_step(const Value& value) {
  MeasuredStep step;
  for (const Value& point : find(value, "measured")->elements()) {
    step.points.push_back({as_count(*find(point, "batch")), as_time(*find(point, "time")), {}});
    if (const auto busy = find(point, "busy")) step.points.back().busy = as_double(*busy);
  }
  std::sort(step.points.begin(), step.points.end(),
            [](const auto& a, const auto& b) { return a.batch < b.batch; });
  if (const auto busy = find(value, "busy")) step.points.front().busy = as_double(*busy);
  if (const auto turn = find(value, "in_turn")) step.in_turn = as_bool(*turn);
  if (const auto read = find(value, "weights_read")) step.weights_read = as_bytes(*read);
  if (const auto bound = find(value, "memory_bound")) step.memory_bound = as_double(*bound);
  return step;
}

void check_step(const Value& value, Diagnostics& diagnostics) {
  const auto complain = [&](const std::string& what, const char* expected) {
    diagnostics.error("E431", value.location(), value.pointer(), what, expected);
  };
  const MeasuredStep step = read_step(value);
  for (std::size_t i = 0; i < step.points.size(); ++i) {
    if (i > 0 && step.points[i - 1].batch == step.points[i].batch) {
      complain("a batch was measured twice", "each batch once");
    }
  }
  if (find(value, "busy") && step.points.size() > 1) {
    complain("\"busy\" with several batches", "\"busy\" of each of them, or none");
  } else if (std::any_of(step.points.begin(), step.points.end(), [&](const auto& point) {
               return point.busy.has_value() != step.points.front().busy.has_value();
             })) {
    complain("\"busy\" of some batches only", "of all or none");
  }
}

void check_tensors(const Value& layers, Diagnostics& diagnostics) {
  for (const Value& layer : layers.elements()) {
    if (const auto nested = find(layer, "layers")) check_tensors(*nested, diagnostics);
    const auto tensors = find(layer, "tensors");
    if (!tensors) continue;
    for (const Value& tensor : tensors->elements()) {
      if (tensor.elements()[0].is_string() && tensor.elements()[1].kind() == Kind::integer) {
        continue;
      }
      diagnostics.error("E431", tensor.location(), tensor.pointer(),
                        "a tensor is a name and a count", "[\"weight\", 1048576]");
    }
  }
}

void check_transformer(const Value& value, Diagnostics& diagnostics) {
  const Transformer t = read_transformer(value);
  const auto error = [&](const char* message, const char* expected) {
    diagnostics.error("E431", value.location(), value.pointer(), message, expected);
  };
  if (!find(value, "head_size") && t.hidden % t.heads != 0) {
    error("\"hidden\" is not a multiple of \"heads\"", "\"head_size\", or another number of heads");
  }
  if (t.heads % t.kv_heads != 0) {
    error("\"heads\" is not a multiple of \"kv_heads\"", "groups of heads of one size");
  }
  if ((t.vocabulary > 0) == (t.patch_elements > 0)) {
    error("a transformer reads tokens or patches", "one of \"vocabulary\" and \"patch_elements\"");
  }
  if (t.output == Transformer::Output::kClassifier && t.classes == 0) {
    error("a classifier has classes", "\"classes\"");
  }
  if (t.experts_per_token > t.experts) {
    error("more experts per token than experts", "\"per_token\" up to \"count\"");
  }
  if (t.dense_layers > t.layers) {
    error("more blocks without experts than blocks", "\"dense_layers\" up to \"layers\"");
  }
  if (t.latent && t.kv_heads != t.heads) {
    error("latent attention has as many heads of keys as of queries", "no \"kv_heads\"");
  }
}

std::string cited(const Value& document, const Value& entry) {
  const auto sources = find(document, "sources");
  const std::string source = as_string(*find(entry, "source"));
  return sources ? topology::describe_source(*sources, source) : source;
}

TrainingTarget read_target(const Value& target, const Value& document) {
  const Value epochs = *find(target, "epochs");
  return {as_string(*find(target, "quality")), as_count(*find(epochs, "value")),
          cited(document, epochs)};
}

Bytes input_bytes(const Value& document, const char* name) {
  const auto input = find(document, "input");
  const auto entry = input ? find(*input, name) : std::nullopt;
  return entry ? as_bytes(*find(*entry, "value")) : Bytes{0};
}

SimTime core_time(const Value& document) {
  const auto input = find(document, "input");
  const auto entry = input ? find(*input, "core_time") : std::nullopt;
  return entry ? as_time(*find(*entry, "value")) : SimTime{0};
}

}  // namespace

Shape network_shape() {
  const Shape share = topology::sourced(number_shape(0.0, 1.0));
  return object_shape({
      field("name", name_shape()).required(),
      field("sources", topology::sources_shape()),
      field("sample",
            object_shape({
                field("sequence_length", count_shape(1, 10'000'000)),
                field("batch_spread", share)
                    .describe("standard deviation of the time of a rank's batch, relative to its "
                              "mean, where samples differ: length of sentences, objects in images"),
            }))
          .describe("unit of a sample"),
      field("input", object_shape({
                         field("stored_bytes", topology::sourced(bytes_shape()))
                             .describe("one sample, as read from storage"),
                         field("device_bytes", topology::sourced(bytes_shape()))
                             .describe("one sample, as copied to the GPU"),
                         field("core_time", topology::sourced(time_shape()))
                             .describe("time that one core takes to decode and augment a sample"),
                     })),
      field("validated_by", array_shape(name_shape(), 1))
          .describe("measured cases (tests/training-cases) that its predictions are compared with"),
      field("target",
            object_shape({
                field("quality", name_shape()).required().examples({"76.13 % top-1 accuracy"}),
                field("epochs", topology::sourced(count_shape(1, 1'000'000))).required(),
            }))
          .describe("epochs after which training reaches a published quality"),
      field("dataset", name_shape()).describe("data set that it is usually trained on"),
      field("description", string_shape()),
      field("layers", array_shape(layer_shape(), 1, 10'000))
          .describe("in forward order; or give \"transformer\" or \"step\""),
      field("transformer", transformer_shape()).describe("a transformer by its hyper-parameters"),
      field("step", step_shape())
          .describe("a program with measured times only: inference, HPL, any training; each GPU "
                    "runs it independently, without communication"),
      field("achieved_share", object_shape({field("fp32", share), field("tf32", share),
                                            field("fp16", share), field("fp8", share)}))
          .describe("achieved over peak operations per second in training, by precision"),
  });
}

NetworkModel read_network(const Value& document, Diagnostics& diagnostics) {
  const auto layers = find(document, "layers");
  const auto transformer = find(document, "transformer");
  const auto step = find(document, "step");
  NetworkModel network;
  network.name = as_string(*find(document, "name"));
  const int given = layers.has_value() + transformer.has_value() + step.has_value();
  if (given != 1) {
    diagnostics.error("E431", document.location(), document.pointer(),
                      given > 1
                          ? "more than one of \"layers\", \"transformer\" and \"step\" is given"
                          : "neither \"layers\" nor \"transformer\" nor \"step\" is given",
                      "one of them");
    return network;
  }
  if (step) check_step(*step, diagnostics);
  if (layers) {
    check_tensors(*layers, diagnostics);
    check_count(*layers, diagnostics);
  }
  if (transformer) check_transformer(*transformer, diagnostics);
  if (diagnostics.has_errors()) return network;
  if (const auto sample = find(document, "sample")) {
    const auto length = find(*sample, "sequence_length");
    if (length) network.sequence_length = as_count(*length);
    const auto spread = find(*sample, "batch_spread");
    if (spread) network.batch_spread = as_double(*find(*spread, "value"));
  }
  if (const auto cases = find(document, "validated_by")) {
    for (const Value& name : cases->elements()) network.validated_by.push_back(as_string(name));
  }
  if (const auto target = find(document, "target")) network.target = read_target(*target, document);
  if (const auto dataset = find(document, "dataset")) network.dataset = as_string(*dataset);
  network.stored_bytes = input_bytes(document, "stored_bytes");
  network.device_bytes = input_bytes(document, "device_bytes");
  network.core_time = core_time(document);
  if (step) network.measured = read_step(*step);
  if (layers) read_layers(*layers, network.layers);
  if (transformer) {
    network.transformer = read_transformer(*transformer);
    network.layers = layer_groups(*network.transformer);
  }
  if (const auto shares = find(document, "achieved_share")) {
    for (const auto& [precision, key, entry] : shares->members()) {
      network.achieved_share[precision] = {as_double(*find(entry, "value")),
                                           cited(document, entry)};
    }
  }
  return network;
}

tl::expected<NetworkModel, Diagnostics> read_network(const SourcePtr& file) {
  const auto document = read_json(file);
  if (!document) return tl::unexpected(document.error());
  Diagnostics diagnostics;
  check(*document, network_shape(), diagnostics);
  NetworkModel network;
  if (!diagnostics.has_errors()) network = read_network(*document, diagnostics);
  if (diagnostics.has_errors()) return tl::unexpected(diagnostics);
  return network;
}

}  // namespace vgsim::training
