import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type Unit, format, parse } from '@kurs/money';
import {
  type Action,
  type SampleAccount,
  MAX_STEPS,
  SAMPLE,
  accountAfter,
  actionsIn,
  hindranceOf,
  movementOf,
} from './wallet-sample.ts';

const QUOTE = { give: parse('USDT', '400'), get: parse('BTC', '0.00431234'), fee: parse('USDT', '2.05') } as const;
const after = (...actions: Action[]): SampleAccount => accountAfter(SAMPLE, actions, QUOTE);
const held = ({ wallets }: SampleAccount, unit: Unit): string[] =>
  wallets.flatMap(({ total, available }) => (total.unit === unit ? [format(total, 2), format(available, 2)] : []));
const hindrance = (account: SampleAccount, action: Action): string | undefined =>
  hindranceOf(account, movementOf(account, action, QUOTE) ?? {});

describe('a wallet to try out', () => {
  test('a deposit adds to total and available balance, a transfer takes from both', () => {
    assert.deepEqual(held(after('deposit'), 'USDT'), ['2780.55', '2480.55']);
    assert.deepEqual(held(after('transfer'), 'USDT'), ['2435.55', '2135.55']);
    assert.deepEqual(held(after('transfer'), 'BTC'), held(SAMPLE, 'BTC'));
  });

  test('an exchange moves both amounts of its quote, to the last digit', () => {
    const account = after('exchange');
    assert.deepEqual(held(account, 'USDT'), ['2080.55', '1780.55']);
    assert.deepEqual(held(account, 'BTC'), ['0.02273234', '0.02273234']);
    assert.deepEqual(account.movements[0], { action: 'exchange', gone: QUOTE.give, come: QUOTE.get, fee: QUOTE.fee, step: 1 });
  });

  test('the last action comes first, with its number', () => {
    const { movements, done } = after('deposit', 'exchange', 'transfer');
    assert.deepEqual(
      movements.slice(0, 4).map(({ action, step }) => [action, step]),
      [
        ['transfer', 3],
        ['exchange', 2],
        ['deposit', 1],
        ['deposit', undefined],
      ],
    );
    assert.deepEqual(done, ['deposit', 'exchange', 'transfer']);
  });

  test('reserved money can’t be spent, and an impossible action changes nothing', () => {
    const five = after('exchange', 'exchange', 'exchange', 'exchange', 'exchange');
    assert.deepEqual(held(five, 'USDT'), ['480.55', '180.55']);
    assert.equal(hindrance(five, 'exchange'), 'short');
    assert.equal(hindrance(five, 'transfer'), undefined);
    assert.deepEqual(accountAfter(five, ['exchange'], QUOTE), five);
    assert.equal(hindrance(accountAfter(five, ['deposit'], QUOTE), 'exchange'), undefined);
  });

  test('a sample accepts no more than the maximum number of actions', () => {
    const full = after(...Array.from({ length: MAX_STEPS + 5 }, () => 'deposit' as const));
    assert.equal(full.done.length, MAX_STEPS);
    assert.equal(hindrance(full, 'deposit'), 'full');
  });

  test('without a quote there is no exchange, and without its wallet no action', () => {
    assert.equal(movementOf(SAMPLE, 'exchange', undefined), undefined);
    assert.deepEqual(accountAfter(SAMPLE, ['exchange']), SAMPLE);
    const noBitcoin = { ...SAMPLE, wallets: SAMPLE.wallets.filter(({ total }) => total.unit !== 'BTC') };
    assert.equal(movementOf(noBitcoin, 'exchange', QUOTE), undefined);
    assert.ok(movementOf(noBitcoin, 'deposit', QUOTE));
  });

  test('only known actions are read from an address, and no more than the maximum', () => {
    assert.deepEqual(actionsIn(null), []);
    assert.deepEqual(actionsIn('deposit,steal,,transfer,Exchange,toString'), ['deposit', 'transfer']);
    assert.equal(actionsIn('deposit,'.repeat(5000)).length, MAX_STEPS);
  });
});
