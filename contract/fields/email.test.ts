import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EMAIL, email } from './email.ts';

const LABEL = 'a'.repeat(63);

test('addresses as mail servers take them, under national domains, too', () => {
  for (const [typed, read = typed] of [
    ['ann@example.org'],
    ["o'neil+kurs@mail.example.co.uk"],
    ['ivan@xn--h1alffa9f.xn--p1ai'],
    ['ivan@XN--H1ALFFA9F.XN--P1AI'],
    ['ivan@пример.рф', 'ivan@xn--e1afmkfd.xn--p1ai'],
    ['ivan@Пример.РФ', 'ivan@xn--e1afmkfd.xn--p1ai'],
    ['ivan@bücher.example', 'ivan@xn--bcher-kva.example'],
    [`${'a'.repeat(64)}@example.org`],
    [`ann@${LABEL}.org`],
  ] as const)
    assert.equal(email.parse(typed), read);
});

test('what no mail server takes is refused', () => {
  for (const typed of [
    ...['', 'ann', '@example.org', 'ann@', 'ann@example', 'ann@@example.org', 'ann bell@example.org', 'ann@exa mple.org'],
    ...['.ann@example.org', 'ann.@example.org', 'a..n@example.org', 'ann@.org', 'ann@example..org', 'ann@example.org.'],
    ...['ann@-example.org', 'ann@example-.org', 'ann@example.123', 'ann@example.xn--', 'ann@example.xn--a-', 'ann@127.0.0.1'],
    ...[
      `${'a'.repeat(65)}@example.org`,
      `ann@${LABEL}a.org`,
      `ann@example.xn--${'a'.repeat(60)}`,
      `ann@${`${LABEL}.`.repeat(4)}org`,
    ],
    ...['иван@example.org', 'ivan@пример.рф/..', 'ivan@пример.рф:25', 'ivan@при мер.рф', 'ivan@пример'],
    ...['ann@example.org\n', 'ann@example.org\r\nBcc: eve@example.org', `ivan@${'п'.repeat(80)}.рф`],
  ])
    assert.equal(email.safeParse(typed).success, false, typed);
});

test('a long text is refused at once', () => {
  const begin = performance.now();
  for (const text of ['a'.repeat(60_000), `${'a.'.repeat(30_000)}@`, `a@${'a.'.repeat(30_000)}`, `a@${'a'.repeat(60_000)}`])
    assert.equal(EMAIL.test(text), false);
  assert.ok(performance.now() - begin < 500);
});
