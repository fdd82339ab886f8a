// Pages of a store's links with the stub of the API: the list, one link, and the form for a new one.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import en from '../locales/en-US.json' with { type: 'json' };
import { type Answers, merchant, refusal, storeAs } from '../testing/gate/answers.ts';
import { linkId, storeLinksOf } from '../testing/gate/links.ts';
import { PREFIXES, type ShowRequest, type Shown, WORDS, plain, showBusiness } from '../testing/gate/show-business.ts';

const now = new Date('2026-11-20T14:05:12Z');
const links = storeLinksOf(now);
const seller: Answers = {
  ...merchant(now),
  storeLinks: () => links,
  storeLinkMake: () => links[0],
  storeLinkChange: () => links[0],
};
const store = storeAs('personal', 'owner', now).id;
const show = (query = '', request: ShowRequest & { answers?: Answers } = {}): Promise<Shown> =>
  showBusiness(now, request.answers ?? seller, `/store/links?store=${store}${query}`, request);

describe('the links of a personal store', () => {
  for (const prefix of PREFIXES)
    test(`are listed with sum, state and number of payments (${prefix})`, async () => {
      const { status, text, body } = await show('', { prefix });
      assert.equal(status, 200);
      const words = WORDS[prefix];
      for (const { title, id } of links) {
        assert.ok(text.includes(title), title);
        assert.ok(body.includes(`/${prefix}/dashboard/business/store/links?store=${store}&amp;link=${id}`));
      }
      const paid = plain(words.links_paid_of).replace('{uses}', '7').replace('{max}', '20');
      for (const part of [paid, plain(words.links_on), plain(words.links_off)]) assert.ok(text.includes(part), part);
    });

  test('begin with a way to make the first, and are a tab of the store', async () => {
    const empty = await show('', { answers: { ...seller, storeLinks: () => [] } });
    assert.ok(empty.text.includes(en.links_none));
    assert.ok(empty.body.includes(`store=${store}&amp;new=1`));
    const { body } = await showBusiness(now, seller, `/store?id=${store}`);
    assert.ok(body.includes(`/En/dashboard/business/store/links?store=${store}`));
    const reader = storeAs('business', 'accountant', now).id;
    const closed = await showBusiness(now, seller, `/store/links?store=${reader}`);
    assert.equal(closed.status, 302, 'an accountant manages no links');
  });

  test('show one link with its address in the page’s language and a QR code', async () => {
    const { text, body } = await show(`&link=${linkId('fixed')}`, { prefix: 'Ru' });
    assert.ok(text.includes(`https://kurs.test/Ru/pay/link/${linkId('fixed')}`));
    assert.ok(body.includes('role="img"'));
    assert.ok(body.includes('value="25"') && body.includes('value="20"'));
    assert.equal((await show('&link=0199a7d2-7a3e-4c10-9f00-000000009999')).status, 404);
  });

  test('are made, changed, switched and removed by forms', async () => {
    const made: [string, unknown][] = [];
    const answers: Answers = { ...seller, storeLinkRemove: () => ({}), storeLinkPictureRemove: () => links[0] };
    const send = (query: string, form: Record<string, string>) => show(query, { answers, made, form });
    const of = { title: 'Lesson', currency: 'USDT' };
    const { location } = await send('&new=1', { intent: 'make', kind: 'fixed', amount: '25,000.5', max_uses: '1 000', ...of });
    assert.match(location ?? '', new RegExp(`store=${store}&link=${linkId('fixed')}`));
    const one = `&link=${linkId('any')}`;
    await send(one, { intent: 'change', kind: 'any', amount: '9', least: '1', most: '50', max_uses: '', ...of });
    await send(one, { intent: 'switch', on: 'true' });
    await send(one, { intent: 'picture-remove' });
    assert.match((await send(one, { intent: 'remove' })).location ?? '', /links\?store=[^&]+$/);
    const calls = made.filter(([name]) => name.startsWith('storeLink') && name !== 'storeLinks');
    const about = { store, id: linkId('any') };
    assert.deepEqual(calls, [
      ['storeLinkMake', { store, ...of, amount: '25000.5', max_uses: 1_000 }],
      ['storeLinkChange', { ...about, ...of, least: '1', most: '50', max_uses: null }],
      ['storeLinkChange', { ...about, on: true }],
      ['storeLinkPictureRemove', about],
      ['storeLinkRemove', about],
    ]);
  });

  test('show each refused field with what was typed', async () => {
    const storeLinkMake = () => {
      throw refusal({ title: ['Fill in this field'], max_uses: ['A whole number from 1 to 1,000,000'] });
    };
    const answers = { ...seller, storeLinkMake };
    const refused = await show('&new=1', {
      answers,
      form: { intent: 'make', kind: 'fixed', title: '', amount: '5', max_uses: '0' },
    });
    assert.equal(refused.status, 422);
    assert.equal(refused.body.split('aria-invalid="true"').length - 1, 2);
    const unread = await show('&new=1', {
      answers,
      form: { intent: 'make', kind: 'any', title: 'x', least: '', most: 'ten', max_uses: 'ten' },
    });
    assert.equal(unread.body.split('aria-invalid="true"').length - 1, 3);
    assert.ok(unread.body.includes('value="ten"'));
  });
});
