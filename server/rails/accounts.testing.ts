// Checks that every rail refuses invalid accounts of customers by name, and fast. For tests only.

import assert from 'node:assert/strict';
import type { Fields, Payin } from './rail.ts';

/** A wrong account, and the expected problem. */
export interface BadAccount {
  readonly fields: Fields;
  readonly problem: 'empty' | 'wrong_network' | 'bad_checksum' | 'bad_format' | 'unusable';
}

/** Asserts that each wrong account is refused with its problem. */
export function refusesByName({ checkAccount }: Pick<Payin, 'checkAccount'>, currency: string, bad: readonly BadAccount[]): void {
  for (const { fields, problem } of bad) {
    const checked = checkAccount(currency, fields);
    assert.deepEqual({ fields, problem: checked.ok ? 'accepted' : checked.problem }, { fields, problem });
  }
}

/** Longest field of an account, in characters (`accountFields` of the contract). */
const LENGTH = 2_000;
const PARTS = ['a', 'A', '0', '1', '-', ' ', '.', 'a@', 'a.', '1.', 'aA0', 'U1', 'T9', '0x', 'bc1', '\u00a0'];
const NAMES = ['address', 'email', 'account', 'wallet', 'purse', 'memo', 'number', 'phone'];
const MAX_MS = 250;

/** Asserts that no text in an account's fields is accepted, or blocks the only thread for longer than `MAX_MS`. */
export function answersAtOnce({ checkAccount }: Pick<Payin, 'checkAccount'>, currency: string): void {
  for (const part of PARTS) {
    const text = `${part.repeat(Math.floor(LENGTH / part.length))}!`;
    const fields = Object.fromEntries(NAMES.map((name) => [name, text]));
    const begin = performance.now();
    assert.equal(checkAccount(currency, fields).ok, false, JSON.stringify(part));
    const took = performance.now() - begin;
    assert.ok(took < MAX_MS, `${JSON.stringify(part)} took ${Math.round(took)} ms`);
  }
}
