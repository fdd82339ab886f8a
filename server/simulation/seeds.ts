// Runs many seeds for the tests. It reports what they covered, and fails if something was never visited.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import type { TestContext } from 'node:test';
import { Worker } from 'node:worker_threads';
import { EXPLORERS } from './explorer-chain.ts';
import type { Told } from './seeds-thread.ts';
import { Tally } from './tally.ts';

/** Stages of payments to invoices that every run has to cover. */
const STAGES = ['seen', 'held', 'credited', 'unallocated', 'dropped', 'reversed'];

/** Faults that every run has to cover: reorgs by their depth, and a reversal of a credited payment. */
const FAULTS = [
  ...['delay', 'duplicate', 'drop', 'lie', 'hang', 'error'].map((kind) => `observe: ${kind}`),
  ...['delay', 'drop', 'lost', 'late', 'hang', 'error', 'refuse', 'reverts'].map((kind) => `send: ${kind}`),
  ...['lie', 'hang', 'error', 'delay'].map((kind) => `find: ${kind}`),
  ...['refuse', 'hang', 'error'].map((kind) => `prepare: ${kind}`),
  ...[1, 2, 3, 4, 5, 6].map((depth) => `reorg: ${depth} deep`),
  ...['chain', 'provider', 'deduper'].map((kind) => `reversal after the credit: ${kind}`),
  ...['watching', 'sending', 'following', 'keeping time', 'placing', 'choosing', 'an action'].map((what) => `crash: ${what}`),
  ...['an hour', 'a day', 'days'].map((span) => `the clock jumps ${span}`),
  ...['a waiting payment vanishes', 'a lost payment comes back', 'a send of ours comes back', 'a node lags'],
  ...EXPLORERS.map((name) => `explorer: ${name}`),
  ...['an allow-list goes on', 'an allow-list goes off', 'an address is struck out', 'leaves while an allow-list is on'],
  ...['begins a draw', 'claims a draw', 'asks for a task', 'makes credit', 'pays out a prize', 'crash: drawing'],
  ...['earn_wait', 'earn_cap', 'earn_pot_empty'].map((code) => `begins a draw: ${code}`),
  ...['claims a draw: claim_over', 'asks for a task: earn_task_open', 'pays out a prize: earn_order_first'],
  ...['payouts switched off', 'screening: suspects', 'a part is taken back', 'a part comes back'],
  ...['right', 'short', 'half', 'too much', 'dust', 'in another coin', 'late'].map((how) => `pays an invoice ${how}`),
  ...['a payment to an invoice is taken back', 'a part of a payment to an invoice is taken back'],
  ...['settled', 'short', 'expired', 'cancelled', 'invalid'].map((state) => `an invoice: ${state}`),
  ...STAGES.map((stage) => `a payment to an invoice: ${stage}`),
  ...['making an invoice', 'choosing a method'].map((what) => `crash: ${what}`),
];

/**
 * Rows that these worlds come to by chance alone, and the worlds in memory always (pure.test.ts): few sends fail in a way
 * that is tried again, and nobody here assigns payments to debts (debts.db.test.ts has that).
 */
const BY_CHANCE = new Set(
  ['retry in undelivered', 'settle_debt in choosing and others', 'repaid in charged_back and others'].map((row) => `row ${row}`),
);

export interface Range {
  readonly first: number;
  readonly seeds: number;
  readonly steps: number;
  /** Continues until every row and every fault was covered, and fails if one was not. */
  readonly hasToVisitAll?: true;
}

/** Further seeds that a run may take until it has visited everything: a change of the code shifts what each seed meets. */
const MORE = 90;

/** Long seeds of one test file. */
const LONG_QUARTER = 75;

/** More than there are cores: a thread often waits for its database. */
const THREADS = Math.ceil(availableParallelism() * 1.5);

/**
 * Runs a range of seeds; with SIM_SEED in the environment that one alone, with its whole story. In threads of their own:
 * the test runner follows every promise made in its thread, which costs a sixth of a seed's time.
 */
export async function runSeeds(t: TestContext, { first, seeds, steps, hasToVisitAll }: Range): Promise<void> {
  const only = process.env['SIM_SEED'];
  if (only !== undefined) {
    const wanted = [Number(only)];
    return runThread(
      steps,
      () => wanted.pop(),
      ({ story }) => story.forEach((line) => t.diagnostic(line)),
    );
  }
  const tally = new Tally();
  const missing = (): string[] => (hasToVisitAll ? tally.missing(FAULTS).filter((what) => !BY_CHANCE.has(what)) : []);
  let next = first;
  const isOver = (): boolean => next >= first + seeds && (next >= first + seeds + MORE || missing().length === 0);
  const take = (): number | undefined => (isOver() ? undefined : next++);
  const runs = Array.from({ length: THREADS }, () => runThread(steps, take, ({ met }) => tally.add(met)));
  await Promise.all(runs).finally(() => (next = Infinity));
  for (const line of tally.lines()) t.diagnostic(line);
  assert.deepEqual(missing(), [], 'every row of the machine and every kind of fault is visited');
}

/** A quarter of the long seeds, counted from 1: all of them together take longer than one test file may. */
export const runLongSeeds = (t: TestContext, quarter: number): Promise<void> =>
  runSeeds(t, { first: 10_001 + LONG_QUARTER * (quarter - 1), seeds: LONG_QUARTER, steps: 400, hasToVisitAll: true });

/** One thread, which runs given seeds until none are left. Throws a seed's error. */
async function runThread(steps: number, take: () => number | undefined, report: (reported: Told) => void): Promise<void> {
  const thread = new Worker(new URL('seeds-thread.ts', import.meta.url), { workerData: { steps } });
  for (let seed = take(); seed !== undefined; seed = take()) {
    thread.postMessage(seed);
    const [reported] = (await once(thread, 'message')) as [Told];
    report(reported);
  }
  thread.postMessage(undefined);
  await once(thread, 'exit');
}
