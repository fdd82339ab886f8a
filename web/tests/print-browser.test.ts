// Each kind of page on paper: Chromium prints it, and another program reads the sheets.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type Page } from 'playwright-core';
import { getDocumentProxy } from 'unpdf';
import { serve } from '../testing/serve.ts';
import { windowsOnSite } from '../testing/windows.ts';
import { worldTransport } from '../testing/world.ts';
import { isFullRun } from '../../tools/runner/full-run.ts';

const site = windowsOnSite(() =>
  serve(
    0,
    'sandbox',
    worldTransport(() => new Date()),
  ),
);
const TOKEN = 'c3R1Yi10b2tlbi1mb3ItdGVzdHMtb25seS0wMDAx';
const order = (scene: string): string => `/order?id=KX-${scene}-NG00&token=${TOKEN}`;

interface Printed {
  /** Path without the language. */
  readonly path: string;
  /** Everything on the page must be on paper too, except for buttons. */
  readonly isWhole?: true;
  readonly languages: readonly ('En' | 'Ru')[];
}

const BOTH = ['En', 'Ru'] as const;
/** Pages that people print, one of each kind. */
const PRINTED: readonly Printed[] = [
  { path: '/terms-of-services', isWhole: true, languages: ['En'] },
  { path: '/aml-kyc-policy', isWhole: true, languages: ['Ru'] },
  { path: '/privacy-policy', isWhole: true, languages: ['En'] },
  { path: order('DONE'), languages: BOTH },
  { path: '', languages: ['Ru'] },
];
/** One page of each other kind, for the full run. */
const OTHERS: readonly Printed[] = [
  ...['WAIT', 'RFND', 'VCHR'].map((scene) => order(scene)),
  ...['/services/btc-usdt-erc20', '/rates', '/faq', '/status', '/solutions/HiWallet', '/verify', '/track', '/brand-guidelines'],
  ...['/earnmoney/earn-free-crypto', '/earnmoney/affiliate-program', `/discount?token=${TOKEN}`, '/letters', '/contact-us'],
].map((path) => ({ path, languages: BOTH }));
const PAGES = isFullRun ? [...PRINTED, ...OTHERS] : PRINTED;

interface Sheet {
  readonly words: string;
  /** Position of its last line, as a fraction of the sheet's height. */
  readonly filled: number;
}

/** Returns the text of each sheet of a printed page. */
async function printed(page: Page): Promise<Sheet[]> {
  const pdf = await getDocumentProxy(new Uint8Array(await page.pdf({ format: 'A4', printBackground: false })));
  const sheets: Sheet[] = [];
  for (let number = 1; number <= pdf.numPages; number += 1) {
    const sheet = await pdf.getPage(number);
    const { height } = sheet.getViewport({ scale: 1 });
    const texts = (await sheet.getTextContent()).items.flatMap((item) => ('str' in item && item.str.trim() !== '' ? [item] : []));
    const lowest = Math.min(height, ...texts.map(({ transform }) => transform[5] as number));
    sheets.push({ words: plain(texts.map(({ str }) => str).join('')), filled: 1 - lowest / height });
  }
  return sheets;
}

/** Reduces a text to letters and digits, since lines break differently on paper. */
const plain = (text: string): string =>
  text
    .normalize('NFKC')
    .replaceAll(/[^\p{L}\p{N}]/gu, '')
    .toLowerCase();

/** Blocks of text that a page shows on paper, in their order. */
const BLOCKS = `[...document.querySelectorAll('main :is(h1, h2, h3, p, li, dt, dd, th, td)')]
  .filter((one) => one.checkVisibility({ visibilityProperty: true }) && !one.closest('button, .sr, [aria-hidden=true], template') && !one.querySelector('p, li, dd, button, .sr'))
  .map((one) => one.innerText)`;

/** Texts of the frame that are on paper too. */
const FRAME = `[...document.querySelectorAll('header nav, footer')].filter((one) => one.checkVisibility()).map((one) => one.innerText)`;

async function prints(language: string, { path, isWhole }: Printed): Promise<void> {
  const { page, context } = await site.open({ colorScheme: 'dark' });
  await page.goto(`${site.url}/${language}${path}`);
  await page.emulateMedia({ media: 'print' });
  const shown = (await page.evaluate<string[]>(BLOCKS)).map(plain).filter((text) => text.length > 1);
  assert.deepEqual(await page.evaluate<string[]>(FRAME), [], 'no menu and no footer');
  const sheets = await printed(page);
  const [first] = sheets;
  assert.ok(first);
  assert.ok(
    first.words.includes(plain(await page.locator('h1').innerText())),
    `the first sheet says ${first.words.slice(0, 200)}`,
  );
  assert.ok(sheets.length === 1 || first.filled > 0.6, `the first sheet is full to ${first.filled}`);
  const all = sheets.map(({ words }) => words).join('');
  const wanted = isWhole ? shown : shown.slice(0, 3);
  assert.deepEqual(
    wanted.filter((text) => !all.includes(text)),
    [],
  );
  await context.close();
}

describe('on paper', { concurrency: 2 }, () => {
  for (const one of PAGES)
    for (const language of one.languages) test(`/${language}${one.path.replace(/&token.*/, '')}`, () => prints(language, one));
});
