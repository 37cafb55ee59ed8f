// The panel: a control for each pointer from the server, with descriptions from the schema.

import {post} from './api.js';
import {byId, keepFocus, make, setChoices, setText} from './dom.js';

const KEEP = '\u0001';  // the choice of the present value

let gesture = 0;
const shown = new Map();  // by id: the elements of a control
const judged = new Map();  // by id: the version for which its choices were checked

export function showControls(studio) {
  showScope(studio);
  const root = byId('controls');
  const {controls} = studio.state;
  const key = controls.map((control) => control.id + kindOf(control)[0]).join();
  if (root.dataset.key !== key) {
    root.dataset.key = key;
    build(studio, root, controls);
  }
  for (const control of controls) {
    const parts = shown.get(control.id);
    if (byId('objection').hidden) parts.no.hidden = true;
    update(parts, control);
  }
}

function showScope(studio) {
  const {scope} = studio;
  const patch = studio.state.machines;
  setChoices(byId('scope-host'), [['', 'all of them'], ...patch.hosts.map((name) => [name, name])], scope.host);
  setChoices(byId('scope-vm'), [['', 'all of them'], ...patch.vms.map((name) => [name, name])], scope.vm);
  byId('scope-host').onchange = (event) => studio.setScope({host: event.target.value});
  byId('scope-vm').onchange = (event) => studio.setScope({vm: event.target.value});
}

const kindOf = (control) => (control.choices ? 'choices' : control.typed ? 'typed' : 'slider');

function build(studio, root, controls) {
  shown.clear();
  const groups = new Map();
  for (const control of controls) {
    if (!groups.has(control.group)) {
      groups.set(control.group, make('div', {class: 'group'}, make('h3', {}, control.group)));
    }
    groups.get(control.group).append({choices, typed, slider}[kindOf(control)](studio, control));
  }
  keepFocus(root, () => root.replaceChildren(...groups.values()));
}

function frame(control, id) {
  const parts = {
    label: make('label', {for: id, title: control.about}, control.label),
    output: make('output', {for: id}),
    no: make('p', {class: 'no', hidden: true}),
    box: make('div', {class: 'control', 'data-id': control.id}),
  };
  shown.set(control.id, parts);
  return parts;
}

/** Disables choices that the server has found to be refused, with the rule. */
function choices(studio, control) {
  const id = `c-${control.id.replace(/\W+/g, '-')}`;
  const parts = frame(control, id);
  parts.select = make('select', {id, title: control.about});
  parts.select.onfocus = () => judge(studio, control.id);
  parts.select.onpointerenter = () => judge(studio, control.id);
  parts.select.onchange = async () => {
    const choice = parts.control.choices[Number(parts.select.value)];
    if (!choice) return;
    const state = await studio.change({title: `${control.label}: ${choice.label}`, set: setOf(parts.control, choice)});
    say(parts, state);
  };
  parts.box.append(parts.label, parts.select, parts.no);
  return parts.box;
}

function slider(studio, control) {
  const id = `c-${control.id.replace(/\W+/g, '-')}`;
  const parts = frame(control, id);
  parts.range = make('input', {id, type: 'range', min: 0, step: 1, title: control.about});
  parts.range.onpointerdown = () => { gesture += 1; };
  parts.range.onfocus = () => { gesture += 1; };  // arrow keys are one step until it is left
  parts.range.oninput = () => drag(studio, parts);
  parts.curve = make('button', {type: 'button', title: `Curve over ${control.label}`,
    onclick: () => studio.curve(parts.control)}, 'Curve');
  parts.curve.ariaLabel = `Curve over ${control.label}`;
  parts.box.append(parts.label, parts.output,
                   make('div', {class: 'slider'}, parts.range, parts.curve), parts.no);
  return parts.box;
}

/** A field for any number or name; empty: as by default. */
function typed(studio, control) {
  const id = `c-${control.id.replace(/\W+/g, '-')}`;
  const parts = frame(control, id);
  const isNumber = control.typed === 'number';
  parts.field = make('input', {id, type: isNumber ? 'number' : 'text', step: isNumber ? 'any' : null, min: control.minimum,
    max: control.maximum, title: control.about, autocomplete: 'off', spellcheck: 'false', placeholder: control.default});
  parts.field.onchange = async () => {
    const text = parts.field.value.trim();
    if (!parts.field.reportValidity()) return;
    const value = text === '' ? null : isNumber ? Number(text) : text;
    const title = `${control.group}, ${control.label}: ${text || 'as by default'}`;
    say(parts, await studio.change({title, set: [{pointer: parts.control.pointer, value}]}));
  };
  parts.box.append(parts.label, parts.field, parts.no);
  return parts.box;
}

/** The pointers and values that a choice sets. */
function setOf(control, choice) {
  return choice.set ?? [{pointer: control.pointer, value: choice.value}];
}

/** The change of a step of a slider. */
export function stepChange(control, step, own = '') {
  const value = control.steps[step];
  const change = {title: `${control.label}: ${value}`, gesture: own};
  if (control.id === 'hosts') change.hosts = Number(value);
  else change.set = [{pointer: control.pointer, value}];
  return change;
}

/** During one step the newest one waits; intermediate steps are skipped. */
async function drag(studio, parts) {
  parts.waiting = Number(parts.range.value);
  setText(parts.output, String(parts.control.steps[parts.waiting]));
  parts.range.ariaValueText = parts.output.textContent;
  if (parts.runs) return;
  parts.runs = true;
  while (parts.waiting !== null) {
    const step = parts.waiting;
    parts.waiting = null;
    const state = await studio.change(stepChange(parts.control, step, `${parts.control.id}-${gesture}`));
    if (parts.waiting === null) say(parts, state);
  }
  parts.runs = false;
  update(parts, parts.control);
}

function say(parts, state) {
  const objection = state?.outcome === 'refused' ? state.objections[0] : null;
  parts.no.hidden = !objection;
  setText(parts.no, objection ? `Refused by ${objection.rule}: ${objection.text}` : '');
  if (objection) update(parts, parts.control);
}

function update(parts, control) {
  if (!parts) return;
  parts.control = control;
  if (parts.select) return updateSelect(parts, control);
  if (parts.field) {
    if (parts.field !== document.activeElement || control.value !== '') parts.field.value = control.value;
    return undefined;
  }
  if (parts.runs) return;
  const step = control.steps.findIndex((value) => String(value) === control.value);
  parts.range.max = control.steps.length - 1;
  parts.range.value = Math.max(step, 0);
  setText(parts.output, control.mixed ? 'different' : control.value || control.default || 'as by default');
  parts.range.ariaValueText = parts.output.textContent;
}

function updateSelect(parts, control) {
  const found = control.mixed ? -1 : control.choices.findIndex((choice) => choice.label === control.value);
  const missing = control.choices.findIndex((choice) => choice.label === 'as by default');
  const at = found >= 0 ? found : !control.mixed && control.value === '' ? missing : -1;
  const list = control.choices.map((choice, n) => [String(n), words(choice, control)]);
  if (at < 0) list.unshift([KEEP, control.mixed ? 'different' : control.value || 'none']);
  setChoices(parts.select, list, at < 0 ? KEEP : String(at));
}

function words(choice, control) {
  if (choice.label === 'as by default' && control.default) return `as by default: ${control.default}`;
  return choice.label;
}

async function judge(studio, id) {
  const parts = shown.get(id);
  const {version} = studio.state;
  if (judged.get(id) === version) return;
  judged.set(id, version);
  const {objections} = await post('options', {
    changes: parts.control.choices.map((choice) => ({set: setOf(parts.control, choice)}))});
  for (const option of parts.select.options) {
    const against = objections[Number(option.value)]?.[0];
    option.disabled = Boolean(against);
    const plain = option.textContent.split(' \u2014 ')[0];
    setText(option, against ? `${plain} \u2014 refused by ${against.rule}` : plain);
    option.title = against ? `${against.text}. ${against.remedy}` : '';
  }
}
