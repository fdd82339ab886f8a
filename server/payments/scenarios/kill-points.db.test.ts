import assert from 'node:assert/strict';
import { it } from 'node:test';
import { accounts } from '../../ledger/index.ts';
import { type Db, type Statements, type Tx, newId } from '../../platform/index.ts';
import type { Rail } from '../../rails/rail.ts';
import { fundDesk } from '../balances/capital.ts';
import type { PaymentsDeps } from '../rails/deps.ts';
import { postEvents } from '../payins/events.ts';
import { refreshFloat } from '../balances/float.ts';
import { followRail } from '../sending/follow-attempts.ts';
import { payRail } from '../sending/send-payouts.ts';
import { watchRail } from '../polls/watch-payins.ts';
import { type Desk, events, openDesk } from './world.testing.ts';
import { isFullRun } from '../../../tools/runner/full-run.ts';

class Killed extends Error {}

/**
 * Tests a process that dies at its n-th await of the database or the rail. Before the await nothing has happened. After it (odd
 * points) the other side has done its part, and only we don't know. A dead process does nothing more.
 */
class Mortal {
  #left: number;
  dead = false;

  constructor(point: number) {
    this.#left = point;
  }

  async await<T>(work: () => Promise<T>): Promise<T> {
    this.#tick();
    const result = await work();
    this.#tick();
    return result;
  }

  #tick(): void {
    if (this.dead || this.#left-- === 0) {
      this.dead = true;
      throw new Killed();
    }
  }

  statements<S extends Statements>(inner: S): S {
    return {
      ...inner,
      rows: <R>(...args: Parameters<Statements['rows']>) => this.await(() => inner.rows<R>(...args)),
      row: <R>(...args: Parameters<Statements['row']>) => this.await(() => inner.row<R>(...args)),
      run: (...args: Parameters<Statements['run']>) => this.await(() => inner.run(...args)),
    };
  }

  db(inner: Db): Db {
    return {
      ...this.statements(inner),
      // A point between the last statement and the end of the commit: the rows are there, the process isn't.
      tx: (work, options) => this.await(() => inner.tx((tx: Tx) => work(this.statements(tx)), options)),
      now: () => this.await(() => inner.now()),
    };
  }

  rail(inner: Desk['rail']): Rail {
    const payout = {
      ...inner.payout,
      prepare: (...args: Parameters<typeof inner.payout.prepare>) => this.await(() => inner.payout.prepare(...args)),
      send: (...args: Parameters<typeof inner.payout.send>) => this.await(() => inner.payout.send(...args)),
      find: (...args: Parameters<typeof inner.payout.find>) => this.await(() => inner.payout.find(...args)),
    };
    const payin = {
      ...inner.payin,
      tip: () => this.await(() => inner.payin.tip()),
      observe: (...args: Parameters<typeof inner.payin.observe>) => this.await(() => inner.payin.observe(...args)),
    };
    return { ...inner, payin, payout };
  }
}

/** Runs one turn as a process would, of everything or only of sending. Returns whether the process survived. */
async function mortalTurn(desk: Desk, point: number, everything: boolean): Promise<boolean> {
  const mortal = new Mortal(point);
  const deps: PaymentsDeps = { ...desk.deps, db: mortal.db(desk.db) };
  const rail = mortal.rail(desk.rail);
  const sending = [() => payRail(deps, rail), () => followRail(deps, rail)];
  const others = [() => watchRail(deps, rail), () => refreshFloat(deps, rail), () => postEvents(deps.db)];
  for (const loop of everything ? [...others, ...sending, ...others] : sending) {
    await loop().catch((error: unknown) => {
      if (!mortal.dead) throw error;
    });
  }
  return !mortal.dead;
}

const PARTS = 100_000n;

const CHAIN = { id: 'bitcoin' };
/** Processes that die one after the other before one survives. */
const DEATHS = 8;

interface Case {
  readonly order: string;
  readonly ids: readonly string[];
  readonly point: number;
}

async function plain(reported: Promise<readonly { readonly event: string }[]>): Promise<string[]> {
  return events(await reported).filter((event) => event !== 'progress');
}

const KINDS = [
  ['a chain', CHAIN],
  ['an account chain', { id: 'evm', currencies: [{ code: 'USDT_MEM', unit: 'USDT' }], batch: 1, fuel: 'ETH' }],
  ['a provider without dedupe', { id: 'provider', provider: { hasDedupe: false } }],
] as const;
/** Sends as tokens do. */
const IN_FULL = [
  ['a coin that pays its own gas', { id: 'evm', currencies: [{ code: 'ETH', unit: 'ETH' }], batch: 1, fuel: 'ETH' }],
] as const;

for (const [name, options] of isFullRun ? [...KINDS, ...IN_FULL] : KINDS) {
  it(
    `killed at every await once, on ${name}: one credit, at most one send, and all of it is told`,
    { timeout: 120_000 },
    async () => {
      const desk = await openDesk(options);
      const fuel = 'fuel' in options ? options.fuel : undefined;
      await desk.db.tx((tx) =>
        fundDesk(tx, [
          { id: newId(), currency: desk.currency, place: 'hot', parts: 10_000_000_000n },
          ...(fuel ? [{ id: newId(), currency: fuel, place: 'fuel' as const, parts: 10n ** 18n }] : []),
        ]),
      );
      const check = async ({ order, ids, point }: Case): Promise<void> => {
        const reported = await plain(desk.payins(order));
        assert.equal(reported.filter((event) => event === 'final').length, 1, `pay-in told ${reported.join()} at point ${point}`);
        for (const id of ids) {
          const sent = await plain(desk.payouts(id));
          const count = desk.world.executions(id);
          assert.ok(count <= 1, `sent ${count} times at point ${point}`);
          assert.equal(sent.filter((event) => event === 'send').length, 1, `${sent.join()} at point ${point}`);
          if (options.id === 'provider' && count === 0) {
            // Stored, perhaps sent: without dedupe it waits for people, and is never sent again.
            assert.match(sent.at(-1) ?? '', /^(dedupe_over|unknown)$/, `${sent.join()} at point ${point}`);
          } else {
            assert.equal(count, 1, `not sent at point ${point}: ${sent.join()}`);
            assert.equal(sent.at(-1), 'final', `${sent.join()} at point ${point}`);
            assert.equal(sent.filter((event) => event === 'accepted' || event === 'found').length, 1);
          }
        }
      };
      try {
        let point = 0;
        const open: Case[] = [];
        for (let lived = false; !lived; point += 1) {
          const { order, to } = await desk.open();
          open.push({ order, ids: [await desk.request(PARTS), await desk.request(PARTS)], point });
          desk.world.pay(to, 1_000_000n);
          desk.world.mine();
          lived = await mortalTurn(desk, point, options === CHAIN);
          await desk.db.run(`update rail_wallet set leased_until = now()`);
          if (open.length < DEATHS && !lived) continue;
          // At last a process survives: leases run out, time passes, blocks come.
          for (let turn = 0; turn < 3; turn += 1) {
            await desk.pass(31_000);
            desk.world.mine(fuel ? 12 : 1);
            await desk.turn();
          }
          for (const one of open.splice(0)) await check(one);
        }
        assert.ok(point > (options === CHAIN ? 70 : 40), `only ${point} points`);
        const feeUnit = fuel ?? desk.unit;
        const fees = await desk.balance(accounts.spent('network', feeUnit));
        const txs = await desk.db.row<{ count: string }>(`select count(*) from payment_attempt where status = 'final'`);
        const expected = options.id === 'provider' ? fees : BigInt(txs?.count ?? '0') * 1_000n;
        assert.equal(fees, expected, 'each fee is posted once');
      } finally {
        await desk.close();
      }
    },
  );
}
