import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ConfigError, describeConfig, loadConfig, unknownVariables, VARIABLES } from './config.ts';

test('an empty environment is a complete sandbox on this machine', () => {
  const config = loadConfig({});
  assert.equal(config.KURS_MODE, 'sandbox');
  assert.equal(config.HOST, '127.0.0.1');
  assert.equal(config.BASE_URL, 'http://127.0.0.1:3000');
  assert.equal(config.KURS_BITCOIN_NETWORK, 'regtest');
  assert.ok(config.KURS_DATA.startsWith('/'));
  assert.equal(loadConfig({ PORT: '', HOST: '  ' }).PORT, 3000);
});

test('every variable has a description, and a default that its schema accepts', () => {
  for (const { name, words, initial } of describeConfig()) {
    assert.ok(words.length > 5, name);
    assert.ok(VARIABLES[name as keyof typeof VARIABLES].schema.safeParse(initial).success, `${name}=${initial}`);
  }
});

test('names all mistakes at once', () => {
  const load = () => loadConfig({ PORT: '99999', KURS_MODE: 'test', SMTP_URL: 'not an address' });
  assert.throws(
    load,
    (error) =>
      error instanceof ConfigError &&
      /PORT/.test(error.message) &&
      /KURS_MODE/.test(error.message) &&
      /SMTP_URL/.test(error.message),
  );
});

test('live mode requires an https address and refuses settings of the sandbox', () => {
  assert.throws(() => loadConfig({ KURS_MODE: 'live' }), /BASE_URL/);
  const live = { KURS_MODE: 'live', BASE_URL: 'https://desk.example.org/' };
  assert.equal(loadConfig(live).BASE_URL, 'https://desk.example.org');
  assert.equal(loadConfig(live).KURS_BITCOIN_NETWORK, 'mainnet');
  assert.equal(loadConfig(live).KURS_GOOGLE_CLIENT_ID, '', 'nobody signs in with Google before it is set up');
  for (const name of ['KURS_GOOGLE_KEYS', 'KURS_GOOGLE_SCRIPT'])
    assert.throws(() => loadConfig({ ...live, [name]: 'http://accounts.google.com/x' }), new RegExp(`${name} must be an https`));
  assert.throws(() => loadConfig({ ...live, KURS_GOOGLE_ISSUERS: ',' }), /KURS_GOOGLE_ISSUERS/);
  assert.throws(() => loadConfig({ ...live, KURS_SANDBOX_URL: 'http://127.0.0.1:1' }), /KURS_SANDBOX_URL/);
  assert.throws(() => loadConfig({ ...live, KURS_PRIVATE_WEBHOOKS: 'http://127.0.0.1:1' }), /KURS_PRIVATE_WEBHOOKS has no place/);
  assert.equal(loadConfig({ KURS_PRIVATE_WEBHOOKS: 'http://127.0.0.1:1/path' }).KURS_PRIVATE_WEBHOOKS, 'http://127.0.0.1:1');
});

test('an external robot check needs its keys and https addresses in live mode', () => {
  const live = { KURS_MODE: 'live', BASE_URL: 'https://desk.example.org/', KURS_BOT_CHECK: 'turnstile' };
  assert.throws(() => loadConfig(live), /KURS_BOT_SITE_KEY is needed[^]*KURS_BOT_SECRET is needed/);
  const keys = { KURS_BOT_SITE_KEY: 'public', KURS_BOT_SECRET: 'secret' };
  assert.equal(loadConfig({ ...live, ...keys }).KURS_BOT_CHECK, 'turnstile');
  for (const name of ['KURS_BOT_VERIFY', 'KURS_BOT_SCRIPT'])
    assert.throws(() => loadConfig({ ...live, ...keys, [name]: 'http://x.example' }), new RegExp(`${name} must be an https`));
  assert.throws(() => loadConfig({ KURS_BOT_CHECK: 'another' }), /KURS_BOT_CHECK/);
});

test('parses lists and flags', () => {
  const config = loadConfig({ TRUST_PROXY: '10.0.0.1, 10.1.0.0/16', KURS_STRICT_LIMITS: '1' });
  assert.deepEqual(config.TRUST_PROXY, ['10.0.0.1', '10.1.0.0/16']);
  assert.equal(config.KURS_STRICT_LIMITS, true);
});

test('the API is at the site’s own address unless another is named', () => {
  assert.equal(loadConfig({ PORT: '8080' }).KURS_API_URL, 'http://127.0.0.1:8080');
  assert.equal(loadConfig({ BASE_URL: 'https://kurs.example/' }).KURS_API_URL, 'https://kurs.example');
  assert.equal(loadConfig({ KURS_API_URL: 'https://api.kurs.example/' }).KURS_API_URL, 'https://api.kurs.example');
  assert.equal(loadConfig({ KURS_API_URL: 'https://kurs.example/calls/' }).KURS_API_URL, 'https://kurs.example/calls');
  const live = { KURS_MODE: 'live', BASE_URL: 'https://kurs.example' };
  assert.throws(() => loadConfig({ ...live, KURS_API_URL: 'http://api.kurs.example' }), /KURS_API_URL must be an https address/);
});

test('the console is beside the site, and in live mode on a host name of its own or behind a tunnel', () => {
  const of = ({ CONSOLE_PORT, CONSOLE_HOST, CONSOLE_URL }: ReturnType<typeof loadConfig>) => [
    CONSOLE_PORT,
    CONSOLE_HOST,
    CONSOLE_URL,
  ];
  assert.deepEqual(of(loadConfig({ PORT: '8080' })), [8081, '127.0.0.1', 'http://localhost:8081']);
  assert.deepEqual(of(loadConfig({ PORT: '65535', HOST: '0.0.0.0' })), [65534, '127.0.0.1', 'http://localhost:65534']);
  assert.equal(
    loadConfig({ CONSOLE_PORT: '9000', CONSOLE_URL: 'https://desk.kurs.example/' }).CONSOLE_URL,
    'https://desk.kurs.example',
  );
  const live = { KURS_MODE: 'live', BASE_URL: 'https://kurs.example', KURS_API_URL: 'https://api.kurs.example' };
  for (const url of ['', 'http://localhost:9000', 'https://desk.kurs.example'])
    assert.ok(loadConfig({ ...live, CONSOLE_URL: url }), url);
  assert.throws(() => loadConfig({ ...live, CONSOLE_URL: 'http://desk.kurs.example' }), /CONSOLE_URL must be an https address/);
  for (const url of ['https://kurs.example:8443', 'https://api.kurs.example'])
    assert.throws(() => loadConfig({ ...live, CONSOLE_URL: url }), /CONSOLE_URL must be on a host name of its own/);
  assert.throws(() => loadConfig({ CONSOLE_NETWORKS: '0.0.0.0/0' }), /CONSOLE_NETWORKS/);
});

test('refuses a client-id of the site that KURS_CLIENTS does not name, and says what to do', () => {
  assert.equal(loadConfig({}).KURS_SITE_CLIENT, 'web');
  for (const environment of [{ KURS_CLIENTS: 'shop' }, { KURS_SITE_CLIENT: 'shop' }, { KURS_SITE_CLIENT: 'public' }])
    assert.throws(() => loadConfig(environment), /KURS_SITE_CLIENT[^]+KURS_CLIENTS[^]+does not name[^]+Add it there/);
  assert.equal(loadConfig({ KURS_CLIENTS: 'shop, till', KURS_SITE_CLIENT: 'shop' }).KURS_SITE_CLIENT, 'shop');
});

const DATABASES = ['DATABASE_URL', 'KURS_APP_DATABASE_URL', 'KURS_SIGNER_DATABASE_URL'] as const;

test('refuses an address of another kind than its variable is for', () => {
  const wrong: [name: string, ...values: string[]][] = [
    [
      'BASE_URL',
      'ftp://desk.example',
      'https://desk.example/path',
      'https://a:b@desk.example',
      'https://desk.example/?a',
      'https://desk.example/#a',
    ],
    ['KURS_API_URL', 'ftp://api.example', 'https://a:b@api.example', 'https://api.example/?a', 'https://api.example/#a'],
    ['KURS_SITE_CLIENT', 'a b', 'веб'],
    ['SMTP_URL', 'http://mail.example', 'smtp://', 'smtps:///x', 'mail.example:25'],
    ['MAIL_FROM', 'desk', 'a@b.example, c@d.example', 'Kurs <desk>', 'Kurs\nBcc: x@y.example <a@b.example>'],
    [
      'TRUST_PROXY',
      'all',
      'true',
      '10.0.0.0/33',
      '10.0.0.0/x',
      '::1/129',
      '0.0.0.0/0',
      '::/0',
      '10.0.0.1, proxy.example',
      '10.0.0.0/8/8',
    ],
    ...DATABASES.map((name): [string, ...string[]] => [name, 'mysql://host/kurs', 'https://host/kurs']),
    ['KURS_HOURS', '25:00-26:00', '08:00-24:00', '08:60-09:00'],
    ['KURS_NAME', 'A\nB', 'A\u0000'],
    ['KURS_CHAT_SCRIPT', 'javascript:alert(1)', 'data:text/javascript,1'],
    ['KURS_ANIMATION', 'javascript:alert(1)', 'file:///etc/passwd'],
    ['KURS_SCREENING_URL', 'ftp://x.example'],
  ];
  for (const [name, ...values] of wrong)
    for (const value of values)
      assert.throws(
        () => loadConfig({ [name]: value }),
        (error) => error instanceof ConfigError && error.message.includes(name),
        `${name}=${value}`,
      );
  const right: [name: string, ...values: string[]][] = [
    ['BASE_URL', 'http://127.0.0.1:3000', 'https://desk.example/', 'https://desk.example:8443'],
    ['SMTP_URL', 'smtps://user:word@mail.example', 'smtp://[::1]:25', 'smtp://127.0.0.1:2525?pool=true'],
    ['MAIL_FROM', 'desk@kurs.example', 'Kurs, Ltd. <desk@kurs.example>', '"Kurs" <no-reply@localhost>', 'no-reply@127.0.0.1'],
    ['TRUST_PROXY', '127.0.0.1, ::1, 10.0.0.0/8, fd00::/8, 2001:db8::1, ::ffff:10.0.0.1'],
    ...DATABASES.map((name): [string, ...string[]] => [
      name,
      'postgres://u:p@h/kurs',
      'postgresql:///kurs?host=/run/postgresql',
      'postgres://u:p@%2Frun%2Fpostgresql:5432/kurs',
    ]),
    ['KURS_HOURS', '00:00-23:59', '22:00-02:00'],
  ];
  for (const [name, ...values] of right) for (const value of values) loadConfig({ [name]: value });
});

test('a mistake never quotes a value that may hold a secret', () => {
  for (const [name, value] of [
    ['SMTP_URL', 'https://user:word-of-mine@mail.example'],
    ...DATABASES.map((name) => [name, 'mysql://kurs:word-of-mine@host/kurs'] as const),
    ['KURS_BOT_SECRET', `word-of-mine${'x'.repeat(300)}`],
  ] as const)
    assert.throws(
      () => loadConfig({ [name]: value }),
      (error) => error instanceof ConfigError && !error.message.includes('word-of-mine'),
      name,
    );
});

test('a wrong address of a rail stops that rail alone', () => {
  const { railMistakes } = loadConfig({
    KURS_EVM_RPC: 'file:///dev/null',
    KURS_ESPLORA: 'ftp://x.example',
    KURS_TRON_API: 'javascript:1',
  });
  assert.deepEqual(Object.keys(railMistakes).sort(), ['bitcoin', 'evm', 'tron']);
});

test('names variables that begin with KURS_ and that nobody reads', () => {
  const environment = {
    KURS_ESPLROA: 'x',
    KURS_MODE: 'sandbox',
    KURS_KEY_SERVER_V1: 'x',
    KURS_TEST_FULL: '1',
    PATH: '/bin',
    KURS_NAMES: '',
  };
  assert.deepEqual(unknownVariables(environment), ['KURS_ESPLROA', 'KURS_NAMES']);
});
