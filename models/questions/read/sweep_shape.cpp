#include "models/questions/read/sweep.hpp"
#include "topology/input/shapes/shape.hpp"

namespace vgsim::scenario {

input::Shape sweep_shape() {
  using namespace input;
  return object_shape({
      field("format", enum_shape({"vgsim.sweep/1"})).required(),
      field("name", name_shape()).required().describe("name of the sweep in results"),
      field("scenario",
            any_of_shape({name_shape(), map_shape("key of a scenario", any_shape(), 1)}))
          .required()
          .describe("scenario that all points modify: a file in the same folder, or its contents; "
                    "keys that every point sets may be missing")
          .examples({"../bert.json"})
          .aliases({"base"}),
      field("vary", vary_shape())
          .describe("places in the scenario, as JSON pointers, with the values of each: a list, or "
                    "steps between two bounds; every combination is a point of the grid")
          .examples({R"({"/job/batch_per_gpu": [16, 32, 64], "/fabric/host_link": )"
                     R"({"from": "25 Gbit/s", "to": "400 Gbit/s", "steps": 5, "scale": "log"}})"})
          .aliases({"grid", "parameters", "matrix"}),
      field("together", together_shape())
          .describe("places that change together: each object is one step of the grid")
          .examples({R"([{"/job/precision": "fp16", "/job/gradients": "fp16"}])"})
          .aliases({"zip"}),
      field("random", draws_shape())
          .describe("random draws; the value of a place depends only on the seed, its pointer and "
                    "the number "
                    "of the draw")
          .examples({R"({"points": 100, "seed": 1, "over": )"
                     R"({"/variability/compute_sigma": {"uniform": [0.0, 0.1]}}})"}),
      field("layouts", array_shape(name_shape(), 1, 100))
          .describe("layouts of the scenario to run")
          .default_text("all"),
      field("interval_draws", count_shape(1, 1000))
          .describe(
              "draws of the uncertain parameters at each point: 90 % intervals of figures, and "
              "the difference of each point from the first one, over the same draws")
          .default_text("none"),
      field("metrics", array_shape(name_shape(), 1, 1000))
          .describe("figures to keep of each result, such as iteration_time_s or \"time_s@1 GiB\"")
          .default_text("all"),
  });
}

}  // namespace vgsim::scenario
