import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { format } from '@kurs/money';
import type { Site } from '../../../site.ts';
import { stubSite } from '../../../testing/serve.ts';
import { incomeOf } from './income.ts';

let site: Site;

before(async () => {
  site = await stubSite({ url: 'http://kurs.test' });
});

const read = async (url: string): Promise<string> => {
  const { body } = await site.handle({ method: 'GET', url, headers: {}, cookies: {} });
  return body.replace(/<!-- -->/g, '').replaceAll('\u00a0', ' ');
};

test('income is the fee on the amount and a share of it, exact and rounded down to cents', () => {
  for (const [sum, fee, share, ours, yours] of [
    ['10000', '1.5', '30', '150.00', '45.00'],
    ['0', '5', '40', '0.00', '0.00'],
    ['500', '0.5', '33', '2.50', '0.82'],
    ['100000', '0.1', '36', '100.00', '36.00'],
    // A fee that has no exact binary representation.
    ['99500', '1.1', '30', '1094.50', '328.35'],
  ] as const) {
    const income = incomeOf({ sum, fee, share });
    assert.deepEqual([format(income.fee), format(income.reward)], [ours, yours], sum);
  }
  assert.throws(() => incomeOf({ sum: '1e5', fee: '1', share: '30' }));
});

test('without JavaScript the calculator answers its form, and corrects invalid values', async () => {
  const request = await read('/En/earnmoney/affiliate-program?sum=20000&fee=0.5&share=36');
  assert.match(request, /100\.00 USD/);
  assert.match(request, /36\.00 USD/);
  assert.match(request, /<option value="36" selected="">/);
  assert.match(await read('/Ru/earnmoney/affiliate-program?sum=20000&fee=0.5&share=36'), /36,00 USD/);
  const strange = await read('/En/earnmoney/affiliate-program?sum=-1&fee=99&share=90');
  assert.match(strange, /50\.00 USD/);
  assert.match(strange, /<option value="30" selected="">/);
  assert.match(await read('/En/earnmoney/affiliate-program?sum=999999'), /100,000 USD/);
});

test('the affiliate programme is described as running, with the figures of the settings', async () => {
  const [en, ru] = await Promise.all(['En', 'Ru'].map((prefix) => read(`/${prefix}/earnmoney/affiliate-program`)));
  for (const [page, words] of [
    [
      en,
      ['Running now.', '30% to 40% of what we earn', 'From 10 USD on, rewards go to your own wallet', 'up to 50% of your share'],
    ],
    [ru, ['Уже работает.', 'от 30% до 40%', 'От 10 USD', 'до 50% вашей доли']],
  ] as const) {
    for (const said of words) assert.ok(page?.includes(said), said);
    assert.doesNotMatch(page ?? '', /planned|coming soon|in planning|в планах|запланировано|пока не работает/i);
    for (const share of ['30', '33', '36', '40']) assert.ok(page?.includes(`<b>${share}%</b>`), share);
  }
});

test('prizes are shown by the current rules: amounts, probabilities and the sum left', async () => {
  const [en, ru] = [await read('/En/earnmoney/earn-free-crypto'), await read('/Ru/earnmoney/earn-free-crypto')];
  for (const [page, words] of [
    [en, ['0.0235 USD', '31.40 USD', '482.11 USD', '600,000', '630dcd', 'an account that has won 0.50 USD']],
    [ru, ['0,0235 USD', '31,40 USD', '482,11 USD', '600 000', 'аккаунт, выигравший 0,50 USD']],
  ] as const)
    for (const one of words) assert.ok(page.includes(one), one);
  for (const page of [en, ru]) assert.doesNotMatch(page, /planned|coming|в планах|запланировано/i);
});
