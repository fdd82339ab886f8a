import { type Raw, textHex } from './wire.ts';

/**
 * Costs of transactions. This file carries out TRON transactions: balances of TRX and of a token that behaves like USDT. Energy,
 * bandwidth and activation have constant costs, and no account has free or staked resources, so the figures are no evidence of
 * real costs.
 */
export const COSTS = {
  /** Cost of a byte of bandwidth, in sun. */
  byte: 1_000n,
  /** Cost of a unit of energy, in sun. */
  energy: 100n,
  /** Costs of a new account, in sun: in the system contract, and instead of bandwidth. */
  account: 1_000_000n,
  activation: 100_000n,
};
/** Energy of the token's `transfer`: to a holder, to an account without tokens, and for a reverted call. */
const ENERGY = { holder: 64_285n, fresh: 130_285n, reverted: 27_000n };

export const USDT = `41${'a7'.repeat(4)}${textHex('test USDT').slice(0, 18)}${'5d'.repeat(7)}`;
/** Address of a look-alike with the token's name and events, of which every account has any amount. */
export const FAKE = `41${'fa'.repeat(4)}${textHex('fake USDT').slice(0, 18)}${'5d'.repeat(7)}`;

/** Address of a contract that forwards the TRX of a call to the account in its data, as contract wallets do. */
export const FORWARDER = `41${'f0'.repeat(4)}${textHex('forwarder').slice(0, 18)}${'5d'.repeat(7)}`;

export const TRANSFER = 'ddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';
const SELECTORS = { transfer: 'a9059cbb', balanceOf: '70a08231', decimals: '313ce567', symbol: '95d89b41', name: '06fdde03' };
const WORD = 64;

const NOTHING: ReadonlyMap<string, bigint> = new Map();

/** State of the chain. Changes can be undone: `before` holds the former values. */
export class State {
  readonly #values = new Map<string, bigint>();
  #before = new Map<string, bigint>();

  get(key: string): bigint {
    return this.#values.get(key) ?? 0n;
  }

  set(key: string, value: bigint): void {
    if (!this.#before.has(key)) this.#before.set(key, this.get(key));
    this.#values.set(key, value);
  }

  add(key: string, value: bigint): void {
    this.set(key, this.get(key) + value);
  }

  /** Ends a block. Returns the values before it. */
  seal(): ReadonlyMap<string, bigint> {
    if (this.#before.size === 0) return NOTHING;
    const before = this.#before;
    this.#before = new Map();
    return before;
  }

  /** Undoes a block. */
  undo(before: ReadonlyMap<string, bigint>): void {
    for (const [key, value] of before) this.#values.set(key, value);
  }
}

export const trx = (address: string): string => `trx ${address}`;
export const usdt = (address: string): string => `usdt ${address}`;
export const live = (address: string): string => `live ${address}`;
export const black = (address: string): string => `black ${address}`;

interface Log {
  readonly address: string;
  readonly topics: readonly string[];
  readonly data: string;
}

/** Outcome of a transaction in its block. Sums are in sun. */
export interface Outcome {
  readonly result: 'SUCCESS' | 'REVERT' | 'OUT_OF_ENERGY';
  readonly fee: bigint;
  readonly netFee: bigint;
  readonly energy: bigint;
  readonly energyFee: bigint;
  readonly logs: readonly Log[];
  /** TRX that the contract forwarded. */
  readonly handed?: { readonly to: string; readonly value: bigint };
}

/** Reason of a node for refusing a transaction: its code and message. */
export interface Objection {
  readonly code: 'CONTRACT_VALIDATE_ERROR' | 'BANDWITH_ERROR';
  readonly message: string;
}

interface Weighed extends Raw {
  /** Bandwidth in bytes. */
  readonly bytes: bigint;
}

/**
 * Checks a transaction as a node does before it accepts it or puts it into a block. Returns the objection; undefined if there is
 * none.
 */
export function objection(state: State, raw: Weighed): Objection | undefined {
  const invalid = (words: string): Objection => ({
    code: 'CONTRACT_VALIDATE_ERROR',
    message: `Contract validate error : Validate ${raw.kind} error, ${words}.`,
  });
  const { kind, owner, to, amount } = raw;
  if (state.get(live(owner)) === 0n) return invalid('no OwnerAccount');
  const held = state.get(trx(owner));
  if (kind === 'TransferContract') {
    if (to === owner) return invalid('Cannot transfer TRX to yourself');
    if (amount <= 0n) return invalid('Amount must be greater than 0');
    if (to === USDT || to === FAKE) return invalid('Cannot transfer TRX to a smartContract');
    const max = state.get(live(to)) === 0n ? COSTS.account + COSTS.activation : raw.bytes * COSTS.byte;
    return held < amount + max ? invalid('balance is not sufficient') : undefined;
  }
  if (kind === 'TriggerSmartContract' && to !== USDT && to !== FAKE && to !== FORWARDER)
    return invalid('No contract or not a valid smart contract');
  const carried = kind === 'TriggerSmartContract' ? amount : 0n;
  return held < raw.bytes * COSTS.byte + carried
    ? { code: 'BANDWITH_ERROR', message: 'Account resource insufficient error.' }
    : undefined;
}

/** Carries out a transaction without objections. */
export function carryOut(state: State, raw: Weighed): Outcome {
  const { kind, owner, to, amount } = raw;
  const pay = (fee: bigint): void => state.add(trx(owner), -fee);
  const isNew = kind === 'TransferContract' && state.get(live(to)) === 0n;
  const netFee = isNew ? COSTS.account + COSTS.activation : raw.bytes * COSTS.byte;
  pay(netFee);
  const plain = { fee: netFee, netFee, energy: 0n, energyFee: 0n, logs: [] };
  if (kind === 'TransferAssetContract') return { ...plain, result: 'SUCCESS' };
  if (kind === 'TransferContract') {
    state.add(trx(owner), -amount);
    state.add(trx(to), amount);
    if (isNew) state.set(live(to), 1n);
    return { ...plain, result: 'SUCCESS' };
  }
  if (to === FORWARDER) return handOn(state, raw, netFee);
  const called = call(state, owner, to, raw.data);
  const max = smaller(raw.feeLimit, state.get(trx(owner))) / COSTS.energy;
  const isEnough = called.energy <= max;
  const energy = isEnough ? called.energy : max;
  const energyFee = energy * COSTS.energy;
  pay(energyFee);
  const result = !isEnough ? 'OUT_OF_ENERGY' : called.isReverted ? 'REVERT' : 'SUCCESS';
  if (result === 'SUCCESS') called.apply();
  return { result, fee: netFee + energyFee, netFee, energy, energyFee, logs: result === 'SUCCESS' ? called.logs : [] };
}

/** Carries out a call of the forwarder. It always succeeds, and its value goes to the account in its data. */
function handOn(state: State, { owner, amount, data }: Weighed, netFee: bigint): Outcome {
  const to = `41${data.slice(-40)}`;
  const energyFee = ENERGY.reverted * COSTS.energy;
  state.add(trx(owner), -energyFee - amount);
  state.add(trx(to), amount);
  state.set(live(to), 1n);
  const fees = { fee: netFee + energyFee, netFee, energy: ENERGY.reverted, energyFee };
  return { ...fees, result: 'SUCCESS', logs: [], handed: { to, value: amount } };
}

/** Effect of a call: its energy, its answer and its events. Nothing changes until `apply`. */
export interface Called {
  readonly energy: bigint;
  readonly isReverted: boolean;
  readonly answer: string;
  readonly logs: readonly Log[];
  apply(): void;
}

const word = (value: bigint): string => value.toString(16).padStart(WORD, '0');
const text = (words: string): string => word(32n) + word(BigInt(words.length)) + textHex(words).padEnd(WORD, '0');

/** Calls a contract as `owner`. `at` reads balances, possibly those of another block. */
export function call(state: State, owner: string, contract: string, data: string, at = (key: string) => state.get(key)): Called {
  const done = (answer: string, energy = 1_000n): Called => ({ energy, isReverted: false, answer, logs: [], apply: () => {} });
  const reverted: Called = { ...done('', ENERGY.reverted), isReverted: true };
  const [selector, first, second] = [data.slice(0, 8), data.slice(8, 8 + WORD), data.slice(8 + WORD)];
  const who = `41${first.slice(-40)}`;
  if (selector === SELECTORS.decimals) return done(word(6n));
  if (selector === SELECTORS.symbol) return done(text('USDT'));
  if (selector === SELECTORS.name) return done(text('Tether USD'));
  if (selector === SELECTORS.balanceOf) return done(word(contract === FAKE ? 10n ** 18n : at(usdt(who))));
  if (selector !== SELECTORS.transfer || second.length !== WORD) return reverted;
  const value = BigInt(`0x${second}`);
  const isReal = contract === USDT;
  if (isReal && (at(black(owner)) > 0n || at(black(who)) > 0n || at(usdt(owner)) < value)) return reverted;
  const topics = [TRANSFER, owner.slice(2).padStart(WORD, '0'), who.slice(2).padStart(WORD, '0')];
  return {
    energy: at(usdt(who)) > 0n ? ENERGY.holder : ENERGY.fresh,
    isReverted: false,
    // Like the real token: it succeeds and returns false.
    answer: word(0n),
    logs: [{ address: contract.slice(2), topics, data: word(value) }],
    apply: () => {
      if (!isReal) return;
      state.add(usdt(owner), -value);
      state.add(usdt(who), value);
    },
  };
}

const smaller = (a: bigint, b: bigint): bigint => (a < b ? a : b);
