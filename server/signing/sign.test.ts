import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import type { ApprovedPayout, SignRequest, SigningRail } from '../rails/index.ts';
import { openJournal } from './journal.ts';
import { answer } from './sign.ts';

const folder = mkdtempSync(join(tmpdir(), 'kurs-sign-'));
const journal = openJournal(join(folder, 'signed.jsonl'));
after(() => {
  journal.close();
  rmSync(folder, { recursive: true });
});

/** Its chain's answer about earlier transactions; undefined: it doesn't answer. */
let over: boolean | undefined = false;
/** A chain whose transactions expire and exclude no others. */
const rail: SigningRail = {
  id: 'chain',
  maxFee: 10n,
  read: ({ unsigned }) => ({
    outputs: [{ currency: 'COIN', to: 'alice', parts: 100n }],
    spends: [unsigned],
    fee: { currency: 'COIN', parts: 1n },
  }),
  account: (_currency, fields) => fields['address'],
  isOver: async () => {
    if (over === undefined) throw new Error('no answer');
    return over;
  },
  sign: ({ unsigned }) => ({ raw: `signed ${unsigned}`, txid: unsigned }),
};
const payout = (id: string): ApprovedPayout => ({
  id,
  rail: 'chain',
  currency: 'COIN',
  to: { address: 'alice' },
  parts: 100n,
  status: 'preparing',
});
const sign = async (unsigned: string, id: string, by = journal): Promise<string> => {
  const request: SignRequest = { rail: 'chain', unsigned, payouts: [id], purpose: 'payout' };
  const said = await answer(
    {
      rails: new Map([['chain', rail]]),
      journal: by,
      caps: new Map([['COIN', 10_000n]]),
      payouts: async (ids) => new Map(ids.map((one) => [one, payout(one)])),
      now: () => new Date('2026-01-01T00:00:00Z'),
    },
    request,
  );
  return said.ok ? said.raw : (said.reason.split(':')[0] as string);
};

test('where sends end by themselves, a payout is signed anew only once its chain says that each earlier one is over', async () => {
  assert.equal(await sign('one', 'A'), 'signed one');
  assert.equal(await sign('one', 'A'), 'signed one', 'the same bytes');
  assert.equal(await sign('two', 'A'), 'signed_before');
  over = undefined;
  assert.equal(await sign('two', 'A'), 'unavailable', 'no answer is no proof');
  over = true;
  assert.equal(await sign('two', 'A'), 'signed two');
  over = false;
  assert.equal(await sign('three', 'A'), 'signed_before', 'and the later one counts as the first did');
  assert.equal(await sign('two', 'B'), 'spend_taken', 'nor are its bytes another payout’s');
});

test('what the journal can’t hold is not answered as signed', async () => {
  const append = (): never => {
    throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
  };
  assert.equal(await sign('unwritten', 'W', { ...journal, append }), 'unavailable');
  assert.equal(await sign('unwritten', 'W'), 'signed unwritten', 'once there is room');
});
