// Letters about deposits: in both languages and both forms, with the sums, and without the reason why a person checks a deposit.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { queuedLetters } from '../../deliveries/testing.ts';
import { writeHolderMacs } from '../../auth/testing.ts';
import { type Deposit, sighted } from './deposit.ts';
import { type DepositNews, queueDepositLetter } from './deposit-letters.ts';
import { type WalletWorld, emailOf, walletWorld } from '../scenarios/world.testing.ts';

let world: WalletWorld;
before(async () => {
  world = await walletWorld();
});
after(() => world.close());

const CASES: readonly [DepositNews, Partial<Deposit>, subject: RegExp, text: RegExp, ru: RegExp][] = [
  [
    { kind: 'held', parts: 250_000n },
    {},
    /^We are reviewing your deposit of 0\.0025 BTC$/,
    /Our staff review the payment/,
    /Проверяем/,
  ],
  [{ kind: 'released', parts: 250_000n }, { status: 'final' }, /^0\.0025 BTC is in your wallet$/, /can use it now/, /можно/],
  [{ kind: 'released', parts: 250_000n }, { status: 'maturing' }, /is in order$/, /can use it from .*2027/, /2027/],
  [{ kind: 'given_back', parts: 250_000n }, {}, /was returned$/, /0\.0025 BTC was sent back/, /обратно/],
  [{ kind: 'reversed', parts: 250_000n }, {}, /^Your deposit of 0\.0025 BTC was reversed$/, /has left your wallet/, /списана/],
  [
    { kind: 'reversed', parts: 250_000n },
    { owed: 90_000n },
    /was reversed$/,
    /you owe us 0\.0009 BTC[^]*nothing leaves it/,
    /0,0009/,
  ],
  [{ kind: 'back', parts: 250_000n }, {}, /is back in your wallet$/, /has arrived again: 0\.0025 BTC/, /пришло снова/],
  [{ kind: 'back', parts: 250_000n, settled: 90_000n }, {}, /is back/, /0\.0009 BTC of it settled/, /погасило/],
  [{ kind: 'settled', parts: 40_000n }, { owed: 50_000n }, /^0\.0004 BTC of your/, /still owe 0\.0005 BTC/, /ещё[ \u00a0]0,0005/],
  [{ kind: 'settled', parts: 40_000n }, {}, /settled a debt$/, /You owe nothing more/, /Долга больше нет/],
];

test('each letter states the event, the sum and the consequence', async () => {
  const ann = await world.holder();
  const { db } = world.desk;
  const payin = {
    ...{ payinId: ann, owner: { kind: 'wallet', id: ann }, event: 'final', currency: 'BTC', unit: 'BTC', place: 'hot' },
    ...{
      parts: '250000',
      txid: 'tx-1',
      from: ['bad'],
      isFeeOk: true,
      seenAt: new Date().toISOString(),
      confirmations: 1,
      needed: 1,
    },
  } as Parameters<typeof sighted>[0];
  const one: Deposit = {
    ...sighted(payin, undefined, { addressId: ann, holderId: ann }),
    ...{ why: 'its sender was flagged', freeAt: new Date('2027-05-19T12:00:00Z') },
  };
  const written = async (locale: string, news: DepositNews, more: Partial<Deposit>) => {
    await db.run('update account_holder set locale = $2 where id = $1', [ann, locale]);
    await writeHolderMacs(db);
    await db.run('delete from mail');
    await db.tx((tx) => queueDepositLetter(tx, 'Kurs', { ...one, ...more }, news));
    const [letter] = await queuedLetters(db);
    assert.ok(letter);
    assert.equal(letter.recipient, emailOf(ann));
    for (const form of [letter.text, letter.html]) {
      assert.ok(form.includes('tx-1') && form.includes('Kurs'), form);
      assert.doesNotMatch(form, /flagged|\bbad\b|undefined|\{\w+\}/, 'nothing of why, and no gap');
    }
    const plain = (words: string): string => words.replaceAll('\u00a0', ' ');
    return { subject: plain(letter.subject), text: plain(letter.text), html: letter.html };
  };
  for (const [news, more, subject, text, ru] of CASES) {
    const english = await written('en', news, more);
    assert.match(english.subject, subject);
    assert.match(english.text, text);
    assert.match(english.html, /^<!doctype html><html lang="en">/);
    const russian = await written('ru', news, more);
    assert.match(`${russian.subject} ${russian.text}`, ru);
    assert.doesNotMatch(russian.text, /wallet|deposit/);
  }
});
