// Tests every interleaving of one payout, its attempt, a rail whose truth is hidden from us, time, and two people who may be
// wrong. The steps are the product's own (`step`); the rail is modelled by its proofs.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Proof } from '../../../rails/rail.ts';
import { moved } from './payout-machine.ts';
import {
  NOW,
  absent,
  accepted,
  attempt,
  chain,
  exists,
  forgetful,
  found,
  mined,
  payout,
  pending,
  provider,
  refused,
  terms,
  unknown,
  vague,
} from './payout.testing.ts';
import { type RailAnswer, type Payout, type SendAttempt, type Step, step } from './payout.ts';

/**
 * Minutes after the attempt was stored at which things happen: around a dedupe window of 60, of which 48 are used, and a month.
 */
const TIMES = [0, 2, 20, 47, 50, 70, 60 * 24 * 31];
const at = (time: number): Date => new Date(NOW.getTime() + (TIMES[time] ?? 0) * 60_000);

interface Node {
  readonly attempt: SendAttempt;
  readonly payout: Payout;
  /** Number of times that the rail has done it. */
  readonly done: number;
  /** It returned what it had done. */
  readonly isBack: boolean;
  /** True if it can never happen any more, by the rail's own proof. */
  readonly isOver: boolean;
  readonly time: number;
  /** The bytes go out now. */
  readonly isGoingOut: boolean;
  /** Two people have decided it as not sent; they may be wrong. */
  readonly isDecided: boolean;
}

class Fault extends Error {}
type Send = typeof step;

const START: Omit<Node, 'attempt' | 'payout'> = {
  ...{ done: 0, isBack: false, isOver: false, time: 0, isGoingOut: true, isDecided: false },
};
const start = (): Node => ({ ...START, attempt: attempt({ storedAt: at(0) }), payout: payout() });

/** Returns a node after an answer, by the product's own step. */
function answered(send: Send, node: Node, answer: RailAnswer, proof: Proof, maySend: boolean): Node {
  const isFixed = node.isDecided && node.payout.status !== 'failed';
  const made: Step = send(
    node.attempt,
    isFixed ? [] : [node.payout],
    answer,
    terms({ now: at(node.time), proof, maySend, depthOf: () => ({ confirmations: 2, isFinalised: false }) }),
  );
  return { ...node, attempt: made.attempt, payout: made.payouts[0]?.payout ?? node.payout, isGoingOut: made.isSentAgain };
}

/** Sends the bytes. Returns what the rail may do with them, and what it may answer. */
function sent(send: Send, node: Node, proof: Proof): Node[] {
  const isChain = proof.lookUp === 'presence and absence';
  const isKnown = node.done > 0 && (isChain || (TIMES[node.time] ?? 0) < proof.dedupeMinutes);
  const repeats = isChain ? Math.min(1, node.done + 1) : node.done + 1;
  const truths = isKnown || node.isOver ? [node.done] : [node.done, repeats];
  return truths.flatMap((done) => {
    const after = { ...node, done, isGoingOut: false };
    const isDone = done > node.done || isKnown;
    // A repeated request may be refused although the first one succeeded: for want of the very money that it has sent.
    const answers = [
      unknown,
      ...(isDone ? [accepted] : []),
      ...(done === node.done && !isDone ? [refused] : []),
      ...(node.done > 0 && !isChain ? [exists] : []),
    ];
    return [after, ...answers.map((answer) => answered(send, after, answer, proof, true))];
  });
}

/** Returns the possible results of a look-up. */
function polled(send: Send, node: Node, proof: Proof): Node[] {
  const isChain = proof.lookUp === 'presence and absence';
  const shown = node.done > 0 && !node.isBack ? [pending, mined(1), mined(3)] : [];
  const back =
    node.done > 0 && node.isBack
      ? [found({ outcome: 'mined', txid: 't', height: 9, confirmations: 3, isFinalised: true, ok: false, fee: 0n })]
      : [];
  const ends = isChain && node.done === 0 ? [{ ...node, isOver: true }] : [];
  return [true, false].flatMap((maySend) => [
    ...[...shown, ...back, absent(false)].map((answer) => answered(send, node, answer, proof, maySend)),
    ...ends.map((after) => answered(send, after, absent(true), proof, maySend)),
  ]);
}

/** Two people decide a doubt. They may be wrong that it was not sent. */
function decided(node: Node): Node[] {
  if (node.payout.status !== 'in_doubt') return [];
  const wasSent: Node = {
    ...{ ...node, isDecided: true, payout: moved(node.payout, 'resolve_sent') },
    attempt: { ...node.attempt, status: 'final' },
  };
  const wasNot: Node = {
    ...{ ...node, isDecided: true, payout: moved(node.payout, 'resolve_not_sent') },
    attempt: { ...node.attempt, status: 'refused', isFrozen: true, endedAt: at(node.time) },
  };
  return [...(node.done > 0 ? [wasSent] : []), wasNot];
}

function stepsOf(send: Send, node: Node, proof: Proof): Node[] {
  // A process may die before it sends.
  const out = node.isGoingOut ? [...sent(send, node, proof), { ...node, isGoingOut: false }] : [];
  const later = node.time < TIMES.length - 1 && !node.isGoingOut ? [{ ...node, time: node.time + 1 }] : [];
  const back = node.done > 0 && !node.isBack && proof.lookUp === 'presence' ? [{ ...node, isBack: true }] : [];
  return [...out, ...(node.isGoingOut ? [] : polled(send, node, proof)), ...decided(node), ...later, ...back];
}

/** Returns what is wrong with a node, in words. */
function faultOf({ done, isBack, isDecided, payout: { status, isFoundLate }, attempt: made }: Node): string | undefined {
  if (done > 1) return 'it was sent twice';
  const isThere = done > 0 && !isBack;
  if (status === 'sent' && done === 0) return 'it counts as sent, and the rail did nothing';
  if (status === 'failed' && isThere && !isFoundLate && !isDecided) return 'it counts as not sent, and was';
  if (made.isFrozen && !isDecided) return 'its bytes are frozen, and nobody said so';
  return undefined;
}

/** The number of tries and the fee decide nothing here. */
const LEFT_OUT = new Set(['tries', 'fee', 'parts']);
const keyOf = (node: Node): string => JSON.stringify(node, (name, value: unknown) => (LEFT_OUT.has(name) ? 0 : value));

function explore(proof: Proof, send: Send = step): number {
  const nodes = [start()];
  const known = new Set(nodes.map(keyOf));
  for (const node of nodes) {
    for (const next of stepsOf(send, node, proof)) {
      const fault = faultOf(next);
      if (fault !== undefined) throw new Fault(`${fault}: ${keyOf(next)}`);
      const key = keyOf(next);
      if (!known.has(key)) nodes.push(next);
      known.add(key);
    }
  }
  return nodes.length;
}

const PROOFS = { chain, provider, forgetful, vague };

describe('a payout alone: a send of unknown fate is never repeated, unless its provider surely recognises the reference', () => {
  for (const [name, proof] of Object.entries(PROOFS))
    test(name, (t) => {
      const nodes = explore(proof);
      t.diagnostic(`${nodes} nodes`);
      assert.ok(nodes > 50);
    });
});

test('finds a blind repeat, and a doubt that ends by time', () => {
  const blind: Send = (one, payouts, answer, given) => {
    const made = step(one, payouts, answer, given);
    return { ...made, isSentAgain: made.isSentAgain || answer.said.outcome === 'absent' };
  };
  const hasty: Send = (one, payouts, answer, given) => {
    const made = step(one, payouts, answer, given);
    const isOld = given.now.getTime() - one.storedAt.getTime() > 60 * 60_000;
    return isOld
      ? { ...made, payouts: made.payouts.map((each) => ({ ...each, payout: { ...each.payout, status: 'failed' } })) }
      : made;
  };
  for (const proof of [provider, forgetful])
    assert.throws(() => explore(proof, blind), /it was sent twice|it counts as not sent, and was/);
  assert.throws(() => explore(forgetful, hasty), /it counts as not sent, and was/);
});
