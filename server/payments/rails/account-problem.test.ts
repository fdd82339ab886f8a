import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LOCALES, say } from '@kurs/contract';
import { accountProblem } from './account-problem.ts';

const ETHEREUM = 'Ethereum · ERC-20';
const wrong = { ok: false, field: 'address', problem: 'wrong_network' } as const;
const reported = (network: string, address: string): string => {
  const { code, params } = accountProblem(network, { ...wrong, read: address });
  return `${code} ${params['other'] ?? ''}`.trim();
};

test('recognises an address of another network by its form', () => {
  const cases: [string, string, string][] = [
    [ETHEREUM, 'bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu', 'address_of_network Bitcoin'],
    [ETHEREUM, 'RB1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KMMP8GD', 'address_of_network Bitcoin'],
    [ETHEREUM, 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t', 'address_of_network TRON'],
    ['Bitcoin', '0xdAC17F958D2ee523a2206206994597C13D831ec7', 'address_of_network Ethereum'],
    ['Bitcoin', 'LVg2kJoFNg45Nbpy53h7Fe1wKyeXVRhMH9', 'address_of_network Litecoin'],
    ['Bitcoin', '1BoatSLRHtKNngkdXEeobR76b53LETtpyT', 'address_of_chain Bitcoin mainnet'],
    ['Bitcoin', 'mipcBbFg9gMiCh81Kj8tqqdgoZub1ZJRfn', 'address_of_chain Bitcoin testnet'],
    ['Bitcoin', 'something-else', 'address_wrong_network'],
  ];
  for (const [network, address, expected] of cases) assert.equal(reported(network, address), expected, address);
});

test('names every other problem with the network', () => {
  const { code, params } = accountProblem(ETHEREUM, { ...wrong, problem: 'bad_checksum', read: '0x1' });
  assert.deepEqual([code, params], ['address_bad_checksum', { network: ETHEREUM }]);
});

test('both languages name the address’s network and the needed one', () => {
  const { code, params } = accountProblem(ETHEREUM, { ...wrong, read: '1BoatSLRHtKNngkdXEeobR76b53LETtpyT' });
  for (const locale of LOCALES) {
    const words = say(locale, `fields.${code}`, params) ?? '';
    assert.match(words, /Bitcoin.*Ethereum/, words);
    assert.doesNotMatch(words, /[{}]|\ba Eth/, words);
  }
});

test('every problem of every field has words without a blank left, and only an address is called one', () => {
  const wallet = { letter: 'P', digits: '7–12' };
  const refusals: Parameters<typeof accountProblem>[1][] = [
    ...(['empty', 'bad_format', 'bad_checksum', 'wrong_network', 'unusable'] as const).map((problem) => ({ ...wrong, problem })),
    ...(['empty', 'bad_format', 'unusable'] as const).flatMap((problem) => [
      { ok: false as const, field: 'account', problem },
      { ok: false as const, field: 'email', problem },
    ]),
    { ok: false, field: 'account', problem: 'bad_format', says: wallet },
    { ok: false, field: 'account', problem: 'bad_format', says: { ...wallet, or: 'email' } },
    { ok: false, field: 'account', problem: 'other_link', says: { other: 'Bitcoin' } },
    ...(['contract_call', 'unknown_link', 'web_page', 'hidden_character'] as const).map((problem) => ({ ...wrong, problem })),
    { ok: false, field: 'account', problem: 'look_alike', says: { letter: 'Р', latin: 'P', place: '1' } },
  ];
  for (const refused of refusals) {
    const { code, params } = accountProblem('Payeer', refused);
    for (const locale of LOCALES) {
      const words = say(locale, `fields.${code}`, params) ?? '{';
      assert.doesNotMatch(words, /[{}]/, code);
      if (refused.field !== 'address' && !code.startsWith('pasted_')) assert.doesNotMatch(words, /address|адрес/i, words);
      for (const said of Object.values(refused.says ?? {})) if (said !== 'email') assert.ok(words.includes(said), words);
    }
  }
});
