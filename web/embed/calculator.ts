// Script of the calculator for other sites. It computes the result while the visitor types, by the same arithmetic as the server.
// It fetches newer rates, and reports its height to the page around it. It stores no data and doesn't identify the visitor.

import { type EmbedData, shownFor } from './calculator-view.ts';

/** Interval between requests for newer rates, in ms. */
const RATES_MS = 30_000;

const part = (name: string): HTMLElement => document.getElementById(name) as HTMLElement;
const form = document.forms[0] as HTMLFormElement;
const amount = part('amount') as HTMLInputElement;
let data = JSON.parse(part('pair').textContent ?? '') as EmbedData;

/** Computes and shows the received amount, the rate, the price lines and the problem of the typed amount. */
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
  reportHeight();
}

/**
 * Reports the calculator's height to the page around it, so that the frame can be resized. That page may belong to anybody, so
 * nothing else is reported.
 */
function reportHeight(): void {
  parent.postMessage({ kursHeight: document.documentElement.scrollHeight }, '*');
}

/** Fetches newer rates of the same direction. A failed request is repeated at the next interval. */
async function renew(): Promise<void> {
  if (document.hidden) return;
  const { direction: shown, ref, api, clientId } = data;
  const { from, to } = shown;
  const request = new URLSearchParams({ from, to, ...(ref !== undefined && { ref }) });
  const headers = { accept: 'application/json', 'content-type': 'application/json', 'client-id': clientId };
  const answer = await fetch(`${api}/api/v1/calculation/directions?${request}`, { credentials: 'omit', headers });
  if (!answer.ok) return;
  const { directions } = ((await answer.json()) as { data: { directions: EmbedData['direction'][] } }).data;
  const direction = directions.find((one) => one.from === from && one.to === to);
  if (direction?.terms) data = { ...data, direction };
  show();
}

amount.addEventListener('input', show);
// Another currency has other limits and other currencies on the other side. So the server renders the calculator again, with the
// new pair's usual amount.
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
new ResizeObserver(reportHeight).observe(document.documentElement);
show();
