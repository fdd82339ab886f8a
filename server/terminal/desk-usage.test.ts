import assert from 'node:assert/strict';
import { test } from 'node:test';
import { surplusOf } from './index.ts';

test('finds surplus words, such as a part of an amount or of another command', () => {
  const cases: [typed: string, surplus: string | undefined][] = [
    ['fund USDT_ERC20 1 000', '000'],
    ['people revoke olga', 'revoke'],
    ['business 01a216ad approve now', 'now'],
    ['business 01a216ad limits', undefined],
    ['business 01a216ad paypal on', undefined],
    ['business 01a216ad strike shop.example.com', undefined],
    ['business 01a216ad strike shop.example.com now', 'now'],
    ['businesses applied', undefined],
    ['approve KX-7F3Q-2M8C refund', 'refund'],
    ['clear BTC 1 free loss', 'loss'],
    ['settings payments.watch 1 2', '2'],
    ['close TK-7F3Q-2M8C now', 'now'],
    ['keys all', 'all'],
    ['orders all', 'all'],
    ['difference BTC hot more 1', undefined],
    ['ticket-file TK-7F3Q-2M8C 1', undefined],
    ['settings payments.watch 1', undefined],
    ['sign-in 123456', undefined],
    ['sign-in', undefined],
    ['close', undefined],
    ['payins KX-7F3Q-2M8C', undefined],
    ['ask_papers 01a216ad-1e20-7216-b558-20be3f815f64', undefined],
    // Any number of words for a repeated argument.
    ['role operator a.b=on c.d=off e.f=on', undefined],
    // An unknown command; another error reports it.
    ['nope with words', undefined],
  ];
  for (const [typed, surplus] of cases) {
    const [command = '', ...words] = typed.split(' ');
    assert.equal(surplusOf(command, words), surplus, typed);
  }
});
