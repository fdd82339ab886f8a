import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Transaction } from './answers.ts';
import type { Esplora } from './client.ts';
import { bitcoin } from './config.ts';
import { historyOf } from './history.ts';
import { observe } from './observed-payments.ts';

const OURS = 'rb1-ours';
const idOf = (number: number): string => number.toString(16).padStart(64, '0');

/** Returns a payment of `value` satoshi; mined at a height, or waiting. */
function payment(number: number, height?: number, value = 1000n): Transaction {
  const at = height !== undefined && { block_height: height, block_hash: idOf(height), block_time: 1_700_000_000 };
  return {
    txid: idOf(number),
    vin: [{ txid: idOf(0xffff), vout: number, sequence: 0xffffffff, is_coinbase: false }],
    vout: [{ scriptpubkey: '', scriptpubkey_address: OURS, value }],
    weight: 400,
    fee: 5000n,
    status: at ? { confirmed: true, ...at } : { confirmed: false },
  };
}

interface Shown {
  /** Newest first. */
  all: readonly Transaction[];
  /** Number of rows on a first page that waiting and mined transactions share. */
  first?: number;
  isShared?: boolean;
  /** Number of mined rows on any other page. */
  page?: number;
  hash?: (height: number) => string;
}

/** Returns an Esplora server with pages of the given kind; `pages` counts the requested ones. */
function server(shown: Shown) {
  let requests = 0;
  const waiting = () => shown.all.filter(({ status }) => !status.confirmed);
  const mined = () => shown.all.filter(({ status }) => status.confirmed);
  const page = (transactions: readonly Transaction[]) => {
    requests += 1;
    return { transactions, last: transactions.findLast(({ status }) => status.confirmed)?.txid };
  };
  const { page: size = 25 } = shown;
  const esplora = {
    within() {
      return this as Partial<Esplora> as Esplora;
    },
    tipHeight: async () => 2_000,
    blockHash: async (height: number) => (shown.hash ?? idOf)(height),
    newest: async (address: string) => {
      if (address !== OURS) return page([]);
      if (shown.isShared) return page([...waiting(), ...mined()].slice(0, shown.first ?? 50));
      return page([...waiting().slice(0, 50), ...mined().slice(0, size)]);
    },
    mined: async (_address: string, after: string) => {
      const from = after === '' ? 0 : mined().findIndex(({ txid }) => txid === after) + 1;
      return page(mined().slice(from, from + size));
    },
    unspent: async () =>
      shown.all.map(({ txid, status, vout: [output] }) => ({ txid, vout: 0, value: output?.value ?? 0n, status })),
    transaction: async (txid: string) => shown.all.find((tx) => tx.txid === txid),
    spending: async () => ({ spent: false }),
    feeEstimates: async () => new Map([[6, 1000n]]),
  } as Partial<Esplora> as Esplora;
  return { esplora, shown, pages: () => requests };
}

const TIP = { height: 2_000, hash: idOf(2_000) };
const from = (sinceHeight: number, readOn?: string) => ({ to: OURS, sinceHeight, ...(readOn !== undefined && { readOn }) });
/** Returns mined payments, ten to a block, the newest at the height `top`. */
const mined = (count: number, top: number, first = 0): Transaction[] =>
  Array.from({ length: count }, (_, at) => payment(first + at, top - Math.floor(at / 10)));

/** Polls until the end. Returns the ids found and the number of polls. */
async function readOut(esplora: Esplora, since = 0, polls = 20): Promise<{ found: Set<string>; polls: number }> {
  const found = new Set<string>();
  let readOn: string | undefined;
  for (let poll = 1; poll <= polls; poll += 1) {
    const read = await historyOf(esplora, from(since, readOn), TIP);
    for (const { txid } of read.transactions) found.add(txid);
    readOn = read.readOn;
    if (readOn === undefined) return { found, polls: poll };
  }
  return { found, polls: Infinity };
}

describe('the history of an address', () => {
  it('is read to its end with pages of every size, even if waiting and mined payments share the first', async () => {
    const all = [...Array.from({ length: 50 }, (_, at) => payment(500 + at)), ...mined(60, 1_000)];
    for (const kind of [{}, { isShared: true }, { isShared: true, first: 25 }, { page: 10 }, { page: 50, isShared: true }]) {
      const { found } = await readOut(server({ all, ...kind }).esplora);
      for (const tx of mined(60, 1_000)) assert.ok(found.has(tx.txid), `${JSON.stringify(kind)}: ${tx.txid}`);
    }
  });

  it('is read with one call if it is empty, and no further down than requested', async () => {
    const empty = server({ all: [] });
    await historyOf(empty.esplora, from(0), TIP);
    assert.equal(empty.pages(), 1);
    const long = server({ all: mined(60, 1_000) });
    const { transactions, readOn } = await historyOf(long.esplora, from(999), TIP);
    assert.deepEqual([transactions.length, readOn, long.pages()], [25, undefined, 1]);
  });

  it('is continued by later polls until all of it is read, even if payments arrive meanwhile', async () => {
    const all = mined(1_000, 1_500);
    const world = server({ all });
    const one = await historyOf(world.esplora, from(0), TIP);
    assert.ok(one.readOn !== undefined && one.transactions.length < 300 && world.pages() <= 9, 'a poll is bounded');
    const news = mined(500, 1_990, 2_000);
    world.shown.all = [...news, ...all];
    let readOn: string | undefined = one.readOn;
    const found = new Set(one.transactions.map(({ txid }) => txid));
    let polls = 1;
    for (; readOn !== undefined && polls < 20; polls += 1) {
      const read = await historyOf(world.esplora, from(0, readOn), TIP);
      for (const { txid } of read.transactions) found.add(txid);
      readOn = read.readOn;
    }
    // New payments below the first poll's tip would mean a reorg, which restarts the reading. So only the first ones are expected.
    assert.ok(
      [...all].every(({ txid }) => found.has(txid)),
      'everything that was there',
    );
    assert.ok(polls < 12, `${polls} polls`);
  });

  it('is read again from the start after a reorg of the blocks read so far', async () => {
    const all = mined(400, 1_500);
    const world = server({ all });
    const { readOn } = await historyOf(world.esplora, from(0), TIP);
    world.shown.all = [payment(9_999, 1_500), ...all];
    world.shown.hash = (height) => `f${idOf(height).slice(1)}`;
    const again = await historyOf(world.esplora, from(0, readOn), TIP);
    assert.ok(again.transactions.some(({ txid }) => txid === idOf(9_999)));
    assert.ok((await historyOf(world.esplora, from(0, 'something else'), TIP)).transactions.length > 0);
  });

  it('keeps its unread parts after an empty answer', async () => {
    const world = server({ all: mined(300, 1_000) });
    const { readOn } = await historyOf(world.esplora, from(0), TIP);
    assert.ok(readOn !== undefined);
    const empty = await historyOf({ ...world.esplora, newest: async () => ({ transactions: [] }) }, from(0, readOn), TIP);
    assert.deepEqual(empty, { transactions: [], readOn });
  });

  it('is not ended by one row with a false height', async () => {
    const all = mined(100, 1_000).map((tx, at) => (at === 3 ? payment(3, 7) : tx));
    const { transactions, readOn } = await historyOf(server({ all }).esplora, from(900), TIP);
    assert.deepEqual([transactions.length, readOn], [100, undefined]);
  });

  it('includes a large waiting payment that a crowded page does not show', async () => {
    const crowd = Array.from({ length: 80 }, (_, at) => payment(100 + at, undefined, 600n));
    const hidden = payment(7, undefined, 5_000_000n);
    const { transactions } = await historyOf(server({ all: [...crowd, hidden] }).esplora, from(0), TIP);
    assert.ok(transactions.some(({ txid }) => txid === hidden.txid));
  });

  it('is read until the deadline, with the position to continue from', async () => {
    const world = server({ all: mined(100, 1_000) });
    const { readOn } = await historyOf(world.esplora, from(0), TIP, -1);
    assert.deepEqual([world.pages(), readOn !== undefined], [1, true]);
  });
});

describe('a poll of many addresses', () => {
  const config = { ...bitcoin({ esplora: '', network: 'regtest' }), pollMs: 300 };
  const addresses = [OURS, 'rb1-other'].map((to) => ({ currency: 'BTC', to, sinceHeight: 0 }));

  it('reads the others if the history of one has no end', async () => {
    const { esplora } = server({ all: mined(1_000, 1_500) });
    const other = payment(77, 1_200);
    const both = {
      ...esplora,
      newest: async (to: string) => (to === OURS ? esplora.newest(to) : paid(other)),
      mined: async (to: string, after: string) => (to === OURS ? esplora.mined(to, after) : { transactions: [] }),
    };
    const left: (string | undefined)[] = [];
    const seen = await observe(both, config, addresses, ({ to, readOn }) => left.push(to, readOn?.slice(0, 5)));
    assert.ok(seen.some(({ txid, to }) => txid === other.txid && to === 'rb1-other'));
    assert.deepEqual(left, [OURS, '2000:']);
  });

  for (const [what, newest] of [
    ['fails', async () => Promise.reject(new Error('busy'))],
    ['never answers', () => new Promise<never>(() => {})],
  ] as const) {
    it(`reads the others if one ${what}, and throws if every one does`, async () => {
      const { esplora } = server({ all: [] });
      const other = payment(77, 1_200);
      const left: string[] = [];
      const one = { ...esplora, newest: async (to: string) => (to === OURS ? newest() : paid(other)) };
      const seen = await observe(one, config, addresses, ({ to }) => left.push(to));
      assert.deepEqual([seen.map(({ txid }) => txid), left], [[other.txid], [OURS]]);
      await assert.rejects(observe({ ...esplora, newest }, config, addresses));
    });
  }

  it('believes no height at which the chain has another block, and reports that address as unread', async () => {
    const deep = payment(5, 1_500);
    const lies = { ...deep, status: { ...deep.status, block_height: 10 } } as Transaction;
    for (const [tx, count] of [
      [deep, 1],
      [lies, 0],
    ] as const) {
      const left: string[] = [];
      const seen = await observe(server({ all: [tx] }).esplora, config, addresses, ({ to }) => left.push(to));
      assert.deepEqual([seen.length, left.length], [count, 1 - count]);
    }
  });

  it('counts the payments of a server whose tip went back, and reports every address as unread', async () => {
    const { esplora } = server({ all: [payment(5, 1_500)] });
    let height = 2_000;
    const behind = { ...esplora, tipHeight: async () => height };
    const poll = async (): Promise<number[]> => {
      const left: string[] = [];
      const seen = await observe(behind, config, addresses, ({ to }) => left.push(to));
      return [seen.length, left.length];
    };
    assert.deepEqual(await poll(), [1, 0]);
    height = 1_998;
    assert.deepEqual(await poll(), [1, 2]);
    height = 2_001;
    assert.deepEqual(await poll(), [1, 0]);
  });

  /** Returns the only page of the other address. */
  async function paid(tx: Transaction) {
    return {
      transactions: [{ ...tx, vout: [{ scriptpubkey: '', scriptpubkey_address: 'rb1-other', value: 1000n }] }],
      last: tx.txid,
    };
  }
});
