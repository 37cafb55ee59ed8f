// The bar that stays: verdict, figures, the goal.

import {byId, make, setText, show} from './dom.js';

const UNITS = {us: 1e-6, ms: 1e-3, s: 1, min: 60, h: 3600, d: 86400};
const KEPT = 'vgsim-goal';

export function listenStatus(studio) {
  const kept = JSON.parse(sessionStorage.getItem(KEPT) ?? '{}');
  byId('goal-what').value = kept.what ?? 'epoch';
  byId('goal-value').value = kept.value ?? '';
  byId('goal').onsubmit = (event) => event.preventDefault();
  byId('goal').oninput = () => {
    sessionStorage.setItem(KEPT, JSON.stringify({what: byId('goal-what').value, value: byId('goal-value').value}));
    showGoal(studio.state?.answer?.now);
  };
}

/** Seconds of "5 min" and "1.5h"; NaN for anything else. */
export function secondsOf(text) {
  const found = /^\s*(\d+(?:\.\d+)?)\s*(us|ms|s|min|h|d)\s*$/.exec(text);
  return found ? Number(found[1]) * UNITS[found[2]] : NaN;
}

export function showStatus(studio) {
  const {answer, removed} = studio.state;
  if (!answer) return;
  const [first = ''] = answer.verdict;
  show(byId('headline'), (removed.length ? `<strong>${removed.map(escaped).join('; ')}.</strong> ` : '') + first);
  byId('headline').title = byId('headline').textContent;
  showFigures(answer);
  showGoal(answer.now);
}

const escaped = (text) => make('p', {}, text).innerHTML;

/** Times of a sample are compared where iterations differ in their samples. */
function isOtherWork(now, pinned) {
  if (!pinned?.samples_per_s || !now.samples_per_s) return false;
  const samples = (of) => of.samples_per_s * of.iteration_s;
  return Math.abs(samples(now) / samples(pinned) - 1) > 1e-6;
}

function showFigures({now, pinned, in_full: full}) {
  const interval = now.interval ?? (full ? 'not computed: too many events' : '\u2026');
  const other = isOtherWork(now, pinned);
  const rows = [['iteration', now.iteration, other ? `${pinned.iteration}, other samples` : pinned?.iteration],
                ...(other ? [['sample', now.sample, pinned.sample]] : []), ['epoch', now.epoch, pinned?.epoch],
                ['training', now.training, pinned?.training],
                ['90 % interval of an iteration', interval, pinned?.interval]];
  const shown = rows.filter(([, value]) => value !== undefined && now.iteration !== undefined && !now.refused);
  show(byId('figures'), shown.map(([what, value, other]) =>
    `<div><span class="what">${what}</span><span class="number">${value}</span>` +
    (other ? `<span class="what">A: ${other}</span>` : '') + '</div>').join(''));
}

function showGoal(now) {
  const text = byId('goal-value').value;
  const output = byId('goal-verdict');
  const seconds = secondsOf(text);
  const value = now?.[`${byId('goal-what').value}_s`];
  output.className = '';
  byId('goal-value').setCustomValidity(text && Number.isNaN(seconds) ? 'a time such as 5 min' : '');
  if (!text) return setText(output, '');
  if (Number.isNaN(seconds)) return setText(output, 'a time such as 5 min');
  if (value === undefined || now.refused) {
    output.className = 'missed';
    return setText(output, 'not met: nothing was simulated');
  }
  const met = value <= seconds;
  const ratio = value / seconds;
  const share = `${Math.round(Math.abs(ratio - 1) * 100)} %`;
  output.className = met ? 'met' : 'missed';
  return setText(output, met ? `met, ${share} below` : `missed: ${ratio < 2 ? `${share} above` : `${Number(ratio.toPrecision(2)).toLocaleString('en')} x the goal`}`);
}
