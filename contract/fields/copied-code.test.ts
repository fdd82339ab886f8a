// Codes as people copy them from letters, chats and paper.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { copiedCode, withLatinLetters, withDigits } from './copied-code.ts';
import { routes } from '../routes/index.ts';
import { ticketId } from '../routes/support.ts';
import { orderId } from '../wire.ts';

test('a copied code loses the spaces, quotes and end marks around it; its dashes are one dash', () => {
  for (const copied of [
    ...[
      'SPRING-20',
      'spring-20',
      ' Spring-20 ',
      'SPRING\u00A0-\u202F20',
      'SPR ING-20',
      '\u200BSPRING-20\uFEFF',
      'SPRING\u00AD-20',
    ],
    ...['SPRING‐20', 'SPRING‑20', 'SPRING‒20', 'SPRING–20', 'SPRING—20', 'SPRING―20', 'SPRING−20', 'SPRING－20', 'SPRING﹣20'],
    ...[
      'SPRING-20.',
      'SPRING-20,',
      '(SPRING-20)',
      '«SPRING-20»',
      '“SPRING-20”',
      '„SPRING-20“',
      "'SPRING-20'",
      '"SPRING-20"!',
      '`SPRING-20`',
    ],
    ...[
      'SPRING-20;',
      'SPRING-20:',
      'SPRING-20?',
      'SPRING-20…',
      'SPRING-20。',
      '[SPRING-20]',
      '<SPRING-20>',
      '‹SPRING-20›',
      '「SPRING-20」',
    ],
    ...[
      'SPRING\uFE0F-\u034F20',
      'SPRING➖\uFE0F20',
      'SPR\u3164ING-20',
      'SPRING━20',
      'SPRING╌20',
      'SPRING⎯20',
      'SPRINGー20',
      'ˮSPRING-20ˮ',
    ],
    ...['ＳＰＲＩＮＧ－２０', 'SPRING-²0', '𝐒𝐏𝐑𝐈𝐍𝐆-20', 'SPRING-20\n'],
  ])
    assert.equal(copiedCode(copied), 'SPRING-20', JSON.stringify(copied));
});

test('look-alikes are read as Latin letters, and as digits where asked', () => {
  assert.equal(withLatinLetters(copiedCode('АВСЕНКМОРТХУІЅЈ-асеорхуі')), 'ABCEHKMOPTXYISJ-ACEOPXYI');
  assert.equal(withLatinLetters(copiedCode('ѕһԛԝӏѵүԁԍїёЁ')), 'SHQWIVYDGIEE');
  assert.equal(withLatinLetters('ЖЩ'), 'ЖЩ');
  assert.equal(withDigits('OIL-0Q'), '011-0Q');
});

test('numbers of orders and digits that confirm something are taken as people copy them', () => {
  for (const copied of ['kx–7f3q–2m8c', 'KX‑7F3Q‑2M8C.', '«KX-7F3Q-2M8C»', ' KX-7F3Q-2M8C ', 'КХ-7F3Q-2М8С', 'KX-7F3Q-2M8C,'])
    assert.equal(orderId.parse(copied), 'KX-7F3Q-2M8C', copied);
  assert.equal(orderId.parse('kl-oil3-2m8c'), 'KL-0113-2M8C');
  for (const copied of ['tk–7f3q–2m8c', 'ТК-7F3Q-2М8С', '«TK-7F3Q-2M8C».', 'TK 7F3Q 2M8C'])
    assert.equal(ticketId.parse(copied), 'TK-7F3Q-2M8C', copied);
  const otp = routes.userEmailVerify.input.shape.otp;
  for (const copied of ['123456', '123 456', '123-456', '123–456', '１２３４５６', '123456.', '“123456”'])
    assert.equal(otp.parse(copied), '123456', copied);
  for (const wrong of ['12345', '1234567', '12345O', 'abcdef', '123.456'])
    assert.equal(otp.safeParse(wrong).success, false, wrong);
});
