// Rows of affiliates, bindings and campaigns that SQL changed give no share, no discount, no customer and no postback.

import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { newHolder } from '../auth/testing.ts';
import { type Db } from '../platform/index.ts';
import { type TestDb, testDb } from '../platform/testing.ts';
import { maxSplit, shareOf, usualAffiliate } from './affiliate.ts';
import { findAffiliate, findAffiliates, lockAffiliates, saveLevels, saveTerms } from './affiliate-store.ts';
import { type Bound, bindAll, boundTo, tiesOfHolders } from './binding.ts';
import { campaignOf, campaignsReported, storeCampaign } from './campaigns.ts';

let own: TestDb;
let db: Db;
/** A customer, the affiliate who referred them, and another one who wants them. */
let [cat, ann, eve] = ['', '', ''];
before(async () => {
  own = await testDb();
  ({ db } = own);
});
after(() => own.drop());
beforeEach(async () => {
  [cat, ann, eve] = [await holder(), await holder(), await holder()];
});

const holder = (): Promise<string> => newHolder(db);

/** Terms that SQL gives to an affiliate, for whom people have decided 35 %. `$1`: the affiliate; `$2`: another one. */
const TERMS: Readonly<Record<string, string>> = {
  share: 'share = 49',
  'most split': 'max_split = 90',
  level: 'level = 3',
  'no suspension': 'suspended_at = null',
  'what is owed': 'owed = 9',
  'the MAC of another affiliate': 'mac = (select mac from affiliate where holder_id = $2), share = 49, suspended_at = null',
  'the row of another affiliate':
    '(share, max_split, level, owed, suspended_at, statements, mac) = (select share, max_split, level, owed, suspended_at, statements, mac from affiliate where holder_id = $2)',
  'no MAC': 'mac = null',
};

for (const [what, change] of Object.entries(TERMS)) {
  test(`an affiliate whose row was changed by SQL has the usual terms and is suspended: ${what}`, async () => {
    await db.tx((tx) => saveTerms(tx, eve, { share: 49, maxSplit: 90 }));
    await db.tx((tx) => saveTerms(tx, ann, { share: 35, maxSplit: 50, isSuspended: true }));
    await db.run(`update affiliate set ${change} where holder_id = $1 and $2::uuid is not null`, [ann, eve]);
    const usual = usualAffiliate(ann);
    for (const found of [
      await findAffiliate(db, ann),
      (await findAffiliates(db, [ann])).get(ann),
      (await db.tx((tx) => lockAffiliates(tx, [ann]))).get(ann),
    ]) {
      assert.ok(found?.isAltered && found.suspendedAt, what);
      assert.deepEqual([shareOf(found), maxSplit(found)], [shareOf(usual), maxSplit(usual)]);
    }
    // Neither the ladder nor later writes make the row's MAC valid.
    await db.tx((tx) => saveLevels(tx, new Map([[ann, 2]])));
    assert.ok((await findAffiliate(db, ann)).isAltered);
  });
}

const bound = async (): Promise<string | undefined> => {
  const customer = { email: undefined, holderId: cat, hadOrdered: async () => false, isKnown: async () => false };
  const [ties] = await tiesOfHolders(db, [{ id: cat }]);
  const [one, other] = [await boundTo(db, { ...customer, ties }, await db.now()), await boundTo(db, customer, await db.now())];
  assert.deepEqual(one, other);
  return one?.affiliate;
};
const bind = async (more: Partial<Bound> = {}, who = cat): Promise<void> =>
  db.tx((tx) =>
    bindAll(tx, [
      { affiliate: ann, campaign: 'blog', sub: '', since: tx.now, hadOrdered: false, ...more, who: { holderId: who } },
    ]),
  );

/** Changes of a customer's binding. `$1`: the customer; `$2`: the affiliate who wants them. */
const BINDINGS: Readonly<Record<string, string>> = {
  affiliate: 'affiliate = $2',
  campaign: `campaign = 'other'`,
  'that it is for good': 'until = null',
  'until when it lasts': `until = until + interval '1 day'`,
  'since when': `since = since - interval '1 day'`,
  'that the customer is no new friend': 'had_ordered = not had_ordered',
  'no MAC': 'mac = null',
};

for (const [what, change] of Object.entries(BINDINGS)) {
  test(`a binding that was changed by SQL binds nobody: ${what}`, async () => {
    await bind();
    assert.equal(await bound(), ann);
    await db.run(`update binding set ${change} where customer = 'holder:' || $1::text and $2::uuid is not null`, [cat, eve]);
    assert.equal(await bound(), undefined);
  });
}

test('a binding that is put in, copied from another customer or kept beyond its end binds nobody', async () => {
  const put = `insert into binding (customer, affiliate, campaign, sub, since, until, had_ordered, mac)`;
  await db.run(`${put} values ('holder:' || $1::text, $2, '', '', clock_now(), null, false, null)`, [cat, eve]);
  assert.equal(await bound(), undefined);
  await db.run('delete from binding');
  const other = await holder();
  await bind({ affiliate: eve }, other);
  await db.run(
    `${put} select 'holder:' || $1::text, affiliate, campaign, sub, since, until, had_ordered, mac from binding
     where customer = 'holder:' || $2::text`,
    [cat, other],
  );
  assert.equal(await bound(), undefined);
});

test('a campaign whose row was changed or put in by SQL gives friends nothing and is told nowhere', async () => {
  const store = { name: 'blog', split: 10, postback: 'https://ann.example/', maxSplit: 50 };
  const of = { holderId: ann, campaign: 'blog' };
  const changes = ['split = 50', `postback = 'https://eve.example/'`, `made_at = made_at - interval '1 day'`, 'mac = null'];
  for (const change of [...changes, `changed_at = changed_at - interval '2 days'`]) {
    await db.run('delete from affiliate_campaign');
    await db.tx((tx) => storeCampaign(tx, ann, store));
    assert.equal((await campaignsReported(db, [of])).length, 1);
    await db.run(`update affiliate_campaign set ${change}`);
    const { split, postback } = (await campaignOf(db, of)) ?? assert.fail(change);
    assert.deepEqual([split, postback], [0, undefined], change);
    assert.deepEqual(await campaignsReported(db, [of]), [], change);
  }
  await db.run('delete from affiliate_campaign');
  await db.tx((tx) => storeCampaign(tx, eve, { ...store, postback: 'https://eve.example/' }));
  await db.run('update affiliate_campaign set holder_id = $1', [ann]);
  assert.deepEqual(await campaignsReported(db, [of]), [], 'moved to another affiliate');
});
