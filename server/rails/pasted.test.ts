// Tests text that people paste into account fields: links of wallets, other links, and invisible characters.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkAddress as checkBitcoin } from './bitcoin/address.ts';
import { networkOf } from './bitcoin/config.ts';
import { checkAddress as checkEvm } from './evm/address.ts';
import { bsc, ethereum } from './evm/config.ts';
import { checkCoinAddress } from './nebulox/address.ts';
import { COINS } from './nebulox/config.ts';
import { checkEmail, checkWallet } from './provider/index.ts';
import type { AccountCheck } from './rail.ts';
import { checkAddress as checkTron } from './tron/address.ts';

const USDT = '0xdAC17F958D2ee523a2206206994597C13D831ec7';
const OWN = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
const BITCOIN = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4';
const LEGACY = '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa';
const TRON = 'TN3W4H6rK2ce4vX9YnFQHwKENnHjoxb3m9';
const TRON_USDT = 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t';
const LITECOIN = 'LVg2kJoFNg45Nbpy53h7Fe1wKyeXVRhMH9';

/** Checks of an account field, by network: text in, account or problem out. */
const FIELDS: Record<string, (text: string) => AccountCheck> = {
  bitcoin: (address) => checkBitcoin(networkOf('mainnet'), { address }),
  ethereum: (address) => checkEvm({ address }, [USDT], ethereum({ rpc: '', chainId: 1 }).links),
  'a test chain': (address) => checkEvm({ address }, [USDT], ethereum({ rpc: '', chainId: 31_337, usdt: USDT }).links),
  bsc: (address) => checkEvm({ address }, [USDT], bsc({ rpc: '', chainId: 56 }).links),
  tron: (address) => checkTron({ address }, [TRON_USDT]),
  litecoin: (address) => checkCoinAddress(COINS[0]!, { address }),
  payeer: (account) => checkWallet('account', { letter: 'P', min: 7, max: 12 }, { account }),
  paypal: (email) => checkEmail('email', 127, { email }),
};
const reported = (field: string, text: string): string => {
  const checked = FIELDS[field]?.(text);
  return checked?.ok
    ? Object.values(checked.fields).join()
    : `${checked?.problem} ${Object.values(checked?.says ?? {}).join(' ')}`.trim();
};

test('reads the account in a payment link of the field’s own network, with any other parameters', () => {
  const cases: [field: string, text: string, account: string][] = [
    ['bitcoin', `bitcoin:${BITCOIN}?amount=0.01`, BITCOIN],
    ['bitcoin', `BITCOIN:${BITCOIN.toUpperCase()}?AMOUNT=0.01&LABEL=X`, BITCOIN],
    ['bitcoin', `bitcoin:${LEGACY}`, LEGACY],
    ['bitcoin', `bitcoin://${LEGACY}?message=a%20b#x`, LEGACY],
    ['bitcoin', `bitcoin:${LEGACY}?label=Иван`, LEGACY],
    ['bitcoin', `bitcoin:${LEGACY}?lightning=lnbc1&amount=1&amount=2`, LEGACY],
    ['ethereum', `ethereum:${OWN}@1`, OWN],
    ['ethereum', `ethereum:${OWN}`, OWN],
    ['ethereum', `ethereum:${OWN}@0x1`, OWN],
    ['bsc', `bsc:${OWN}?amount=5`, OWN],
    ['ethereum', `ETHEREUM:${OWN.toUpperCase()}@1?VALUE=1E18`, OWN],
    ['ethereum', `ethereum:pay-${OWN}@1/?value=2.5e16&gas=21000`, OWN],
    ['ethereum', `eth:${OWN}`, OWN],
    ['ethereum', `eip155:1:${OWN}`, OWN],
    ['ethereum', OWN.replace('0x', '0X'), OWN],
    ['ethereum', OWN.toUpperCase(), OWN],
    ['a test chain', `ethereum:${OWN}@1`, OWN],
    ['a test chain', `ethereum:${OWN}@31337`, OWN],
    ['bsc', `ethereum:${OWN}@56`, OWN],
    ['bsc', `ethereum:${OWN}?chainId=56&network=bsc`, OWN],
    ['ethereum', `ethereum:${OWN}?chainId=1&network=ERC20`, OWN],
    ['bsc', `ethereum:${OWN}`, OWN],
    ['bsc', `bnb:${OWN}`, OWN],
    ['bsc', `eip155:56:${OWN.toLowerCase()}`, OWN],
    ['tron', `tron:${TRON}?amount=5&token=${TRON_USDT}`, TRON],
    ['tron', `TRON:${TRON}`, TRON],
    ['litecoin', `litecoin:${LITECOIN}?amount=1`, LITECOIN],
    ['paypal', 'mailto:Ann@example.org?subject=x', 'ann@example.org'],
    ['payeer', 'p 100 0000', 'P1000000'],
    // Invisible characters that programs put around a text to show it.
    ['ethereum', `\u2068${OWN}\u2069`, OWN],
    ['bitcoin', `\uFEFF\u200B ${LEGACY}\u00A0\u200E\n`, LEGACY],
    ['payeer', '\u202AP1000000\u202C', 'P1000000'],
  ];
  for (const [field, text, account] of cases) assert.equal(reported(field, text), account, `${field} ${JSON.stringify(text)}`);
});

test('refuses links to another network, to a page or to a contract, each by its kind', () => {
  const call = `ethereum:${USDT}@1/transfer?address=${OWN}&uint256=1`;
  const cases: [field: string, text: string, problem: string][] = [
    ['ethereum', call, 'contract_call'],
    ['bsc', call, 'contract_call'],
    ['ethereum', call.toUpperCase(), 'contract_call'],
    ['ethereum', `ethereum:pay-${OWN}/approve?address=${USDT}`, 'contract_call'],
    ['ethereum', `ethereum:${OWN}?address=${USDT}&uint256=5`, 'contract_call'],
    ['ethereum', `ethereum:${OWN}?%61ddress=${USDT}`, 'contract_call'],
    ['ethereum', `ethereum:${OWN}?contractAddress=${USDT}&decimal=6`, 'contract_call'],
    ['ethereum', `ethereum:${OWN}@1?data=0xa9059cbb`, 'contract_call'],
    ['ethereum', `eth:${OWN}//transfer`, 'contract_call'],
    ['tron', `tron:${TRON_USDT}/transfer?address=${TRON}`, 'contract_call'],
    ['tron', `tron:${TRON}?to=${TRON_USDT}`, 'contract_call'],
    // These networks have no contracts, so the problem is an unknown link.
    ['bitcoin', `bitcoin:${LEGACY}?address=${BITCOIN}`, 'unknown_link'],
    ['bitcoin', `bitcoin:?address=${BITCOIN}`, 'unknown_link'],
    ['litecoin', `litecoin:${LITECOIN}/pay`, 'unknown_link'],
    ['tron', `tron:${TRON_USDT}`, 'unusable'],
    ['ethereum', `ethereum:${USDT}@1`, 'unusable'],
    ['ethereum', `ethereum:${OWN}@56`, 'other_link BNB Smart Chain'],
    ['ethereum', `ethereum:${OWN}@137`, 'other_link Polygon'],
    ['ethereum', `eth:${OWN}?chainId=56`, 'other_link BNB Smart Chain'],
    ['ethereum', `ethereum:${OWN}?value=1&chainid=0x89`, 'other_link Polygon'],
    ['ethereum', `ethereum:${OWN}?Network=Polygon`, 'other_link Polygon'],
    ['bsc', `ethereum:${OWN}?network=eth`, 'other_link Ethereum'],
    ['bitcoin', `bitcoin:${LEGACY}?network=liquidnetwork`, 'other_link Liquid'],
    ['tron', `tron:${TRON}?chain=bsc`, 'other_link BNB Smart Chain'],
    ['ethereum', `ethereum:${OWN}@999`, 'other_link EVM 999'],
    ['ethereum', `eip155:56:${OWN}`, 'other_link BNB Smart Chain'],
    ['ethereum', `bnb:${OWN}`, 'other_link BNB Smart Chain'],
    ['bsc', `eth:${OWN}`, 'other_link Ethereum'],
    ['bsc', `ethereum:${OWN}@1`, 'other_link Ethereum'],
    ['ethereum', `tron:${TRON}`, 'other_link TRON'],
    ['ethereum', `bitcoin:${BITCOIN}`, 'other_link Bitcoin'],
    ['bitcoin', `ethereum:${OWN}@1`, 'other_link Ethereum'],
    ['bitcoin', `bitcoincash:${LEGACY}`, 'other_link Bitcoin Cash'],
    ['bitcoin', 'LIGHTNING:LNBC10U1P', 'other_link Lightning'],
    ['bitcoin', `litecoin:${LITECOIN}`, 'other_link Litecoin'],
    ['tron', `ethereum:${OWN}`, 'other_link Ethereum'],
    ['litecoin', `bitcoin:${LEGACY}`, 'other_link Bitcoin'],
    ['payeer', `bitcoin:${LEGACY}`, 'other_link Bitcoin'],
    ['paypal', `ethereum:${OWN}`, 'other_link Ethereum'],
    // Short names of chains (ERC-3770), and schemes of other coins.
    ['ethereum', `matic:${OWN}`, 'other_link Polygon'],
    ['bsc', `arb1:${OWN}`, 'other_link Arbitrum One'],
    ['ethereum', `OETH:${OWN}`, 'other_link Optimism'],
    ['ethereum', `base:${OWN}`, 'other_link Base'],
    ['ethereum', `avax:${OWN}`, 'other_link Avalanche'],
    ['ethereum', `gno:${OWN}`, 'other_link Gnosis'],
    ['ethereum', `ethereum:${OWN}@100`, 'other_link Gnosis'],
    ['ethereum', `ethereum:${OWN}@61`, 'other_link Ethereum Classic'],
    ['ethereum', `etc:${OWN}`, 'other_link Ethereum Classic'],
    ['bitcoin', 'bchtest:qq', 'other_link Bitcoin Cash'],
    ['bitcoin', 'liquidnetwork:VJL', 'other_link Liquid'],
    ['bitcoin', 'web+cardano:addr1', 'other_link Cardano'],
    ['tron', 'xrpl:rPE', 'other_link XRP Ledger'],
    // Unknown schemes are not named as a network.
    ['tron', 'toncoin-pay:EQ', 'unknown_link'],
    ['ethereum', `metamask://send/${OWN}@1`, 'unknown_link'],
    ['ethereum', `usdt:${OWN}`, 'unknown_link'],
    ['bitcoin', `btc:${LEGACY}`, 'unknown_link'],
    ['ethereum', `ethereum:${OWN}@`, 'unknown_link'],
    ['ethereum', `ethereum:${OWN}@1@56`, 'unknown_link'],
    ['ethereum', `ethereum:${OWN}@0x38`, 'other_link BNB Smart Chain'],
    ['ethereum', `ethereum:${OWN}@mainnet`, 'unknown_link'],
    ['ethereum', 'ethereum:?value=1', 'unknown_link'],
    ['bitcoin', 'bitcoin:?lno=lno1', 'unknown_link'],
    ['bitcoin', `bitcoin:${LEGACY}?req-somethingyoudontunderstand=50`, 'unknown_link'],
    ['bitcoin', `bitcoin:${LEGACY}?%zz=1`, 'unknown_link'],
    ['bitcoin', `bitcoin:tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx`, 'wrong_network'],
    ['bitcoin', `bitcoin:${LEGACY.slice(0, -1)}b`, 'bad_checksum'],
    ['bitcoin', `bitcoin:bitcoin:${LEGACY}`, 'bad_format'],
    ['ethereum', 'ethereum:vitalik.eth', 'bad_format'],
    ['bitcoin', 'BTC: see below', 'bad_format'],
    ['ethereum', `https://etherscan.io/address/${OWN}`, 'web_page'],
    ['payeer', 'https://payeer.com/P1000000', 'web_page'],
    ['paypal', 'ann..lee@example.org', 'bad_format'],
    ['paypal', '.ann@example.org', 'bad_format'],
    ['paypal', `${'a'.repeat(65)}@example.org`, 'bad_format'],
    ['payeer', 'X1000000', 'bad_format P 7–12'],
    ['payeer', 'P100', 'bad_format P 7–12'],
  ];
  for (const [field, text, problem] of cases) assert.equal(reported(field, text), problem, `${field} ${JSON.stringify(text)}`);
});

test('names a letter of another alphabet, and reports an invisible character', () => {
  const cases: [field: string, text: string, problem: string][] = [
    ['payeer', 'Р1000000', 'look_alike Р P 1'],
    ['payeer', 'P100000O', 'bad_format P 7–12'],
    ['payeer', 'P１000000', 'look_alike １ 1 2'],
    ['ethereum', OWN.replace('e', 'е'), 'look_alike е e 6'],
    ['ethereum', `ethereum:${OWN.replace('0x', '0х')}@1`, 'look_alike х x 11'],
    ['bitcoin', LEGACY.replace('A', 'А'), 'look_alike А A 2'],
    ['bitcoin', LEGACY.replace('A', 'Α'), 'look_alike Α A 2'],
    ['tron', TRON.replace('T', 'Т'), 'look_alike Т T 1'],
    ['litecoin', LITECOIN.replace('K', '\u212A'), 'look_alike \u212A K 25'],
    ['paypal', 'аnn@example.org', 'look_alike а a 1'],
    ['paypal', 'ann@exаmple.org', 'look_alike а a 7'],
    ['ethereum', OWN.replace('A', '\u200BA'), 'hidden_character'],
    ['ethereum', `\u202E${[...OWN].toReversed().join('')}`, 'hidden_character'],
    ['ethereum', `${OWN}\u202E`, 'hidden_character'],
    ['bitcoin', `${LEGACY}\n${LEGACY}`, 'hidden_character'],
    ['payeer', 'P1000\u00000000', 'hidden_character'],
    ['paypal', 'ann\u00AD@example.org', 'hidden_character'],
    ['tron', '\u2068\u2069 ', 'empty'],
  ];
  for (const [field, text, problem] of cases) assert.equal(reported(field, text), problem, `${field} ${JSON.stringify(text)}`);
});
