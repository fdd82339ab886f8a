// Texts and lines of an order follow its status: an ended order announces nothing, and an open one shows no result.

import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { Site } from '../site.ts';
import en from '../locales/en-US.json' with { type: 'json' };
import ru from '../locales/ru-RU.json' with { type: 'json' };
import { askText, textOf } from '../testing/ask-text.ts';
import { stubSite } from '../testing/serve.ts';

const OPEN = ['WAIT', 'SEEN', 'CONF', 'PART', 'CHCK', 'SHRT', 'SELF', 'LATE', 'RFSD', 'PAYS'];
const ENDED = ['EXPD', 'CNCL', 'RFNG', 'RFND', 'RJCT'];
const TOKEN = 'c3R1Yi10b2tlbi1mb3ItdGVzdHMtb25seS0wMDAx';
const LANGUAGES = [
  ['En', en],
  ['Ru', ru],
] as const;
let site: Site;
before(async () => {
  site = await stubSite({ url: 'http://kurs.test' });
});

/** Returns the text of an order's page. */
async function page(scene: string, prefix: string): Promise<string> {
  const { body } = await askText(site, `/${prefix}/order?id=KX-${scene}-NG00&token=${TOKEN}`);
  return textOf(body, '|');
}
const says = (body: string, words: string): boolean => body.includes(`|${words.replace(/\s/g, ' ')}|`);

for (const [prefix, words] of LANGUAGES) {
  const future = [words.you_receive, words.price_of, words.promised];
  const past = [words.you_received, words.price_exchanged, words.promised_was, words.order_was_for, words.price_was_for];
  test(`an ended order announces nothing (${prefix})`, async () => {
    for (const scene of [...ENDED, 'DONE'])
      assert.deepEqual(
        future.filter((one) => says(pages.get(scene) as string, one)),
        [],
        scene,
      );
    for (const scene of ENDED) assert.ok(says(pages.get(scene) as string, words.price_was_for), scene);
  });
  test(`an open order shows no result (${prefix})`, async () => {
    for (const scene of OPEN) {
      const body = pages.get(scene) as string;
      assert.deepEqual(
        past.slice(0, 3).filter((one) => says(body, one)),
        [],
        scene,
      );
    }
    for (const scene of ['WAIT', 'PAYS'])
      assert.ok(
        future.every((one) => says(pages.get(scene) as string, one)),
        scene,
      );
  });
  test(`an underpayment that is exchanged automatically has one statement with one time and no choices (${prefix})`, async () => {
    const body = pages.get('SELF') as string;
    assert.ok(says(body, words.status_short) && says(body, words.headline_short));
    assert.ok(!says(body, words.headline_choose));
    const note = /\|([^|]*0[.,]0100[^|]*(?:same way|тем же способом)[^|]*)\|/.exec(body)?.[1] ?? assert.fail(body);
    assert.equal(note.match(/\d\d:\d\d/g)?.length, 1, note);
    assert.ok(note.replace(/\s/g, ' ').endsWith(words.note_short_choices.replace(/\s/g, ' ')));
    assert.ok(says(pages.get('SHRT') as string, words.headline_choose), 'of whom asked to be asked it is');
  });
  test(`a payment beyond an order’s amount has a page with its sum and the order’s number (${prefix})`, async () => {
    const left = words.related_left.replace('{amount}', prefix === 'En' ? '0.0029 BTC' : '0,0029 BTC');
    assert.ok(says(pages.get('DONE') as string, left));
    // Word joiners keep a number in one line.
    const bodyOf = (number: string) => (pages.get(number) as string).replaceAll('\u2060', '');
    const body = bodyOf('REST');
    assert.ok(body.includes(words.headline_rest.replace('{id}', 'KX-DONE-0000').replace(/\s/g, ' ')));
    assert.ok(!body.includes(words.headline_unallocated.replace(/\s/g, ' ')));
    assert.ok((pages.get('STRA') as string).includes(words.headline_unallocated.replace(/\s/g, ' ')));
    const paidFor = words.headline_paid_for.replace('{number}', 'KI-7F3Q-2M8C').replace(/\s/g, ' ');
    assert.ok(bodyOf('INVO').includes(paidFor), 'money that came for an invoice');
  });
  test(`a refund that waits for the network says so, and not that it is on its way (${prefix})`, async () => {
    const body = pages.get('DEEP') as string;
    assert.ok(says(body, words.note_shallow_title));
    assert.ok(!says(body, words.note_refunding_title));
    assert.ok(body.includes(prefix === 'En' ? 'about an hour' : 'примерно через час'));
  });
  const pages = new Map<string, string>();
  before(async () => {
    for (const scene of [...OPEN, ...ENDED, 'DONE', 'REST', 'STRA', 'INVO', 'DEEP']) pages.set(scene, await page(scene, prefix));
  });
}
