// Checks on everything that leaves a wallet, by every way: nothing passes that is frozen, unconfirmed, unlisted or above the
// limits.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { writeHolderMacs } from '../../auth/testing.ts';
import { type WalletWorld, as, emailOf, walletWorld } from './world.testing.ts';
import { parse } from '@kurs/money';
import { accounts, leg, post } from '../../ledger/index.ts';
import { newId } from '../../platform/index.ts';
import { refusal } from '../../platform/testing.ts';
import { saveTerms } from '../../referrals/index.ts';
import { forgetInTransfers } from '../transfer-store.ts';
import { decideWithdrawal } from '../withdrawals/withdraw.ts';

let world: WalletWorld;
let receiver: string;
before(async () => {
  world = await walletWorld();
  receiver = emailOf(await world.holder());
});
after(() => world.close());

interface Codes {
  readonly otp?: string;
  readonly two_factor_code?: string;
}
/** A way out of a wallet: the subject to confirm, and the action with its codes. */
interface Way {
  confirmation(holder: string, btc: string): Promise<string | undefined>;
  action(holder: string, btc: string, codes: Codes): Promise<unknown>;
  /** Returns the remaining balance of its source. */
  left?(holder: string): Promise<bigint>;
}

/** Every way by which money leaves a wallet. */
const WAYS: Record<string, () => Way> = {
  withdrawal: () => {
    const to = world.address();
    const request = (amount: string) => ({ currency: 'BTC', rail: 'bitcoin', amount, to });
    return {
      confirmation: async (holder, btc) => (await world.handlers.walletWithdrawQuote(request(btc), as(holder))).confirmation,
      action: async (holder, btc, codes) => world.handlers.walletWithdrawRequest({ ...request(btc), ...codes }, as(holder)),
    };
  },
  transfer: () => ({
    confirmation: async (holder, amount) =>
      (await world.handlers.walletConfirmation({ action: 'transfer', currency: 'BTC', amount, email: receiver }, as(holder)))
        .confirmation,
    action: async (holder, amount, codes) =>
      world.handlers.walletTransfer({ currency: 'BTC', amount, to: receiver, ...codes }, as(holder)),
  }),
  earnings: () => {
    const [to, currency] = [world.address(), 'BTC'];
    const request = { currency, rail: 'bitcoin', to, source: 'affiliate' as const };
    return {
      confirmation: async (holder, amount) =>
        (await world.handlers.walletWithdrawQuote({ ...request, amount }, as(holder))).confirmation,
      action: async (holder, amount, codes) => world.handlers.userWithdrawStore({ currency, amount, to, ...codes }, as(holder)),
      left: (holder) => world.desk.balance(accounts.affiliateAvailable(holder, 'BTC')),
    };
  },
};

/** Makes a holder with a sum in their wallet, who has earned the same sum as an affiliate. */
async function holderWith(btc: string, level?: number): Promise<string> {
  const id = await world.holder(btc, level);
  await earn(id, parse('BTC', btc).parts);
  return id;
}
/** Posts a reward from the funded pot, already matured. */
async function earn(id: string, parts: bigint): Promise<void> {
  const pot = accounts.promo('affiliate', 'BTC');
  const [pending, available] = [accounts.affiliatePending(id, 'BTC'), accounts.affiliateAvailable(id, 'BTC')];
  const steps = [
    ['capital_in', leg(accounts.custody('BTC', 'hot', 'BTC'), accounts.deskFree('BTC'), parts)],
    ['promo_funded', leg(accounts.deskFree('BTC'), pot, parts)],
    ['reward', leg(pot, pending, parts)],
    ['reward_matured', leg(pending, available, parts)],
  ] as const;
  for (const [kind, one] of steps) await world.desk.db.tx((tx) => post(tx, [{ id: newId(), kind, cause: newId(), legs: [one] }]));
}
const leftOf = (way: Way, holder: string): Promise<bigint> => (way.left ?? world.available)(holder);

for (const [name, open] of Object.entries(WAYS)) {
  describe(name, () => {
    const confirmed = async (way: Way, holder: string, btc: string): Promise<Codes> => ({
      otp: await world.code(holder, await way.confirmation(holder, btc)),
    });

    test('moves once with its confirmation', async () => {
      const [way, ann] = [open(), await holderWith('0.01')];
      const codes = await confirmed(way, ann, '0.001');
      assert.equal(await refusal(() => way.action(ann, '0.001', codes)), 'done');
      assert.equal(await refusal(() => way.action(ann, '0.001', codes)), 'code_expired', 'a code is good once');
      assert.equal(await leftOf(way, ann), 900_000n);
    });

    test('nothing moves without a code, with a wrong one, or with one for another sum or action', async () => {
      const [way, ann] = [open(), await holderWith('0.01')];
      assert.equal(await refusal(() => way.action(ann, '0.001', {})), 'code_required');
      const { otp = '' } = await confirmed(way, ann, '0.001');
      const other = otp === '000000' ? '000001' : '000000';
      assert.equal(await refusal(() => way.action(ann, '0.001', { otp: other })), 'code_wrong');
      assert.equal(await refusal(() => way.action(ann, '0.002', { otp })), 'code_expired');
      const { confirmation } = await world.handlers.walletConfirmation({ action: 'allow_list' }, as(ann));
      const forList = await world.code(ann, confirmation);
      assert.notEqual(await refusal(() => way.action(ann, '0.003', { otp: forList })), 'done');
      const plain = await world.code(ann, undefined);
      assert.notEqual(await refusal(() => way.action(ann, '0.003', { otp: plain })), 'done');
      assert.equal(await leftOf(way, ann), 1_000_000n);
    });

    test('nothing moves while the account is frozen, and the refusal states the end', async () => {
      const [way, ann] = [open(), await holderWith('0.01')];
      const codes = await confirmed(way, ann, '0.001');
      await world.desk.db.run(
        `update account_holder set frozen_until = clock_now() + interval '3 days', frozen_because = 'password_reset' where id = $1`,
        [ann],
      );
      await writeHolderMacs(world.desk.db);
      assert.equal(await refusal(() => way.action(ann, '0.001', codes)), 'withdrawals_frozen');
      assert.equal(await leftOf(way, ann), 1_000_000n);
    });

    test('nothing moves once a column of the account was changed by SQL, until it is put back', async () => {
      const [way, ann] = [open(), await holderWith('0.01')];
      const codes = await confirmed(way, ann, '0.001');
      const { db } = world.desk;
      const before = await db.row<{ at: Date | null }>('select email_verified_at as at from account_holder where id = $1', [ann]);
      await db.run(`update account_holder set email_verified_at = clock_now() + interval '1 second' where id = $1`, [ann]);
      assert.equal(await refusal(() => way.action(ann, '0.001', codes)), 'record_altered');
      assert.equal(await leftOf(way, ann), 1_000_000n);
      await db.run('update account_holder set email_verified_at = $2 where id = $1', [ann, before?.at]);
      assert.equal(await refusal(() => way.action(ann, '0.001', codes)), 'done');
    });

    test('nothing moves while the wallet owes for a reversed deposit; a debt in another unit doesn’t matter', async () => {
      const [way, ann] = [open(), await holderWith('0.01')];
      const codes = await confirmed(way, ann, '0.001');
      const owe = (unit: 'BTC' | 'USDT', parts: bigint) => {
        const legs = [leg(accounts.receivable(ann, unit), accounts.owedRail('bitcoin', unit), parts)];
        return world.desk.db.tx((tx) => post(tx, [{ id: newId(), kind: 'deposit_reversed', cause: newId(), legs }]));
      };
      await owe('USDT', 5n);
      await owe('BTC', 40_000n);
      assert.equal(await refusal(() => way.action(ann, '0.001', codes)), 'debt_open');
      const paid = [leg(accounts.wallet(ann, 'BTC'), accounts.receivable(ann, 'BTC'), 40_000n)];
      await world.desk.db.tx((tx) => post(tx, [{ id: newId(), kind: 'deposit_reversed', cause: newId(), legs: paid }]));
      assert.equal(await refusal(() => way.action(ann, '0.001', codes)), 'done', 'the code was not used up');
    });

    test('nothing moves to targets outside the allow-list; switched off, the list applies for another day', async () => {
      const [way, ann] = [open(), await holderWith('0.01')];
      const codes = await confirmed(way, ann, '0.001');
      await world.handlers.walletAllowList({ on: true }, as(ann));
      assert.equal(await refusal(() => way.action(ann, '0.001', codes)), 'address_not_listed');
      assert.equal(await refusal(async () => world.handlers.walletAllowList({ on: false }, as(ann))), 'code_required');
      const { confirmation } = await world.handlers.walletConfirmation({ action: 'allow_list' }, as(ann));
      const book = await world.handlers.walletAllowList({ on: false, otp: await world.code(ann, confirmation) }, as(ann));
      assert.ok(book.allow_list && book.allow_list_until !== null);
      assert.equal(await refusal(() => way.action(ann, '0.001', codes)), 'address_not_listed');
      await world.desk.pass(25 * 3_600_000);
      const later = await confirmed(way, ann, '0.001');
      assert.equal(await refusal(() => way.action(ann, '0.001', later)), 'done');
    });

    test('its worth counts towards the limits of its holder’s level', async () => {
      const [way, ann] = [open(), await holderWith('1', 1)];
      assert.equal(await refusal(async () => way.action(ann, '0.029', await confirmed(way, ann, '0.029'))), 'done');
      for (const [other, made] of Object.entries(WAYS)) {
        const next = made();
        const reported = await refusal(async () => next.action(ann, '0.025', await confirmed(next, ann, '0.025')));
        assert.equal(reported, 'amount_above_limit', `${name}, then ${other}: 2 900 and 2 500 USD of 5 000 a day`);
      }
    });
  });
}

test('of concurrent withdrawals of rewards exactly one passes; it is listed, and a failed one returns to the rewards', async () => {
  const ann = await holderWith('0.001');
  const way = WAYS['earnings']?.() as Way;
  const left = () => leftOf(way, ann);
  const otps = [];
  for (const amount of ['0.0008', '0.0007', '0.0006'])
    otps.push([amount, { otp: await world.code(ann, await way.confirmation(ann, amount)) }] as const);
  const reported = await Promise.all(otps.map(([amount, codes]) => refusal(() => way.action(ann, amount, codes))));
  assert.deepEqual(reported.toSorted(), ['done', 'not_enough_money', 'not_enough_money']);
  assert.equal(await world.available(ann), 100_000n, 'the wallet is as it was');
  const [one] = (await world.handlers.userWithdrawals({ page: 1, per_page: 20 }, as(ann))).data;
  assert.deepEqual([one?.source, one?.status, one?.by], ['affiliate', 'queued', 'BTC']);
  await world.handlers.walletWithdrawCancel({ id: one?.id ?? '' }, as(ann));
  assert.equal(await left(), 100_000n);
  const bob = await world.holder('0.01');
  assert.equal(await refusal(() => way.action(bob, '0.001', { otp: '000000' })), 'not_enough_money', 'nothing earned');
  assert.equal(
    await refusal(async () => world.handlers.userWithdrawStore({ currency: 'NOPE', amount: '1', to: {} }, as(bob))),
    'currency_unknown',
  );
  const other = await holderWith('0.01');
  const request = { currency: 'BTC', rail: 'bitcoin', amount: '0.001', to: world.address() };
  const otp = await world.code(
    other,
    (await world.handlers.walletWithdrawQuote({ ...request, source: 'wallet' }, as(other))).confirmation,
  );
  assert.equal(
    await refusal(async () => world.handlers.userWithdrawStore({ ...request, otp }, as(other))),
    'code_expired',
    'a code for a wallet',
  );
  await world.isRight();
});

test('earlier withdrawals of a suspended affiliate don’t leave, approved or not, until the suspension ends', async () => {
  const ann = await holderWith('0.1');
  const way = WAYS['earnings']?.() as Way;
  for (const amount of ['0.001', '0.01'])
    await way.action(ann, amount, { otp: await world.code(ann, await way.confirmation(ann, amount)) });
  const listed = async () => (await world.handlers.userWithdrawals({ page: 1, per_page: 20 }, as(ann))).data;
  const suspend = (isSuspended: boolean) => world.desk.db.tx((tx) => saveTerms(tx, ann, { isSuspended }));
  assert.deepEqual((await listed()).map(({ status }) => status).toSorted(), ['approving', 'queued']);
  await suspend(true);
  for (let turns = 0; turns < 2; turns += 1) {
    await world.desk.turn();
    await world.report();
  }
  assert.deepEqual((await listed()).map(({ status, why = 'as before' }) => `${status} ${why}`).toSorted(), [
    'approving affiliate_suspended',
    'approving as before',
  ]);
  const approve = async ({ id }: { readonly id: string }) =>
    refusal(() =>
      world.desk.db.tx((tx) => decideWithdrawal(tx, 'Kurs', { id, action: 'approve', reason: 'looked at', by: ['olga'] })),
    );
  for (const one of await listed()) assert.equal(await approve(one), 'affiliate_suspended');
  await suspend(false);
  for (const one of await listed()) assert.equal(await approve(one), 'done');
  await world.settle();
  assert.deepEqual(
    (await listed()).map(({ status }) => status),
    ['done', 'done'],
  );
  await world.isRight();
});

test('a code for a withdrawal to one address is invalid for another', async () => {
  const [ann, to, other] = [await world.holder('0.01'), world.address(), world.address()];
  const request = { currency: 'BTC', rail: 'bitcoin', amount: '0.001', to };
  const otp = await world.code(ann, (await world.handlers.walletWithdrawQuote(request, as(ann))).confirmation);
  const ask = (more: object) => refusal(async () => world.handlers.walletWithdrawRequest({ ...request, otp, ...more }, as(ann)));
  assert.equal(await ask({ to: other }), 'code_expired');
  assert.equal(await world.available(ann), 1_000_000n);
  assert.equal(await ask({}), 'done');
});

test('another holder’s address book doesn’t count, and a new label doesn’t change an address’s age', async () => {
  const [ann, bob, to] = [await world.holder('0.01'), await world.holder(), world.address()];
  const entry = { currency: 'BTC', rail: 'bitcoin', to, label: 'Cold' };
  const write = async (who: string, more: object = {}) => {
    const { confirmation } = await world.handlers.walletConfirmation({ action: 'address', ...entry }, as(who));
    await world.desk.pass(61_000);
    return world.handlers.walletAddressStore({ ...entry, ...more, otp: await world.code(who, confirmation) }, as(who));
  };
  await write(bob);
  await world.desk.pass(25 * 3_600_000);
  await world.handlers.walletAllowList({ on: true }, as(ann));
  assert.equal(await refusal(() => world.withdraw(ann, '0.001', to)), 'address_not_listed');
  await write(ann);
  const renamed = await write(ann, { label: 'Colder' });
  assert.deepEqual(
    renamed.addresses.map(({ label, usable }) => [label, usable]),
    [['Colder', false]],
  );
  assert.equal(await refusal(() => world.withdraw(ann, '0.001', to)), 'address_too_new');
});

test('money goes to a new address of the book after a day', async () => {
  const [ann, to] = [await world.holder('0.01'), world.address()];
  const entry = { currency: 'BTC', rail: 'bitcoin', to, label: 'Cold' };
  assert.equal(await refusal(async () => world.handlers.walletAddressStore(entry, as(ann))), 'code_required');
  const { confirmation } = await world.handlers.walletConfirmation({ action: 'address', ...entry }, as(ann));
  const book = await world.handlers.walletAddressStore({ ...entry, otp: await world.code(ann, confirmation) }, as(ann));
  assert.deepEqual([book.addresses[0]?.label, book.addresses[0]?.usable], ['Cold', false]);
  await world.handlers.walletAllowList({ on: true }, as(ann));
  assert.equal(await refusal(() => world.withdraw(ann, '0.001', to)), 'address_too_new');
  await world.desk.pass(25 * 3_600_000);
  assert.equal(await refusal(() => world.withdraw(ann, '0.001', to)), 'done');
  const bob = await world.holder();
  const { id = '' } = book.addresses[0] ?? {};
  assert.equal(await refusal(async () => world.handlers.walletAddressRemove({ id }, as(bob))), 'not_found');
  assert.deepEqual((await world.handlers.walletAddresses({}, as(bob))).addresses, []);
});

test('transfers go to a new person of the book after a day, even if their address changes', async () => {
  const [ann, bob, eve] = [await world.holder('0.01'), await world.holder(), await world.holder()];
  const entry = { email: emailOf(bob), label: 'Bob' };
  const confirmed = async (email: string) => {
    const { confirmation } = await world.handlers.walletConfirmation({ action: 'person', email }, as(ann));
    return world.code(ann, confirmation);
  };
  const write = (given: object) => refusal(async () => world.handlers.walletPersonStore({ ...entry, ...given }, as(ann)));
  assert.equal(await write({}), 'code_required');
  assert.equal(await write({ otp: await confirmed(emailOf(eve)) }), 'code_expired', 'a code for somebody else');
  assert.equal(await write({ email: emailOf(ann), otp: await confirmed(emailOf(ann)) }), 'own_wallet');
  assert.equal(await write({ email: 'no@example.org', otp: await confirmed('no@example.org') }), 'no_such_holder');
  const book = await world.handlers.walletPersonStore({ ...entry, otp: await confirmed(entry.email) }, as(ann));
  assert.deepEqual(
    book.addresses.map(({ kind, to, label, currency, usable }) => [kind, to, label, currency, usable]),
    [['person', { email: emailOf(bob) }, 'Bob', '', false]],
  );
  await world.handlers.walletAllowList({ on: true }, as(ann));
  assert.equal(await refusal(() => world.transfer(ann, '0.001', emailOf(bob))), 'address_too_new');
  await world.desk.pass(25 * 3_600_000);
  await world.transfer(ann, '0.001', emailOf(bob));
  assert.equal(await refusal(() => world.transfer(ann, '0.001', emailOf(eve))), 'address_not_listed');
  // Bob's account gets a new address, and Eve's account takes the old one.
  await world.desk.db.run(`update account_holder set email = 'bob2@x.org', email_key = 'bob2@x.org' where id = $1`, [bob]);
  await writeHolderMacs(world.desk.db);
  await world.desk.db.run('update account_holder set email = $2, email_key = $2 where id = $1', [eve, emailOf(bob)]);
  await writeHolderMacs(world.desk.db);
  assert.equal(await refusal(() => world.transfer(ann, '0.001', emailOf(bob))), 'address_not_listed');
  await world.transfer(ann, '0.001', 'bob2@x.org');
  assert.equal(await world.available(bob), 200_000n);
});

test('an address written by SQL into another account’s row receives nothing and is not added to a book', async () => {
  const [ann, bob, eve] = [await world.holder('0.01'), await world.holder(), await world.holder()];
  const { db } = world.desk;
  await db.run(`update account_holder set email = 'gone@x.org', email_key = 'gone@x.org' where id = $1`, [bob]);
  await writeHolderMacs(db);
  await db.run('update account_holder set email = $2, email_key = $2 where id = $1', [eve, emailOf(bob)]);
  assert.equal(await refusal(() => world.transfer(ann, '0.001', emailOf(bob))), 'record_altered');
  assert.deepEqual([await world.available(ann), await world.available(eve)], [1_000_000n, 0n]);
});

test('the sender of a transfer sees the typed address, the receiver a name and a masked address', async () => {
  const [ann, bob] = [await world.holder('0.01'), await world.holder()];
  await world.desk.db.run(`update account_holder set name = 'Ann' where id = $1`, [ann]);
  await writeHolderMacs(world.desk.db);
  await world.transfer(ann, '0.001', emailOf(bob).toUpperCase());
  const person = async (id: string) => (await world.handlers.userTransactions({ page: 1, per_page: 20 }, as(id))).data[0]?.person;
  assert.equal(await person(ann), emailOf(bob).toUpperCase());
  assert.equal(await person(bob), `Ann (${ann[0]}•••@example.org)`);
  const found = await world.handlers.userTransactions({ page: 1, per_page: 20, q: 'ann (' }, as(bob));
  assert.equal(found.meta.total, 1);
  await world.desk.db.tx((tx) => forgetInTransfers(tx, ann));
  assert.deepEqual([await person(bob), await person(ann)], [undefined, emailOf(bob).toUpperCase()]);
});

test('a transfer arrives at once; transfers to oneself, to nobody or of nothing are refused', async () => {
  const [ann, bob] = [await world.holder('0.01'), await world.holder()];
  await world.transfer(ann, '0.004', emailOf(bob));
  assert.deepEqual([await world.available(ann), await world.available(bob)], [600_000n, 400_000n]);
  assert.equal(await refusal(() => world.transfer(ann, '0.001', emailOf(ann))), 'own_wallet');
  const [sum, nobody] = [{ currency: 'BTC', amount: '0.001' }, 'nobody@example.org'];
  const { confirmation } = await world.handlers.walletConfirmation({ action: 'transfer', ...sum, email: nobody }, as(ann));
  const otp = await world.code(ann, confirmation);
  const ask = () => refusal(async () => world.handlers.walletTransfer({ ...sum, to: nobody, otp }, as(ann)));
  assert.deepEqual([await ask(), await ask()], ['no_such_holder', 'code_expired'], 'one code asks after one address');
  assert.equal(await refusal(() => world.transfer(ann, '0', emailOf(bob))), 'amount_format');
  assert.equal(await refusal(() => world.transfer(ann, '0.0061', emailOf(bob))), 'not_enough_money');
  await world.isRight();
});
