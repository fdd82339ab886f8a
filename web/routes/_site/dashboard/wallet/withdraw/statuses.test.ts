import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import en from '../../../../../locales/en-US.json' with { type: 'json' };
import ru from '../../../../../locales/ru-RU.json' with { type: 'json' };

const source = readFileSync(new URL('statuses.ts', import.meta.url), 'utf8');
const TEXTS = [...source.matchAll(/m\.(withdraw_text_\w+)/g)].map(([, key]) => key as keyof typeof en);
/** Statuses in which the money is back where it came from. */
const BACK = ['failed', 'returned', 'cancelled', 'rejected'] as const;

for (const [language, words, wallet, rewards] of [
  ['English', en, /wallet/, /back among your rewards/],
  ['Russian', ru, /кошел/, /снова среди ваших вознаграждений/],
] as const) {
  test(`a failed withdrawal says if its money is back in the wallet or among the rewards. ${language}`, () => {
    for (const state of BACK) {
      assert.match(words[`withdraw_text_${state}`], wallet);
      assert.match(words[`withdraw_text_${state}_rewards`], rewards);
      assert.doesNotMatch(words[`withdraw_text_${state}_rewards`], wallet);
    }
  });

  test(`texts for withdrawals from both sources name no wallet. ${language}`, () => {
    const ofBoth = TEXTS.filter((key) => !BACK.some((state) => key.startsWith(`withdraw_text_${state}`)));
    assert.ok(ofBoth.length >= 6, ofBoth.join());
    for (const key of ofBoth) assert.doesNotMatch(String(words[key]), wallet, key);
  });
}
