// Tests the settings of providers: a valid example, a description of each field, and a message for each mistake.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PROVIDER_NAMES, openProvider, providerExample } from './providers.ts';

const context = { reference: String, webhookUrl: 'https://desk.example.org/', siteUrl: (path: string) => path };
const refusal = (name: string, given: unknown): Promise<string> =>
  openProvider(name, given, context).then(
    () => assert.fail('was taken'),
    ({ message }: Error) => message,
  );
const exampleOf = async (name: string): Promise<Record<string, unknown>> =>
  (await providerExample(name))?.example as Record<string, unknown>;

for (const name of PROVIDER_NAMES)
  test(`${name}: accepts its own example, and describes each field and the place to find its value`, async () => {
    const found = await providerExample(name);
    assert.ok(found);
    const rail = await openProvider(name, found.example, context);
    assert.ok(rail.currencies.length > 0);
    await rail.close();
    for (const { path, description, where } of found.fields)
      assert.ok(description.length > 10 && where.length > 5, `${path}: ${description} (${where})`);
    // The example has each required field, by its path.
    for (const { path } of found.fields.filter(({ isNeeded }) => isNeeded))
      assert.notEqual(
        path.split('.').reduce<unknown>((at, key) => (at as Record<string, unknown>)[key], found.example),
        undefined,
        path,
      );
  });

for (const name of PROVIDER_NAMES)
  test(`${name}: names each missing field with its description, and shows no given value`, async () => {
    const { fields } = (await providerExample(name)) ?? { fields: [] };
    const words = await refusal(name, {});
    for (const { path, description, isNeeded } of fields)
      if (isNeeded && !path.includes('.')) assert.ok(words.includes(`${path} is missing: ${description} (`), `${path}: ${words}`);
    assert.match(words, new RegExp(`npm run config -- ${name}$`));
    assert.doesNotMatch(words, /undefined|expected|Invalid/);
  });

test('names an unknown field, and the similar field that was perhaps meant', async () => {
  const { secret, ...rest } = await exampleOf('payeer');
  const words = await refusal('payeer', { ...rest, secrte: secret, shopp: 'hush' });
  assert.match(words, /secret is missing: the secret key of the shop/);
  assert.match(words, /secrte is no field here; secret is/);
  assert.match(words, /shopp is no field here; shop is/);
  assert.doesNotMatch(words, /hush/);
  const deep = await refusal('volet', { ...(await exampleOf('volet')), wallets: { USB: 'hush', EUR: 'E123456789012' } });
  assert.match(deep, /wallets\.USB is no field here; wallets\.USD is/);
});

test('describes the field of an invalid value, and never shows the value', async () => {
  const words = await refusal('payeer', { ...(await exampleOf('payeer')), account: 'hush@example.org', apiId: 17 });
  assert.match(words, /account can't be that: the number of your account \(.+\), like P1000000/);
  assert.match(words, /apiId can't be that: the number of the API user/);
  assert.doesNotMatch(words, /hush|expected|received/);
  assert.match(await refusal('volet', { ...(await exampleOf('volet')), wallets: {} }), /wallets: at least one wallet/);
  assert.match(await refusal('webmoney', []), /the file: /);
  for (const given of [null, 'hush', 7, []]) assert.doesNotMatch(await refusal('paypal', given), /hush|expected/);
});
