import assert from 'node:assert/strict';
import { it } from 'node:test';
import { wallClock } from '../../platform/index.ts';
import type { Payin, ReceivingAddress } from '../rail.ts';

/** Requirements of this part of the contract: a provider's rail, and the amount of an ordinary payment in minor units. */
interface World {
  readonly rail: { readonly payin: Payin };
  readonly parts: bigint;
}

/** Part of the contract about impossible answers. `paid` makes a reference with an ordinary payment. */
export function oddities<W extends World>(world: () => W, paid: (world: W) => Promise<ReceivingAddress>): void {
  it('reads the other references despite an impossible answer, whose reference is reported or left out', async () => {
    const [odd, good] = [await paid(world()), await paid(world())];
    const captures = (await world().rail.payin.observe([odd])).map(({ txid }) => txid);
    const vouchers = (odd.entries ?? []).flatMap(({ fields }) => Object.values(fields));
    const words = [odd.to, ...(odd.id === undefined ? [] : [odd.id]), ...captures, ...vouchers];
    for (const [what, change] of Object.entries(ODD)) {
      const left: string[] = [];
      const seen = await withOddAnswers(words, change, () => world().rail.payin.observe([odd, good], ({ to }) => left.push(to)));
      assert.ok(
        seen.some(({ to }) => to === good.to),
        what,
      );
      assert.deepEqual(
        left.filter((to) => to !== odd.to),
        [],
        what,
      );
      for (const { parts, status } of seen) {
        assert.equal(parts, world().parts, what);
        if (status.at === 'block') assert.ok(status.minedAt.getTime() < wallClock().getTime() + 60_000, what);
      }
    }
    assert.equal((await world().rail.payin.observe([odd])).length, 1, 'seen once the answer is right');
  });
}

/** Changes of a true answer that make it impossible, by their description. */
const ODD: Readonly<Record<string, (text: string) => string>> = {
  'no answer of its form': () => '<<<',
  nothing: () => '',
  'an empty object': () => '{}',
  'amounts below zero': (text) => text.replaceAll(DECIMAL, '-1'),
  'amounts that are none': (text) => text.replaceAll(DECIMAL, '5.5.5'),
  'amounts beyond all money': (text) => text.replaceAll(DECIMAL, '9'.repeat(60)),
  'times that are none': (text) =>
    text
      .replaceAll(/\b20\d\d-?\d\d-?\d\d(?=[T ])/g, '2026-99-99')
      .replaceAll(/\b\d\d\/\d\d\/\d\d\b/g, '99/99/99')
      .replaceAll(/(?<="processed_ts":)\d+/g, '99999999999999'),
};

/** A number with a decimal point that is not part of a longer word (an address, a version in a path). */
const DECIMAL = /(?<![\w./-])\d+\.\d+(?![\w.])/g;

/**
 * Runs `work` while `change` alters every answer to a call that contains one of these words. All other calls get their true answer.
 */
async function withOddAnswers<T>(words: readonly string[], change: (text: string) => string, work: () => Promise<T>): Promise<T> {
  const original = globalThis.fetch;
  globalThis.fetch = async (url, init) => {
    const response = await original(url, init);
    const request = `${url instanceof Request ? url.url : String(url)} ${typeof init?.body === 'string' ? init.body : ''}`;
    if (!words.some((word) => request.includes(word))) return response;
    const { status, headers } = response;
    return new Response(change(await response.text()), {
      status,
      headers: { 'content-type': headers.get('content-type') ?? '' },
    });
  };
  try {
    return await work();
  } finally {
    globalThis.fetch = original;
  }
}
