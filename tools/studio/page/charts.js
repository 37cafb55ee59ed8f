// Charts: read-outs under the pointer, and each as a file for slides.

import {byId, make, setText} from './dom.js';

const SCALE = 2;  // pixels of a PNG for each unit of a drawing

export function listenCharts() {
  const box = byId('readout');
  document.addEventListener('pointermove', (event) => {
    const part = event.target.closest?.('svg *');
    const title = part && [...part.children].find((child) => child.tagName === 'title');
    box.hidden = !title?.textContent;
    if (box.hidden) return;
    setText(box, title.textContent);
    const right = event.clientX + 16 + box.offsetWidth > innerWidth;
    box.style.left = `${right ? Math.max(event.clientX - box.offsetWidth - 12, 4) : event.clientX + 16}px`;
    box.style.top = `${Math.min(event.clientY + 14, innerHeight - box.offsetHeight - 4)}px`;
  });
  document.addEventListener('pointerleave', () => { box.hidden = true; });
  new MutationObserver(() => addButtons()).observe(byId('desk'), {childList: true, subtree: true});
}

/** A button for each format beside the caption of a chart. */
function addButtons() {
  for (const figure of document.querySelectorAll('#desk figure:not([data-files])')) {
    const svg = figure.querySelector('svg.wide');
    if (!svg) continue;
    figure.dataset.files = 'yes';
    const name = svg.getAttribute('aria-label') || svg.querySelector('title')?.textContent || 'chart';
    figure.append(make('p', {class: 'files'}, ...['svg', 'png'].map((kind) => make('button',
      {type: 'button', 'aria-label': `${name} as ${kind.toUpperCase()}`,
       onclick: () => savePicture(svg, name, kind)}, kind.toUpperCase()))));
  }
}

/** The rules of the page without those of a medium: pictures are light, as slides are. */
function rules() {
  return [...document.styleSheets].flatMap((sheet) => [...sheet.cssRules])
    .filter((rule) => rule instanceof CSSStyleRule && !/[[:]focus|:hover|body|main/.test(rule.selectorText))
    .map((rule) => rule.cssText).join('\n');
}

function standalone(svg) {
  const copy = svg.cloneNode(true);
  const {width, height} = svg.viewBox.baseVal;
  copy.setAttribute('xmlns', 'http://www.w3.org/2000/svg');
  copy.setAttribute('width', width);
  copy.setAttribute('height', height);
  copy.querySelectorAll('.chosen').forEach((part) => part.classList.remove('chosen'));
  const style = document.createElementNS('http://www.w3.org/2000/svg', 'style');
  style.textContent = `${rules()}\nsvg{background:#fff;color-scheme:light;font-family:sans-serif}`;
  copy.prepend(style);
  return {text: new XMLSerializer().serializeToString(copy), width, height};
}

function save(url, name) {
  const link = make('a', {href: url, download: name});
  document.body.append(link);
  link.click();
  link.remove();
}

export async function savePicture(svg, name, kind) {
  const file = `${name.toLowerCase().replace(/[^a-z0-9]+/g, '-')}.${kind}`;
  const {text, width, height} = standalone(svg);
  if (kind === 'svg') return save(URL.createObjectURL(new Blob([text], {type: 'image/svg+xml'})), file);
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`;
  await image.decode();
  const canvas = make('canvas', {width: width * SCALE, height: height * SCALE});
  canvas.getContext('2d').drawImage(image, 0, 0, canvas.width, canvas.height);
  const blob = await new Promise((resolve) => canvas.toBlob(resolve, 'image/png'));
  return save(URL.createObjectURL(blob), file);
}
