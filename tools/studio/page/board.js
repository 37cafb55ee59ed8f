// The placement board: GPUs as bars with their vGPUs. VMs are dragged to another host or moved
// by a select. Dragging a GPU onto one of another VM on its host moves it to that VM; selecting
// it by click or key lists its other places. The server places by the rules of `vgsim place`.

import {get} from './api.js';
import {byId, make} from './dom.js';

const GPU = 'application/x-gpu';  // dragged together with the name of its VM

export async function showBoard(studio) {
  let board;
  try {
    board = await get('placement');
  } catch (error) {
    byId('board-hosts').dataset.key = '';
    byId('board-hosts').replaceChildren(make('p', {class: 'aside'}, error.message));
    return;
  }
  // An unchanged board stays, and with it the focus.
  const key = JSON.stringify(board);
  if (byId('board-hosts').dataset.key === key) return;
  byId('board-hosts').dataset.key = key;
  const look = new Map(board.vms.map((vm, n) => [vm.name, `v${n % 6}`]));
  byId('board-hosts').replaceChildren(
    make('p', {class: 'aside'}, verdict(board)),
    make('div', {class: 'hosts'}, ...board.hosts.map((host) => hostBox(studio, host, look))),
    order(studio, board));
}

function verdict(board) {
  const out = board.vms.filter((vm) => !vm.host).map((vm) => vm.name);
  if (!out.length) return 'All VMs can be powered on in this order.';
  const better = board.better_order ? ` All would fit in the order ${board.better_order.join(', ')}.` : '';
  return `${out.join(', ')} cannot be powered on.${better}`;
}

function hostBox(studio, host, look) {
  const box = make('div', {class: 'hostbox', 'data-host': host.name}, make('h3', {}, host.name),
    ...host.gpus.map((gpu) => gpuBar(studio, host.name, gpu, look)));
  if (host.stranded_gb > 0) box.append(make('p', {class: 'aside'}, `${host.stranded_gb} GB of framebuffer are stranded.`));
  box.ondragover = (event) => { event.preventDefault(); box.classList.add('over'); };
  box.ondragleave = () => box.classList.remove('over');
  box.ondrop = (event) => {
    event.preventDefault();
    box.classList.remove('over');
    moveVm(studio, event.dataTransfer.getData('text/plain'), host.name);
  };
  return box;
}

function gpuBar(studio, host, gpu, look) {
  const room = make('div', {class: 'room'});
  const name = `${host}/${gpu.name}`;
  for (const part of gpu.parts) {
    const what = `${part.vm}: ${part.profile || 'the whole GPU'}`;
    const bar = make('div', {class: `vgpu ${look.get(part.vm)}`, draggable: 'true', tabindex: 0, role: 'button',
      title: what, 'aria-label': `${name}, ${what}`, onclick: () => studio.choose(name)}, part.vm);
    bar.style.width = `${part.share * 100}%`;
    bar.onkeydown = (event) => { if (event.key === 'Enter' || event.key === ' ') { event.preventDefault(); studio.choose(name); } };
    bar.ondragstart = (event) => {
      event.dataTransfer.setData('text/plain', part.vm);
      event.dataTransfer.setData(GPU, name);
    };
    bar.ondrop = (event) => {
      const dragged = event.dataTransfer.getData(GPU);
      const from = event.dataTransfer.getData('text/plain');
      if (!dragged.startsWith(`${host}/`) || from === part.vm) return;
      event.preventDefault();
      event.stopPropagation();
      studio.move({gpu: dragged, from, to: part.vm});
    };
    room.append(bar);
  }
  return make('div', {class: 'gpubar'}, make('span', {}, gpu.name), room);
}

function moveVm(studio, vm, host) {
  return studio.change({title: `${vm} on ${host || 'the host that vSphere chooses'}`,
    set: [{pointer: `/vms/${vm}/host`, value: host || null}]});
}

function order(studio, board) {
  const rows = board.vms.map((vm) => make('tr', {},
    make('th', {scope: 'row'}, vm.name),
    make('td', {}, hostSelect(studio, board, vm)),
    make('td', {}, make('input', {type: 'number', min: 0, value: vm.power_on, 'aria-label': `Power-on number of ${vm.name}`,
      onchange: (event) => studio.change({title: `${vm.name} powered on as ${event.target.value}`,
        set: [{pointer: `/vms/${vm.name}/power_on`, value: Number(event.target.value)}]})})),
    make('td', {}, vm.refused.map((each) => `${each.rule}: ${each.text}`).join('; '))));
  return make('div', {class: 'scrolls', tabindex: 0, role: 'region', 'aria-label': 'order of power-on'},
    make('table', {class: 'order'}, make('thead', {}, make('tr', {},
      ...['VM', 'host', 'power-on', 'what speaks against it'].map((text) => make('th', {scope: 'col'}, text)))),
    make('tbody', {}, ...rows)));
}

function hostSelect(studio, board, vm) {
  const names = ['', ...board.hosts.map((host) => host.name)];
  const select = make('select', {'aria-label': `Host of ${vm.name}`,
    onchange: (event) => moveVm(studio, vm.name, event.target.value)},
    ...names.map((name) => make('option', {value: name}, name || 'as vSphere places it')));
  select.value = vm.tied ?? '';
  return select;
}
