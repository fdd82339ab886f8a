// References and their results: the affiliate of a link, clicks of people, once each, campaigns, daily results.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Problem, routes } from '@kurs/contract';
import { readReference } from '@kurs/contract/reference';
import { writeHolderMacs } from '../auth/testing.ts';
import { nameReferrer } from '../auth/index.ts';
import { type Db, advanceClock, newId } from '../platform/index.ts';
import { testDb } from '../platform/testing.ts';
import { campaignsOf, forgetCampaigns, storeCampaign } from './campaigns.ts';
import { forgetClicks, openClicks } from './clicks.ts';
import { findSender } from './reference.ts';
import { countSignUp } from './sign-ups.ts';
import { countDays, statisticsOf, statisticsRows } from './statistics.ts';

const DAY_MS = 86_400_000;
let db: Db;
let owner: Db;
let drop: () => Promise<void>;
before(async () => {
  ({ db, owner, drop } = await testDb());
});
after(() => drop());

async function affiliate(): Promise<{ id: string; code: string }> {
  const id = newId();
  await db.run(`insert into account_holder (id, email, email_key, locale, created_at) values ($1, $2, $2, 'en', clock_now())`, [
    id,
    `${id}@example.org`,
  ]);
  await writeHolderMacs(db);
  const row = await db.row<{ code: string }>('select referral_code as code from account_holder where id = $1', [id]);
  assert.ok(row);
  return { id, code: row.code };
}
const store = (holderId: string, name: string, split = 0, postback?: string) =>
  db.tx((tx) => storeCampaign(tx, holderId, { name, split, postback, maxSplit: 50 }));
const refused =
  (code: string, field?: string) =>
  (error: unknown): boolean =>
    error instanceof Problem && error.code === code && (field === undefined || field in (error.details.errors ?? {}));

const BROWSER = {
  'sec-fetch-dest': 'document',
  'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
};

/** Opens links, by device, and returns their counts. */
async function click(
  ...opened: (readonly [ref: string, device: string, headers?: Record<string, string>])[]
): Promise<boolean[]> {
  const clicks = openClicks(db);
  const known = [];
  for (const [ref, device, headers = BROWSER] of opened) {
    const reference = readReference(ref);
    assert.ok(reference);
    known.push(await clicks.open(reference, { method: 'GET', headers, device: () => device, network: () => '203.0.113.7' }));
  }
  await clicks.stop();
  return known;
}
const clicksOf = async (holderId: string): Promise<Record<string, number>> => {
  const { days } = await statisticsOf(db, holderId, {}, await db.now());
  return Object.fromEntries(days.map(({ day, campaign, clicks }) => [`${day.slice(8)} ${campaign}`, clicks]));
};
const dayNow = async (): Promise<string> => (await db.now()).toISOString().slice(8, 10);

test('a reference is an account’s code or its alias in any case, with a campaign that there is', async () => {
  const { id, code } = await affiliate();
  await store(id, 'blog');
  await db.tx((tx) => nameReferrer(tx, id, 'bestrates'));
  const [plain, blog] = [
    { holderId: id, campaign: '' },
    { holderId: id, campaign: 'blog' },
  ];
  for (const [text, sender] of [
    [code, plain],
    [code.toLowerCase(), plain],
    [`${code}.blog`, blog],
    [`${code}.BLOG~1795687200~x`, blog],
    [`${code}.other`, plain],
    [`${code}_`, plain],
    [`_${code}.blog_`, blog],
    [`${code}/?utm=x`, plain],
    ['BestRates', plain],
    ['bestrates.blog', blog],
    ['nobody', undefined],
    ['nobody.blog', undefined],
    ["' or 1=1 --", undefined],
  ] as const)
    assert.deepEqual(await findSender(db, text), sender, text);
  const other = await affiliate();
  assert.equal(await db.tx((tx) => nameReferrer(tx, other.id, 'bestrates')), false, 'taken');
  assert.equal(await db.tx((tx) => nameReferrer(tx, other.id, code.toLowerCase())), false, 'another’s code');
  assert.equal(await db.tx((tx) => nameReferrer(tx, id, undefined)), true);
  assert.equal(await findSender(db, 'bestrates'), undefined);
});

test('people count who open a document: no picture, no frame, nothing that is fetched ahead, no head alone, and no program', async () => {
  const { id, code } = await affiliate();
  const others: Record<string, string>[] = [
    { ...BROWSER, 'sec-fetch-dest': 'image' },
    { ...BROWSER, 'sec-fetch-dest': 'iframe' },
    { ...BROWSER, 'sec-fetch-dest': 'empty' },
    { 'user-agent': BROWSER['user-agent'] },
    { ...BROWSER, 'sec-purpose': 'prefetch' },
    { ...BROWSER, 'sec-purpose': 'prefetch;prerender' },
    { 'sec-fetch-dest': 'document' },
    ...[
      'Googlebot/2.1 (+http://www.google.com/bot.html)',
      'TelegramBot (like TwitterBot)',
      'curl/8.5.0',
      'python-requests/2.32',
    ].map((agent) => ({ ...BROWSER, 'user-agent': agent })),
  ];
  const known = await click(...others.map((headers, at) => [code, `device ${at}`, headers] as const));
  assert.ok(known.every(Boolean), 'each is a link of somebody’s all the same');
  const asking = openClicks(db);
  await asking.open({ code, campaign: '' }, { method: 'HEAD', headers: BROWSER, device: () => 'device', network: () => '' });
  await asking.stop();
  assert.deepEqual(await clicksOf(id), {});
  assert.deepEqual(await click([code, 'a'], ['nobody', 'a']), [true, false]);
  assert.deepEqual(await clicksOf(id), { [`${await dayNow()} `]: 1 });
});

test('a device counts once for a campaign and a day, in whichever process it came', async () => {
  const { id, code } = await affiliate();
  await store(id, 'blog');
  const first = await dayNow();
  await click([code, 'a'], [code, 'a'], [code, 'b'], [`${code}.blog`, 'a']);
  await Promise.all([click([code, 'a'], [`${code}.blog`, 'c']), click([`${code}.blog`, 'c'], [code, 'c'], [code, 'b'])]);
  assert.deepEqual(await clicksOf(id), { [`${first} `]: 3, [`${first} blog`]: 2 });
  await advanceClock(db, DAY_MS);
  const second = await dayNow();
  await click([code, 'a']);
  assert.deepEqual(await clicksOf(id), { [`${second} `]: 1, [`${first} `]: 3, [`${first} blog`]: 2 });
  assert.equal(await forgetClicks(db), 0, 'kept until the day after');
  await advanceClock(db, DAY_MS);
  assert.ok((await forgetClicks(db)) >= 5);
  assert.deepEqual(await clicksOf(id), { [`${second} `]: 1, [`${first} `]: 3, [`${first} blog`]: 2 });
});

test('of one network sixty new devices a minute count, and it stops no other', async () => {
  const { id, code } = await affiliate();
  const clicks = openClicks(db);
  const open = (device: string, network: string) =>
    clicks.open({ code, campaign: '' }, { method: 'GET', headers: BROWSER, device: () => device, network: () => network });
  for (let at = 0; at < 100; at += 1) assert.ok(await open(`device ${at}`, '203.0.113.7'));
  for (let at = 0; at < 5; at += 1) await open(`other ${at}`, '203.0.113.8');
  await clicks.stop();
  assert.deepEqual(Object.values(await clicksOf(id)), [65]);
});

test('a campaign is changed once a day, gives friends at most what may be given, and there are at most 100', async () => {
  const { id } = await affiliate();
  const made = await store(id, 'blog', 20, 'https://a.example/?c={campaign}&s={sub}');
  assert.equal(made.split, 20);
  assert.deepEqual(await store(id, 'blog', 20, 'https://a.example/?c={campaign}&s={sub}'), made, 'the same again');
  await assert.rejects(store(id, 'blog', 30, made.postback), refused('campaign_taken'));
  await assert.rejects(store(id, 'blog', 20), refused('campaign_taken'));
  await advanceClock(db, DAY_MS);
  assert.equal((await store(id, 'blog', 30)).split, 30);
  await assert.rejects(store(id, 'blog', 40), refused('campaign_taken'));
  await assert.rejects(store(id, 'vip', 60), refused('validation', 'split'));
  await db.run(
    `insert into affiliate_campaign (holder_id, name, split, made_at, changed_at)
     select $1, 'n' || n, 0, clock_now(), clock_now() from generate_series(1, 99) n`,
    [id],
  );
  await assert.rejects(store(id, 'one-more'), refused('validation', 'name'));
  await db.tx((tx) => forgetCampaigns(tx, id));
  assert.deepEqual(await campaignsOf(db, id), []);
});

test('days add up what happened, turned round too, and are told for at most 92 days, of all or one campaign', async () => {
  const { id } = await affiliate();
  await store(id, 'blog');
  const at = await db.now();
  const before = new Date(at.getTime() - DAY_MS);
  await db.tx((tx) =>
    countDays(tx, [
      { holderId: id, campaign: 'blog', at, orders: 1, profit: 2_874_400n, reward: 487_920n },
      { holderId: id, campaign: 'blog', at, orders: 1, profit: 1_000_000n, reward: 300_000n },
      { holderId: id, campaign: '', at: before, orders: 1, profit: 5_000_000n, reward: 1_500_000n },
    ]),
  );
  await db.tx((tx) =>
    countDays(tx, [{ holderId: id, campaign: 'blog', at, orders: -1, profit: -1_000_000n, reward: -300_000n }]),
  );
  await db.tx((tx) => countSignUp(tx, { email: 'new@example.org', by: { id, campaign: 'blog' } }));
  await db.tx((tx) => countSignUp(tx, { email: 'new@example.org', by: { id, campaign: 'gone' } }));
  const { total, days } = await statisticsOf(db, id, {}, at);
  assert.deepEqual(total, { clicks: 0, sign_ups: 2, orders: 2, profit: '7.874400', reward: '1.987920' });
  assert.deepEqual(
    days.map(({ campaign, orders, reward }) => [campaign, orders, reward]),
    [
      ['', 0, '0.000000'],
      ['blog', 1, '0.487920'],
      ['', 1, '1.500000'],
    ],
  );
  assert.equal((await statisticsOf(db, id, { campaign: 'blog' }, at)).total.orders, 1);
  const to = before.toISOString().slice(0, 10);
  assert.deepEqual((await statisticsOf(db, id, { to }, at)).total.orders, 1);
  await assert.rejects(statisticsOf(db, id, { from: '2020-01-01', to }, at), refused('validation', 'from'));
  await assert.rejects(statisticsOf(db, id, { from: '2026-02-02', to: '2026-02-01' }, at), refused('validation', 'to'));
  await assert.rejects(statisticsOf(db, id, { from: '2199-01-01' }, at), refused('validation', 'to'));
  for (const { input } of [routes.affiliateStatistics, routes.affiliateExportTicket, routes.partnerStatistics]) {
    const requested = (from: string, until: string) =>
      input.safeParse({ from, to: until }).error?.issues.map(({ path, message }) => [...path, message]);
    assert.deepEqual(requested('2026-02-02', '2026-02-01'), [['to', 'to_before_from']]);
    assert.equal(requested('2026-02-01', '2026-02-01'), undefined);
  }
  const rows = [];
  for await (const group of statisticsRows(db, id, {})) rows.push(...group);
  assert.equal(rows.length, 4);
  assert.deepEqual(rows[2]?.slice(1), ['blog', '0', '1', '1', { amount: '2.874400' }, { amount: '0.487920' }]);
});

test('statistics read the days that they show, however many clicks and days there are', async () => {
  const { id } = await affiliate();
  await owner.run(
    `insert into account_holder (id, email, email_key, locale, created_at)
     select gen_random_uuid(), 'many' || n, 'many' || n, 'en', clock_now() from generate_series(1, 300) n`,
  );
  await writeHolderMacs(owner);
  await owner.run(
    `insert into affiliate_day (holder_id, day, campaign, clicks) select id, '2026-01-01'::date + n, c, 50
     from account_holder, generate_series(1, 60) n, unnest('{"",blog}'::text[]) c where email like 'many%' or id = $1`,
    [id],
  );
  await owner.run('analyze affiliate_day');
  const plans: string[] = [];
  const watched = Object.assign(Object.create(db) as Db, {
    async rows(sql: string, values: unknown[]) {
      const plan = await owner.rows<{ 'QUERY PLAN': string }>(`explain ${sql}`, values);
      plans.push(plan.map((row) => row['QUERY PLAN']).join('\n'));
      return [];
    },
  });
  await statisticsOf(watched, id, { from: '2026-01-01', to: '2026-01-30' }, new Date());
  assert.equal(plans.length, 1);
  assert.match(plans[0] ?? '', /affiliate_day_pkey/);
  assert.doesNotMatch(plans[0] ?? '', /Seq Scan|affiliate_click/);
});
