import { canonicalEmail } from '../../platform/index.ts';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { configureCompliance } from '../configure.ts';
import { claimedKey, customerKeys, customerOf, networkKey, typedKeys, whence } from './subject.ts';

test('spellings of one mailbox give one key', () => {
  for (const [typed, canonical] of [
    ['Ann@Example.org', 'ann@example.org'],
    ['ann+kurs@example.org', 'ann@example.org'],
    ['a.n.n+x+y@gmail.com', 'ann@gmail.com'],
    ['A.N.N@GoogleMail.com', 'ann@gmail.com'],
    ['a.n.n@example.org', 'a.n.n@example.org'],
    ['+tag@example.org', '+tag@example.org'],
    ['Ivan.Petrov@Yandex.ru', 'ivan-petrov@yandex.ru'],
    ['ivan-petrov+shop@yandex.com', 'ivan-petrov@yandex.ru'],
    ['ivan.petrov@yandex.by', 'ivan-petrov@yandex.ru'],
    ['ivan-petrov@yandex.kz', 'ivan-petrov@yandex.ru'],
    ['ivan.petrov@ya.ru', 'ivan-petrov@yandex.ru'],
    ['ivanpetrov@ya.ru', 'ivanpetrov@yandex.ru'],
    ['ivan.petrov@yandex.ua', 'ivan-petrov@yandex.ru'],
    ['ivan.petrov@yandex.com.tr', 'ivan-petrov@yandex.ru'],
    ['ivan.petrov@narod.ru', 'ivan-petrov@yandex.ru'],
    ['Ann.Bell+shop@proton.me', 'annbell@proton.me'],
    ['ann-bell@protonmail.com', 'annbell@proton.me'],
    ['ann_bell@protonmail.ch', 'annbell@proton.me'],
    ['annbell@PM.me', 'annbell@proton.me'],
    ['ann.bell+kurs@icloud.com', 'ann.bell@icloud.com'],
    ['ann.bell@me.com', 'ann.bell@icloud.com'],
    ['ann.bell@mac.com', 'ann.bell@icloud.com'],
    ['._-@pm.me', '._-@proton.me'],
    ['annbell@notproton.me', 'annbell@notproton.me'],
    ['ivan.petrov@yandex.ru.example.org', 'ivan.petrov@yandex.ru.example.org'],
    ['ivan.petrov@notyandex.ru', 'ivan.petrov@notyandex.ru'],
    ['Ivan+kurs@ПРИМЕР.РФ', 'ivan@xn--e1afmkfd.xn--p1ai'],
    ['ivan@XN--E1AFMKFD.XN--P1AI', 'ivan@xn--e1afmkfd.xn--p1ai'],
    ['anna@bücher.example', 'anna@xn--bcher-kva.example'],
  ] as const) {
    assert.equal(canonicalEmail(typed), canonical);
  }
});

test('limits count proven keys and the device, never typed data or the network', () => {
  configureCompliance({ botKey: 'k', isLoopbackCounted: true });
  const typed = { email: 'A+b@x.org', accounts: ['BTC:addr', 'BTC:addr'], device: 'd', ip: '203.0.113.7' };
  assert.deepEqual(customerKeys(typed), ['device:d']);
  assert.deepEqual(typedKeys(typed), ['account:BTC:addr', 'email:a@x.org']);
  assert.equal(claimedKey(typed), 'claimed:a@x.org');
  const shown = { ...typed, holder: { id: 'h', mailbox: 'a@x.org' } };
  assert.deepEqual(customerKeys(shown), ['device:d', 'email:a@x.org', 'holder:h']);
  assert.deepEqual([typedKeys(shown), claimedKey(shown)], [['account:BTC:addr'], undefined]);
  const other = { ...typed, holder: { id: 'h', mailbox: 'h@x.org' } };
  assert.deepEqual(customerKeys(other), ['device:d', 'email:h@x.org', 'holder:h']);
  assert.deepEqual([typedKeys(other), claimedKey(other)], [['account:BTC:addr', 'email:a@x.org'], undefined]);
  assert.equal(claimedKey({ ...typed, holder: { id: 'h' } }), 'claimed:a@x.org', 'no mailbox of theirs is known');
  assert.deepEqual(customerKeys({ ...typed, holder: { id: 'h' } }), ['device:d', 'holder:h']);
  assert.equal(networkKey(typed), 'net:203.0.113.0/24');
  assert.equal(networkKey({ ...typed, ip: '127.0.0.1' }), 'net:127.0.0.0/24');
});

test('the depth of payments is counted per holder, or per typed e-mail and device', () => {
  const typed = { email: 'A+b@x.org', device: 'd' };
  assert.equal(customerOf(typed), 'a@x.org at d');
  assert.notEqual(customerOf(typed), customerOf({ ...typed, device: 'e' }));
  assert.equal(customerOf({ ...typed, holder: { id: 'h', mailbox: 'a@x.org' } }), 'holder:h');
});

test('in the sandbox, customers at this machine’s own address are told apart by what they type', () => {
  configureCompliance({ botKey: 'k', isLoopbackCounted: false });
  for (const ip of ['127.0.0.1', '::1', '::ffff:127.0.0.1']) {
    const subject = { email: 'a@x.org', accounts: [], device: 'd', ip };
    assert.equal(networkKey(subject), undefined);
    assert.deepEqual(customerKeys(subject), ['typed:d:email:a@x.org']);
    assert.deepEqual(customerKeys({ ...subject, holder: { id: 'h', mailbox: 'a@x.org' } }), ['email:a@x.org', 'holder:h']);
  }
  assert.equal(networkKey({ email: 'a@x.org', accounts: [], ip: '203.0.113.7' }), 'net:203.0.113.0/24');
});

test('a request’s origin is its device and a /24 or /48; loopback counts only with strict limits', () => {
  const networkOf = (ip: string): string | undefined => whence({ device: 'd', ip }).network;
  configureCompliance({ botKey: 'k', isLoopbackCounted: true });
  assert.equal(networkOf('203.0.113.7'), networkOf('203.0.113.250'));
  assert.notEqual(networkOf('203.0.113.7'), networkOf('203.0.114.7'));
  assert.equal(networkOf('2001:db8:1:2::1'), networkOf('2001:db8:1:ffff::1'));
  assert.deepEqual(whence({ device: 'd', ip: '127.0.0.1' }), { device: 'device:d', network: 'net:127.0.0.0/24' });
  configureCompliance({ botKey: 'k', isLoopbackCounted: false });
  assert.deepEqual(whence({ device: 'd', ip: '127.0.0.1' }), { device: undefined, network: undefined });
});
