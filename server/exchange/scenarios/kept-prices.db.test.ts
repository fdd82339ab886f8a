// Prices as they were kept before they were components: an offer, and what was bought back.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { type PriceTerms, money, percent, breakdownForGive } from '@kurs/money';
import { toExactJson } from '../order/store/exact-json.ts';
import { promisedOf } from '../order/money/breakdown.ts';
import { type World, openWorld } from './world.testing.ts';

const MIGRATION = new URL('../../migrations/0149_exchange_price_components.sql', import.meta.url);

let world: World;
before(async () => {
  world = await openWorld();
});
after(() => world.close());

/** A price as it was kept, with its fee, discounts and costs apart. */
function keptBefore(give: ReturnType<typeof money>, terms: PriceTerms): object {
  const { components, ...rest } = breakdownForGive(give, terms);
  const linesOf = (wanted: string) =>
    components.filter(({ kind }) => kind === wanted).map(({ code, amount }) => ({ code, amount: money(give.unit, amount) }));
  const [fee] = linesOf('fee');
  const apart = { list: fee?.amount, listPercent: terms.spread[0]?.percent, cuts: linesOf('discount'), costs: linesOf('cost') };
  return { ...rest, ...apart };
}

test('an offer and a buy-back from before are read as the components that their terms make', async () => {
  const order = await world.place();
  const { view } = order;
  const { unit, parts } = view.give;
  const give = money(unit, parts);
  const placed = view.pinned.terms ?? assert.fail('no terms');
  const named = { code: 'insurance', fixed: money(unit, 70n) };
  const discounted: PriceTerms = {
    ...placed,
    spread: [{ from: money(unit, 0n), percent: percent('1.25') }],
    costs: [
      ...placed.costs,
      named,
      { code: 'payout', of: 'got', percent: percent('2') },
      { code: 'none', fixed: money(unit, 0n) },
    ],
    cuts: [{ code: 'jubilee', percent: percent('20') }],
  };
  const least: PriceTerms = { ...placed, minList: money(unit, parts / 10n), costs: [] };
  const old = (terms: PriceTerms) => ({ slip: keptBefore(give, terms), terms, version: '7' });
  const offer = { ...old(discounted), number: 1, choice: 'continue', parts: 5n, madeAt: new Date(0) };
  const boughtBack = { exchange: promisedOf(view), price: old(least), parts: 7n };
  await world.owner.tx(async (tx) => {
    await tx.run(`update customer_order set body = jsonb_set(body, '{facts}', body->'facts' || $2::jsonb) where id = $1`, [
      view.id,
      toExactJson({ offer, boughtBack }),
    ]);
    for (const statement of readFileSync(MIGRATION, 'utf8').split(/;\n\n/)) await tx.run(statement);
  });
  const { facts } = (await world.order(order)).view;
  assert.deepEqual(facts.offer, { ...offer, slip: breakdownForGive(give, discounted) });
  assert.deepEqual(facts.boughtBack, { ...boughtBack, price: { ...boughtBack.price, slip: breakdownForGive(give, least) } });
});
