#!/usr/bin/env python3
"""Times training steps of PyTorch on this machine's first GPU, from random weights and data, by
autocast in bf16: measure_steps.py [NETWORK ...] >steps.jsonl

A line of JSON for each network, batch and way to run it: the median and the 90 % interval of 15 to
60 steps between events of the GPU, after a warm-up; kernels of a step and how long the GPU is busy
with them (by the profiler, in two further steps); memory and power. Ways: as it runs ("eager"), as
a CUDA graph of the whole step ("graph"), and with the network compiled ("compile"). Settings of the
card stay as they are. Takes PyTorch, torchvision, transformers and nvidia-ml-py, and 15 minutes."""

import gc
import json
import statistics
import sys
import threading
import time

import pynvml
import torch
from torch.nn.functional import cross_entropy

GPU = "cuda"
KINDS = {"copy": ("memcpy", "memset"), "attention": ("flash", "fmha", "sdpa"),
         "product": ("gemm", "nvjet", "cutlass", "xmma", "conv", "wgrad", "dgrad", "fprop"),
         "optimizer": ("multi_tensor", "adam")}


def image_step(make_network):
    def make(batch, _, mode):
        channels_last = torch.channels_last
        network = make_network().to(GPU, memory_format=channels_last).train()
        optimizer = torch.optim.SGD(network.parameters(), lr=0.01, momentum=0.9, foreach=True)
        images = torch.randn(batch, 3, 224, 224, device=GPU).to(memory_format=channels_last)
        labels = torch.randint(0, 1000, (batch,), device=GPU)
        run = torch.compile(network, dynamic=False) if mode == "compile" else network
        return step_of(lambda: cross_entropy(run(images), labels), optimizer, mode)
    return make


def bert_large(batch, tokens, mode):
    from transformers import BertConfig, BertForPreTraining
    config = BertConfig(hidden_size=1024, num_hidden_layers=24, num_attention_heads=16,
                        intermediate_size=4096)
    network = BertForPreTraining._from_config(config, attn_implementation="sdpa").to(GPU).train()
    ids = torch.randint(0, config.vocab_size, (batch, tokens), device=GPU)
    labels = torch.full((batch, tokens), -100, device=GPU)
    masked = torch.rand(batch, tokens, device=GPU) < 0.15
    labels[masked] = ids[masked]
    follows = torch.randint(0, 2, (batch,), device=GPU)
    run = torch.compile(network, dynamic=False) if mode == "compile" else network
    return step_of(
        lambda: run(input_ids=ids, labels=labels, next_sentence_label=follows).loss,
        adam(network, mode), mode)


def llama_of_4_blocks(batch, tokens, mode):
    from transformers import LlamaConfig, LlamaForCausalLM
    config = LlamaConfig(hidden_size=4096, num_hidden_layers=4, num_attention_heads=32,
                         num_key_value_heads=32, intermediate_size=11008, vocab_size=32000,
                         max_position_embeddings=4096, use_cache=False)
    network = LlamaForCausalLM._from_config(config, attn_implementation="sdpa").to(GPU).train()
    ids = torch.randint(0, config.vocab_size, (batch, tokens), device=GPU)
    run = torch.compile(network, dynamic=False) if mode == "compile" else network
    return step_of(lambda: run(input_ids=ids, labels=ids).loss, adam(network, mode), mode)


def adam(network, mode):
    return torch.optim.AdamW(network.parameters(), lr=1e-4, fused=True, capturable=mode == "graph")


def step_of(loss_of, optimizer, mode):
    def step():
        with torch.autocast(GPU, dtype=torch.bfloat16, cache_enabled=mode != "graph"):
            loss = loss_of()
        loss.backward()
        optimizer.step()
        optimizer.zero_grad(set_to_none=True)
    return step


def resnet_50():
    import torchvision
    return torchvision.models.resnet50()


def vgg_16():
    import torchvision
    return torchvision.models.vgg16()


# Network, tokens of a sample, how to make a step of it, batches by the way to run it. Transformers
# have another kernel for attention while a graph is captured, and are left out there.
PLAN = [
    ("resnet-50", 0, image_step(resnet_50),
     {"eager": [32, 64, 96, 128, 192, 256], "graph": [32, 64, 128, 256], "compile": [64, 256]}),
    ("bert-large", 128, bert_large, {"eager": [4, 8, 16, 32, 56, 128], "compile": [8, 56]}),
    ("bert-large", 512, bert_large, {"eager": [4, 8, 16, 32, 56]}),
    ("llama-4-blocks", 2048, llama_of_4_blocks, {"eager": [1, 2, 4, 8]}),
    ("vgg-16", 0, image_step(vgg_16), {"eager": [32, 64, 128]}),
]


class Power:
    """Watts within its `with` block."""

    def __init__(self, device):
        self.device, self.watts, self.over = device, [], False

    def __enter__(self):
        self.thread = threading.Thread(target=self.watch)
        self.thread.start()
        return self

    def watch(self):
        while not self.over:
            self.watts.append(pynvml.nvmlDeviceGetPowerUsage(self.device) / 1e3)
            time.sleep(0.05)

    def __exit__(self, *_):
        self.over = True
        self.thread.join()


def captured(step):
    stream = torch.cuda.Stream()
    stream.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(stream):
        step()
    torch.cuda.current_stream().wait_stream(stream)
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        step()
    return graph.replay


def kernels_of(step, steps=2):
    from torch.profiler import ProfilerActivity, profile
    with profile(activities=[ProfilerActivity.CUDA]) as profiler:
        for _ in range(steps):
            step()
        torch.cuda.synchronize()
    spans, by_kind = [], {}
    for event in profiler.events():
        if event.device_type != torch.autograd.DeviceType.CUDA:
            continue
        begin, end = event.time_range.start, event.time_range.end
        spans.append((begin, end))
        name = event.name.lower()
        kind = next((k for k, parts in KINDS.items() if any(p in name for p in parts)), "other")
        by_kind[kind] = by_kind.get(kind, 0) + (end - begin) / steps / 1e3
    busy, last = 0, 0
    for begin, end in sorted(spans):
        busy += max(0, end - max(begin, last))
        last = max(last, end)
    return {"kernels": len(spans) / steps, "kernel_ms": round(busy / steps / 1e3, 3),
            "by_kind_ms": {kind: round(ms, 3) for kind, ms in sorted(by_kind.items())}}


def timed(step, count):
    marks = [torch.cuda.Event(enable_timing=True) for _ in range(count + 1)]
    marks[0].record()
    for mark in marks[1:]:
        step()
        mark.record()
    torch.cuda.synchronize()
    return sorted(a.elapsed_time(b) for a, b in zip(marks, marks[1:]))


def measure(make, batch, tokens, mode, device):
    gc.collect()
    torch.cuda.empty_cache()
    torch.cuda.reset_peak_memory_stats()
    step = make(batch, tokens, mode)
    for _ in range(3):
        step()
    if mode == "graph":
        step = captured(step)
    one = timed(step, 3)[1] / 1e3
    timed(step, max(3, min(30, int(0.7 / one))))
    with Power(device) as power:
        times = timed(step, max(15, min(60, int(1.5 / one))))
    tail = len(times) // 20
    return {"median_ms": round(statistics.median(times), 3), "low_ms": round(times[tail], 3),
            "high_ms": round(times[-1 - tail], 3), "steps": len(times), **kernels_of(step),
            "peak_MiB": torch.cuda.max_memory_allocated() >> 20,
            "used_MiB": pynvml.nvmlDeviceGetMemoryInfo(device).used >> 20,
            "watts": round(statistics.median(power.watts))}


def main(wanted):
    torch.manual_seed(0)
    pynvml.nvmlInit()
    device = pynvml.nvmlDeviceGetHandleByIndex(0)
    for name, tokens, make, ways in PLAN:
        for mode, batches in ways.items() if not wanted or name in wanted else ():
            for batch in batches:
                row = {"network": name, "tokens": tokens, "mode": mode, "batch": batch}
                try:
                    row.update(measure(make, batch, tokens, mode, device))
                except torch.cuda.OutOfMemoryError:
                    row["error"] = "out of memory"
                print(json.dumps(row), flush=True)
        torch._dynamo.reset()


if __name__ == "__main__":
    main(sys.argv[1:])
