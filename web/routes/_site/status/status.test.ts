import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CallError } from '@kurs/contract/client';
import { stubSite } from '../../../testing/serve.ts';
import { stubClient } from '../../../testing/stub.ts';

const clock = (): Date => new Date('2026-11-24T01:00:00Z');

/** Text of the page while every rail is up, except that the rails in `off` are switched off. */
async function shown(prefix: 'En' | 'Ru', off: readonly string[]): Promise<string> {
  const client = stubClient(clock);
  const known = await client.status({});
  const rails = known.rails.map((rail) => ({ ...rail, up: true, on: !off.includes(rail.rail) }));
  const site = await stubSite({ url: 'http://kurs.test', client: { ...client, status: async () => ({ ...known, rails }) } });
  const { body } = await site.handle({ method: 'GET', url: `/${prefix}/status`, headers: {}, cookies: {} });
  return body.replace(/<style>.*?<\/style>|<script.*?<\/script>|<[^>]+>/gs, ' ').replace(/[\s\u00a0]+/g, ' ');
}

test('a system that the operator switched off is shown as such, and the headline does not call it operational', async () => {
  assert.match(await shown('En', []), /All systems operational\./);
  const en = await shown('En', ['evm']);
  assert.doesNotMatch(en, /All systems operational/);
  assert.match(en, /1 system is switched off by the operator and takes no new orders\./);
  assert.equal(en.split(' Switched off by the operator ').length, 2);
  assert.equal(en.split(' Operational ').length, 2, 'only the other is up');
  assert.match(await shown('Ru', ['evm', 'bitcoin']), /Оператор выключил 2 системы: .*Выключена оператором/);
});

test('while no status can be read the page says so, with status 200', async () => {
  const away = (): never => {
    throw new CallError(503, { code: 'unavailable' } as never);
  };
  const site = await stubSite({ url: 'http://kurs.test', client: { ...stubClient(clock), status: async () => away() } });
  for (const [prefix, words] of [
    ['En', /This cannot be shown right now\./],
    ['Ru', /показать не удалось\./],
  ] as const) {
    const { status, body } = await site.handle({ method: 'GET', url: `/${prefix}/status`, headers: {}, cookies: {} });
    assert.equal(status, 200);
    assert.match(body, words);
  }
});
