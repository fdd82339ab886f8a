// The script of the calculator for other sites: reckons while somebody types, by the same arithmetic as the server, asks for newer
// rates, and tells the page around it how high it is. It keeps nothing, and knows nobody.

import { type EmbedData, shownFor } from './calculator-view.ts';

/** Milliseconds between two looks for newer rates. */
const RATES_MS = 30_000;

const part = (name: string): HTMLElement => document.getElementById(name) as HTMLElement;
const form = document.forms[0] as HTMLFormElement;
const amount = part('amount') as HTMLInputElement;
let data = JSON.parse(part('pair').textContent ?? '') as EmbedData;

/** Writes what the typed amount comes to. */
function show(): void {
  const shown = shownFor(amount.value, data);
  part('get').textContent = shown.get;
  part('rate').textContent = shown.rate;
  part('problem').textContent = shown.problem;
  amount.setAttribute('aria-invalid', String(shown.problem !== ''));
  const rows = shown.lines.map((line) => {
    const row = document.createElement('div');
    for (const [tag, text] of [
      ['dt', line.name],
      ['dd', line.amount],
    ] as const) {
      const cell = document.createElement(tag);
      cell.textContent = text;
      row.append(cell);
    }
    return row;
  });
  part('lines').replaceChildren(...rows);
  tellHeight();
}

/** The page around it gives it the room that it needs. It may be anybody's, and is told nothing else. */
function tellHeight(): void {
  parent.postMessage({ kursHeight: document.documentElement.scrollHeight }, '*');
}

/** Newer rates of the same direction. What can't be had is asked for again. */
async function renew(): Promise<void> {
  if (document.hidden) return;
  const { direction: shown, ref, api, clientId } = data;
  const { from, to } = shown;
  const asked = new URLSearchParams({ from, to, ...(ref !== undefined && { ref }) });
  const headers = { accept: 'application/json', 'content-type': 'application/json', 'client-id': clientId };
  const answer = await fetch(`${api}/api/v1/calculation/directions?${asked}`, { credentials: 'omit', headers });
  if (!answer.ok) return;
  const { directions } = ((await answer.json()) as { data: { directions: EmbedData['direction'][] } }).data;
  const direction = directions.find((one) => one.from === from && one.to === to);
  if (direction?.terms) data = { ...data, direction };
  show();
}

amount.addEventListener('input', show);
// Another pair has other limits and other partners: the server draws it, with an amount that is usual there.
for (const name of ['from', 'to'])
  part(name).addEventListener('change', () => {
    amount.disabled = true;
    form.requestSubmit(part('calculate') as HTMLButtonElement);
  });
addEventListener('pageshow', () => (amount.disabled = false));
form.addEventListener('submit', () => {
  const shown = shownFor(amount.value, data);
  if (shown.amount !== '') amount.value = shown.amount;
});
setInterval(() => void renew().catch(() => undefined), RATES_MS);
new ResizeObserver(tellHeight).observe(document.documentElement);
show();
