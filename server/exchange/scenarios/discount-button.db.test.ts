// The mailed button: a visitor gets an address's discounts once its owner confirms, and learns nothing of them before.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Problem } from '@kurs/contract';
import { queuedLetters } from '../../deliveries/testing.ts';
import { alone } from '../../collecting/index.ts';
import { makeCoupons } from '../../coupons/index.ts';
import { countTurnover } from '../../loyalty/index.ts';
import { type SettingsWatch, advanceClock, newId, putSetting, watchSettings } from '../../platform/index.ts';
import { placeOrder } from '../actions/place-order.ts';
import { step1, step2, step3 } from '../calculation/calculate.ts';
import { confirmDiscount, mailDiscountButtons } from '../calculation/discounts/confirm-discount.ts';
import { type World, openWorld } from './world.testing.ts';

let world: World;
let settings: SettingsWatch;
before(async () => {
  world = await openWorld();
  settings = await watchSettings(world.db);
  await world.db.tx((tx) => countTurnover(tx, [{ email: 'rich@example.org', cents: 600_000n, completedAt: tx.now }]));
});
after(async () => {
  await settings.stop();
  await world.close();
});

const deps = () => ({ ...world.deps, tokens: world.deps.sender.tokens, approvalFor: () => 0, operators: async () => 2 });
const sender = { name: 'Kurs', url: 'http://kurs.test' };
let visitors = 0;
type CalculationDraft = Awaited<ReturnType<typeof begin>>;
async function begin(email: string) {
  visitors += 1;
  const who = { locale: 'en', device: `device ${visitors}`, ip: `198.51.100.${visitors}` } as const;
  const made = deps();
  const begun = await step1(made, { from: 'BTC', to: 'USDT_ERC20', amount: '0.005', side: 'give' }, who);
  const known = { id: begun.id, token: begun.token as string };
  const accounts = { receive: { ...world.rails.USDT_ERC20.receiver() }, refund: { ...world.rails.BTC.receiver() } };
  const type = (typed: string) => step2(made, { ...known, email: typed, ...accounts, terms_accepted: true, ask_me: false }, who);
  const second = await type(email);
  return { known, second, type, review: () => step3(made, { ...known, bot_token: 'sandbox' }, who) };
}
const queued = async (draft: CalculationDraft): Promise<{ to: string; text: string }[]> => {
  await mailDiscountButtons(world.db, sender);
  const found = await queuedLetters(world.db, { key: `discount ${draft.known.id}` });
  return found.map(({ recipient, text }) => ({ to: recipient, text }));
};
const tokenIn = ({ text }: { text: string }): string => /discount\?token=([\w-]+)/.exec(text)?.[1] ?? assert.fail(text);

test('visitors learn nothing about an address; its owner’s button gives the discount, and the review is quoted anew', async () => {
  const [poor, rich] = [await begin('poor@example.org'), await begin('Rich+shop@example.org')];
  const plain = ({ quote, ...rest }: CalculationDraft['second']) => [Object.keys(rest), quote.get, quote.discount];
  assert.deepEqual(plain(poor.second), plain(rich.second));
  const before = await rich.review();
  assert.equal(before.quote.discount, undefined);
  assert.deepEqual(await queued(poor), []);
  const [letter, ...more] = await queued(rich);
  assert.ok(letter);
  assert.deepEqual([letter.to, more], ['Rich+shop@example.org', []]);
  const token = tokenIn(letter);
  const stored = await world.db.rows<{ all: string }>('select discount_button::text as all from discount_button');
  assert.ok(!stored.some(({ all }) => all.includes(token)), 'only a hash is kept');

  assert.deepEqual(await confirmDiscount(world.db, token), { percent: 10 });
  await assert.rejects(placeOrder(world.deps, rich.known), new Problem('quote_expired'), 'the price that was seen is over');
  const review = await rich.review();
  assert.deepEqual(review.quote.discounts, [{ code: 'loyalty', amount: '0.00000250', currency: 'BTC' }]);
  assert.deepEqual(await confirmDiscount(world.db, token), { percent: 10 }, 'pressed again it changes nothing');
  assert.equal((await rich.review()).quote.expires_at, review.quote.expires_at);
  const order = await placeOrder(world.deps, rich.known);
  assert.ok(order.view.pinned.terms?.discounts.some(({ code }) => code === 'loyalty'));
  await assert.rejects(confirmDiscount(world.db, token), (error: Problem) => error.code === 'calculation_used');
});

test('the button is valid for the address that it was mailed to, as long as its calculation', async () => {
  const draft = await begin('rich@example.org');
  const [letter] = await queued(draft);
  assert.ok(letter);
  const token = tokenIn(letter);
  assert.deepEqual(await confirmDiscount(world.db, token), { percent: 10 });
  assert.equal((await draft.type('other@example.org')).quote.discount, undefined, 'another’s address has its own');
  await assert.rejects(confirmDiscount(world.db, token), new Problem('not_found'));
  assert.deepEqual(await queued(draft), [letter], 'once for each calculation, whatever is typed');
  await draft.type('rich@example.org');
  await assert.rejects(confirmDiscount(world.db, `${token}x`), new Problem('not_found'));
  await advanceClock(world.db, 31 * 60_000);
  await assert.rejects(confirmDiscount(world.db, token), new Problem('calculation_expired'));
});

test('the button also adds a coupon bound to the address, if the calculation has none', async () => {
  const none = { startsAt: undefined, endsAt: undefined, directions: undefined, value: undefined, min: 0n, isFirstOnly: false };
  const coupon = { ...none, kind: 'percent', count: 1, percent: '20', uses: 1, perCustomer: 1, max: 9_000_000n } as const;
  const emailKey = 'bound@example.org';
  await alone(world.db, async ({ tx }) => {
    await makeCoupons(
      tx,
      { ...coupon, code: 'ELSEWHERE', emailKey, directions: ['usdt-erc20-btc'] },
      { by: ['ann'], action: newId() },
    );
    await makeCoupons(tx, { ...coupon, code: 'BOUND', emailKey }, { by: ['ann'], action: newId() });
  });
  await world.price('90000');
  const draft = await begin('Bound@example.org');
  assert.equal((await draft.review()).quote.discount, undefined);
  const [letter] = await queued(draft);
  const token = tokenIn(letter ?? assert.fail());
  assert.deepEqual(await confirmDiscount(world.db, token), { percent: 0, coupon: 'BOUND' });
  assert.deepEqual(
    (await draft.review()).quote.discounts?.map(({ code }) => code),
    ['coupon'],
  );
  const order = await placeOrder(world.deps, draft.known);
  assert.equal(order.view.pinned.coupons?.length, 1);
});

test('an address gets three letters a day, and more the next day', async () => {
  await world.db.run('delete from discount_button');
  const mailed = async (): Promise<number> => {
    const draft = await begin('rich@example.org');
    return (await queued(draft)).length;
  };
  assert.deepEqual([await mailed(), await mailed(), await mailed(), await mailed()], [1, 1, 1, 0]);
  await advanceClock(world.db, 24 * 3_600_000 + 1_000);
  await world.price('90000');
  assert.equal(await mailed(), 1);
});

test('the review says that discounts are mailed if the desk has some, equally for every address', async () => {
  const says = async (email: string): Promise<boolean> => (await (await begin(email)).review()).mails_discounts;
  const set = async (key: string, value: unknown): Promise<void> => {
    await world.db.tx((tx) => putSetting(tx, key, value, 'test'));
    await settings.refresh();
  };
  assert.deepEqual([await says('poor@example.org'), await says('rich@example.org')], [true, true]);
  await set('coupons.loyalty', []);
  assert.equal(await says('poor@example.org'), true, 'an address has a coupon');
  await world.db.run(`update coupon set state = 'stopped' where email_key is not null`);
  assert.deepEqual([await says('poor@example.org'), await says('rich@example.org')], [false, false]);
  await set('coupons.loyalty', [{ usd: '500', percent: 5 }]);
  await set('coupons.button_day', 0);
  assert.equal(await says('rich@example.org'), false, 'nothing is mailed');
});
