import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Transaction } from './answers.ts';
import type { Esplora } from './client.ts';
import { bitcoin } from './config.ts';
import { historyOf } from './history.ts';
import { observe } from './observed-payments.ts';

const OURS = 'rb1-ours';
const idOf = (number: number): string => number.toString(16).padStart(64, '0');

/** A payment of `value` satoshi; mined at a height, or waiting. */
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
  /** Rows that the first page has room for, waiting and mined together or each by themselves, and rows of a later page. */
  first?: number;
  shared?: boolean;
  page?: number;
  hash?: (height: number) => string;
}

/** A server of the interface with pages of its own kind; counts the pages that it is asked for. */
function server(shown: Shown) {
  let request = 0;
  const waiting = () => shown.all.filter(({ status }) => !status.confirmed);
  const mined = () => shown.all.filter(({ status }) => status.confirmed);
  const page = (transactions: readonly Transaction[]) => {
    request += 1;
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
      if (shown.shared) return page([...waiting(), ...mined()].slice(0, shown.first ?? 50));
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
  return { esplora, shown, pages: () => request };
}

const TIP = { height: 2_000, hash: idOf(2_000) };
const from = (sinceHeight: number, readOn?: string) => ({ to: OURS, sinceHeight, ...(readOn !== undefined && { readOn }) });
/** So many mined payments, the newest at a height. */
const mined = (count: number, top: number, first = 0): Transaction[] =>
  Array.from({ length: count }, (_, at) => payment(first + at, top - Math.floor(at / 10)));

/** Reads on until the end; gives what each look found, and how many there were. */
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

describe("what touches an address, by pages of a server's own kind", () => {
  it('is read to its end whatever the size of pages, and whether waiting ones share the first', async () => {
    const all = [...Array.from({ length: 50 }, (_, at) => payment(500 + at)), ...mined(60, 1_000)];
    for (const kind of [{}, { shared: true }, { shared: true, first: 25 }, { page: 10 }, { page: 50, shared: true }]) {
      const { found } = await readOut(server({ all, ...kind }).esplora);
      for (const tx of mined(60, 1_000)) assert.ok(found.has(tx.txid), `${JSON.stringify(kind)}: ${tx.txid}`);
    }
  });

  it('asks once where nothing is, and no further down than asked', async () => {
    const empty = server({ all: [] });
    await historyOf(empty.esplora, from(0), TIP);
    assert.equal(empty.pages(), 1);
    const long = server({ all: mined(60, 1_000) });
    const { transactions, readOn } = await historyOf(long.esplora, from(999), TIP);
    assert.deepEqual([transactions.length, readOn, long.pages()], [25, undefined, 1]);
  });

  it('is read on by later looks where one may not read it all, and what comes meanwhile is read too', async () => {
    const all = mined(1_000, 1_500);
    const world = server({ all });
    const one = await historyOf(world.esplora, from(0), TIP);
    assert.ok(one.readOn !== undefined && one.transactions.length < 300 && world.pages() <= 9, 'a look is bounded');
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
    // What was mined below the block that the first look began at would be a reorg's, and begins anew.
    assert.ok(
      [...all].every(({ txid }) => found.has(txid)),
      'everything that was there',
    );
    assert.ok(polls < 12, `${polls} looks`);
  });

  it('begins anew where a reorg has replaced what was read', async () => {
    const all = mined(400, 1_500);
    const world = server({ all });
    const { readOn } = await historyOf(world.esplora, from(0), TIP);
    world.shown.all = [payment(9_999, 1_500), ...all];
    world.shown.hash = (height) => `f${idOf(height).slice(1)}`;
    const again = await historyOf(world.esplora, from(0, readOn), TIP);
    assert.ok(again.transactions.some(({ txid }) => txid === idOf(9_999)));
    assert.ok((await historyOf(world.esplora, from(0, 'something else'), TIP)).transactions.length > 0);
  });

  it('forgets nothing that was left over for an answer that shows nothing', async () => {
    const world = server({ all: mined(300, 1_000) });
    const { readOn } = await historyOf(world.esplora, from(0), TIP);
    assert.ok(readOn !== undefined);
    const empty = await historyOf({ ...world.esplora, newest: async () => ({ transactions: [] }) }, from(0, readOn), TIP);
    assert.deepEqual(empty, { transactions: [], readOn });
  });

  it('is not ended by one row among others that lies about its height', async () => {
    const all = mined(100, 1_000).map((tx, at) => (at === 3 ? payment(3, 7) : tx));
    const { transactions, readOn } = await historyOf(server({ all }).esplora, from(900), TIP);
    assert.deepEqual([transactions.length, readOn], [100, undefined]);
  });

  it('of what waits, large payments are found that a crowded page does not show', async () => {
    const crowd = Array.from({ length: 80 }, (_, at) => payment(100 + at, undefined, 600n));
    const hidden = payment(7, undefined, 5_000_000n);
    const { transactions } = await historyOf(server({ all: [...crowd, hidden] }).esplora, from(0), TIP);
    assert.ok(transactions.some(({ txid }) => txid === hidden.txid));
  });

  it('stops where its time is over, and says where it goes on', async () => {
    const world = server({ all: mined(100, 1_000) });
    const { readOn } = await historyOf(world.esplora, from(0), TIP, -1);
    assert.deepEqual([world.pages(), readOn !== undefined], [1, true]);
  });
});

describe('a look at many addresses', () => {
  const config = { ...bitcoin({ esplora: '', network: 'regtest' }), pollMs: 300 };
  const addresses = [OURS, 'rb1-other'].map((to) => ({ currency: 'BTC', to, sinceHeight: 0 }));

  it('is not blinded by one that has no end', async () => {
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
    it(`nor by one that ${what}; where all do, nothing was read`, async () => {
      const { esplora } = server({ all: [] });
      const other = payment(77, 1_200);
      const left: string[] = [];
      const one = { ...esplora, newest: async (to: string) => (to === OURS ? newest() : paid(other)) };
      const seen = await observe(one, config, addresses, ({ to }) => left.push(to));
      assert.deepEqual([seen.map(({ txid }) => txid), left], [[other.txid], [OURS]]);
      await assert.rejects(observe({ ...esplora, newest }, config, addresses));
    });
  }

  it('believes no height at which the chain has another block, and says that it could not read that address', async () => {
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

  it('by a server that is lower than it was counts for what is shown, and not for what is not', async () => {
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

  /** The other address's only page. */
  async function paid(tx: Transaction) {
    return {
      transactions: [{ ...tx, vout: [{ scriptpubkey: '', scriptpubkey_address: 'rb1-other', value: 1000n }] }],
      last: tx.txid,
    };
  }
});
