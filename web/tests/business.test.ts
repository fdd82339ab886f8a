// Pages of businesses and stores with the stub of the API: their states, lists, forms and refusals, in both languages.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import en from '../locales/en-US.json' with { type: 'json' };
import { type Answers, businessIn, merchant, newcomer, refusal, storeAs } from '../testing/gate/answers.ts';
import { PREFIXES, type ShowRequest, type Shown, WORDS, plain, showBusiness } from '../testing/gate/show-business.ts';

const now = new Date('2026-11-20T14:05:12Z');
const show = (answers: Answers, path: string, request?: ShowRequest): Promise<Shown> => showBusiness(now, answers, path, request);

/** Returns the answers of an account with a business in a state. */
const withBusiness = (state: Parameters<typeof businessIn>[0], level = 1): Answers => {
  const usual = newcomer(now) as { business: () => object };
  return { ...usual, business: () => ({ ...usual.business(), level, business: businessIn(state, now) }) };
};
const idAs = (kind: Parameters<typeof storeAs>[0], role: Parameters<typeof storeAs>[1]): string => storeAs(kind, role, now).id;
const FIELD_ERROR = /aria-invalid="true"/g;

describe('the page of the business', () => {
  for (const prefix of PREFIXES) {
    test(`explains the kinds of stores to a newcomer (${prefix})`, async () => {
      const { status, text, body } = await show(newcomer(now), '', { prefix });
      assert.equal(status, 200);
      const words = WORDS[prefix];
      for (const key of ['business_kind_business', 'business_kind_personal', 'business_kind_test', 'stores_none'] as const)
        assert.ok(text.includes(plain(words[key])), key);
      assert.ok(body.includes(`href="/${prefix}/dashboard/business/apply"`));
      assert.doesNotMatch(body, /<option value="business"/, 'a kind that can’t be made is not offered');
    });

    test(`shows what the stores received, what waits, and the sales of 30 days (${prefix})`, async () => {
      const { text, body } = await show(merchant(now), '', { prefix });
      const words = WORDS[prefix];
      for (const key of ['business_money', 'business_waiting', 'business_sales_days'] as const)
        assert.ok(text.includes(plain(words[key])), key);
      assert.ok(text.includes(prefix === 'En' ? '1,204.15 USDT' : '1 204,15 USDT'), 'a balance');
      const reserve = prefix === 'En' ? '310.45 USDT' : '310,45 USDT';
      assert.ok(text.includes(`${plain(words.business_money_reserve)} ${reserve}`), 'the reserve');
      assert.ok(text.includes(plain(words.business_waiting_short).replace('{count}', '1')));
      assert.ok(body.includes(`/${prefix}/dashboard/business/store/invoices?store=${idAs('business', 'owner')}&amp;state=short`));
      const made: [string, unknown][] = [];
      await show(newcomer(now), '', { prefix, made });
      assert.ok(!made.some(([name]) => name === 'storesOverview'), 'nothing is asked for an account without stores');
    });

    test(`shows each state of an application with its next step (${prefix})`, async () => {
      for (const state of ['applied', 'approved', 'refused', 'suspended', 'closed'] as const) {
        const { text, body } = await show(withBusiness(state), '', { prefix });
        assert.ok(text.includes(plain(WORDS[prefix][`business_state_${state}`])), state);
        assert.ok(text.includes(plain(WORDS[prefix][`business_next_${state}`])), state);
        assert.ok(text.includes(prefix === 'En' ? 'Serbia' : 'Сербия'), state);
        assert.equal(text.includes('The register shows another name.'), state === 'refused');
        assert.equal(body.includes('/dashboard/business/apply'), state === 'refused' || state === 'closed', state);
      }
    });
  }

  test('says that the owner needs level 2 while an application waits, and only to owners below it', async () => {
    const needed = en.business_level.replace('{level}', '2');
    const { text } = await show(withBusiness('applied'), '');
    assert.ok(text.includes(needed));
    assert.ok(!text.includes('You can send the application'), 'it was sent');
    assert.ok(!(await show(withBusiness('applied', 2), '')).text.includes(needed));
    assert.ok(!(await show(withBusiness('approved'), '')).text.includes(needed));
  });

  test('links each store to the parts that the role permits', async () => {
    const { body, text } = await show(merchant(now), '');
    const isLinked = (page: string, id: string): boolean => body.includes(`href="/En/dashboard/business/store${page}?id=${id}"`);
    const parts = (...store: Parameters<typeof idAs>): string[] =>
      ['', '/members', '/keys'].filter((page) => isLinked(page, idAs(...store)));
    assert.deepEqual(parts('business', 'owner'), ['', '/members', '/keys']);
    assert.deepEqual(parts('business', 'manager'), ['']);
    assert.deepEqual(parts('business', 'developer'), ['', '/keys']);
    assert.deepEqual(parts('business', 'accountant'), ['']);
    assert.deepEqual(parts('personal', 'owner'), ['']);
    assert.deepEqual(parts('test', 'owner'), ['', '/members', '/keys']);
    assert.ok(text.includes(en.store_test_badge));
  });

  test('accepts an invitation and leads to the store; declining it stays on the page', async () => {
    const made: [string, unknown][] = [];
    const answers = { ...merchant(now), storeJoin: () => ({ store: 'the-store' }) };
    const join = { intent: 'join', id: 'an-invitation' };
    const accepted = await show(answers, '', { form: { ...join, accept: 'yes' }, made });
    assert.equal(accepted.location, '/En/dashboard/business/store?id=the-store');
    const declined = await show(answers, '', { form: { ...join, accept: 'no' }, made });
    assert.deepEqual(
      made.filter(([name]) => name === 'storeJoin').map(([, input]) => (input as { accept: boolean }).accept),
      [true, false],
    );
    assert.equal(declined.status, 200);
    assert.ok(declined.text.includes(en.invitations_declined));
  });

  test('makes a store and leads to it; a refused form keeps its values', async () => {
    const form = {
      intent: 'make',
      kind: 'test',
      name: 'Trial',
      invoice_currency: 'BTC',
      settlement_currency: 'BTC',
      timezone: '',
    };
    const made: [string, unknown][] = [];
    const { location } = await show(newcomer(now), '', { form, made });
    assert.equal(location, `/En/dashboard/business/store?id=${idAs('test', 'owner')}`);
    const { intent: _intent, timezone: _timezone, ...sent } = form;
    assert.deepEqual(made.find(([name]) => name === 'storeMake')?.[1], sent, 'the time zone of the account is left out');
    const storeMake = (): never => {
      throw refusal({ name: ['This is too long'] });
    };
    const refused = await show({ ...newcomer(now), storeMake }, '', { form });
    assert.equal(refused.status, 422);
    assert.ok(refused.text.includes('This is too long'));
    assert.match(refused.body, /value="Trial"/);
    assert.match(refused.body, /<option value="test" selected=""/);
  });
});

describe('the application', () => {
  const FORM = {
    ...{ legal_name: 'Tea', registration_number: '1', country: 'RS', address: 'Street 1', goods: 'Tea' },
    ...{ web_sites: 'tea.example.com\n\nbooks.example.com', turnover_usd: '25 000' },
    ...{ 'owners.0.name': '', 'owners.0.percent': '', 'owners.1.name': 'Ann', 'owners.1.percent': '60%' },
  };

  test('is sent with the lines of web sites and the owners that were typed', async () => {
    const made: [string, unknown][] = [];
    const { location } = await show(newcomer(now), '/apply', { form: FORM, made });
    assert.equal(location, '/En/dashboard/business');
    assert.deepEqual(made.find(([name]) => name === 'businessApply')?.[1], {
      ...{ legal_name: 'Tea', registration_number: '1', country: 'RS', address: 'Street 1', goods: 'Tea' },
      ...{ web_sites: ['tea.example.com', 'books.example.com'], turnover_usd: 25_000 },
      owners: [{ name: 'Ann', percent: 60 }],
    });
  });

  for (const prefix of PREFIXES)
    test(`keeps what was typed, and shows each error at its field (${prefix})`, async () => {
      const businessApply = (): never => {
        throw refusal({
          ...{ legal_name: ['Fill this in'], 'web_sites.1': ['Write the address alone'], turnover_usd: ['A code for programs'] },
          ...{ 'owners.0.percent': ['From 26 to 100'], elsewhere: ['This belongs to no field'] },
        });
      };
      const { status, body, text } = await show({ ...newcomer(now), businessApply }, '/apply', { form: FORM, prefix });
      assert.equal(status, 422);
      assert.equal(body.match(FIELD_ERROR)?.length, 4);
      assert.ok(text.includes('books.example.com: Write the address alone'), 'the error names the line');
      assert.ok(text.includes(plain(WORDS[prefix].business_turnover_wrong)));
      assert.ok(text.includes('This belongs to no field'));
      const [share = ''] = /<input[^>]*name="owners\.1\.percent"[^>]*>/.exec(body) ?? [];
      assert.match(share, FIELD_ERROR, 'of the second row, since the first is empty');
      assert.match(body, /href="#field-owners-1-percent"/);
      assert.match(body, /value="25 000"/);
      assert.match(body, /tea\.example\.com\n\nbooks\.example\.com<\/textarea>/);
      assert.match(body, /<option value="RS" selected=""/);
    });

  test('offers countries in the reader’s language without refused ones, and lists refused goods', async () => {
    for (const [prefix, name] of [
      ['En', 'Serbia'],
      ['Ru', 'Сербия'],
    ] as const) {
      const { body, text } = await show(newcomer(now), '/apply', { prefix });
      assert.ok(body.includes(`<option value="RS">${name}</option>`));
      assert.ok(!body.includes('<option value="KP">'));
      assert.ok(text.includes('Prescription drugs'));
    }
  });

  test('begins with the refused application, and is closed while another one waits', async () => {
    const again = await show(withBusiness('refused'), '/apply');
    assert.match(again.body, /value="Tea and Books d\.o\.o\."/);
    assert.match(again.body, /value="Ann Petrovic"/);
    for (const state of ['applied', 'approved', 'suspended'] as const)
      assert.equal((await show(withBusiness(state), '/apply')).location, '/En/dashboard/business', state);
  });
});

describe('the pages of a store', () => {
  const owned = idAs('business', 'owner');

  test('show settings to each member, and the forms to those who may change them', async () => {
    for (const [role, isOffered, mayLeave] of [
      ['owner', true, false],
      ['manager', true, true],
      ['accountant', false, true],
    ] as const) {
      const { body, text } = await show(merchant(now), `/store?id=${idAs('business', role)}`);
      for (const form of ['look', 'money', 'invoices', 'site-add', 'site-remove'])
        assert.equal(body.includes(`value="${form}"`), isOffered, `${role} ${form}`);
      assert.equal(text.includes(en.store_leave), mayLeave, role);
      for (const words of [en.store_role_own, en.store_costs_buyer, en.store_tolerance, 'tea.example.com', en.store_site_struck])
        assert.ok(text.includes(words), `${role} ${words}`);
    }
  });

  test('are not open to members without the permission, and not of a personal store', async () => {
    for (const [page, kind, role] of [
      ['members', 'business', 'manager'],
      ['members', 'business', 'developer'],
      ['keys', 'business', 'manager'],
      ['keys', 'business', 'accountant'],
      ['members', 'personal', 'owner'],
      ['keys', 'personal', 'owner'],
    ] as const) {
      const id = idAs(kind, role);
      const { location } = await show(merchant(now), `/store/${page}?id=${id}`);
      assert.equal(location, `/En/dashboard/business/store?id=${id}`, `${page} ${kind} ${role}`);
    }
  });

  test('say that there is no such store to people without a role in it', async () => {
    const { status, text } = await show(newcomer(now), `/store?id=${owned}`);
    assert.equal(status, 404);
    assert.ok(text.includes(en.store_missing_title));
  });

  /** Fields of the forms that change settings, and the call's input that each gives. */
  const FORMS = {
    look: [
      { name: ' New ', colour: '', timezone: 'UTC' },
      { name: 'New', colour: null, timezone: 'UTC' },
    ],
    money: [
      { invoice_currency: 'BTC', settlement_currency: 'BTC', costs_bearer: 'store', tolerance: '0,5 %' },
      { invoice_currency: 'BTC', settlement_currency: 'BTC', costs_bearer: 'store', tolerance: '0.5' },
    ],
    invoices: [
      {
        ...{ life_minutes: '60', short_preset: 'accept', methods: 'some', letters: 'yes' },
        ...{ 'method-BTC': 'yes', 'method-PAYPAL_USD': 'yes', return_url: 'tea.example.com/thanks' },
      },
      {
        ...{ life_minutes: 60, short_preset: 'accept', methods: ['BTC', 'PAYPAL_USD'], letters: true },
        return_url: 'https://tea.example.com/thanks',
      },
    ],
  } as const;

  for (const [intent, [form, input]] of Object.entries(FORMS))
    test(`change settings by the form ${intent}; a refusal is shown at its field`, async () => {
      const made: [string, unknown][] = [];
      const answers = { ...merchant(now), storeChange: () => ({}) };
      const stored = await show(answers, `/store?id=${owned}`, { form: { intent, ...form }, made });
      assert.ok(stored.text.includes(en.about_saved));
      assert.deepEqual(made.find(([name]) => name === 'storeChange')?.[1], { store: owned, ...input });
      const field = { look: 'colour', money: 'tolerance', invoices: 'return_url' }[intent as keyof typeof FORMS];
      const storeChange = (): never => {
        throw refusal({ [field]: ['It can’t be so'] });
      };
      const refused = await show({ ...merchant(now), storeChange }, `/store?id=${owned}`, { form: { intent, ...form } });
      assert.equal(refused.status, 422);
      assert.ok(refused.text.includes('It can’t be so'));
      assert.equal(refused.body.match(FIELD_ERROR)?.length, 1);
    });

  for (const prefix of PREFIXES)
    test(`offer methods that people switch on for a business only once they are on (${prefix})`, async () => {
      const usual = merchant(now) as { stores: () => { stores: object[] } };
      const switchedOn = (more: object): Answers => ({
        ...usual,
        stores: () => ({ ...usual.stores(), stores: usual.stores().stores.map((one) => ({ ...one, ...more })) }),
      });
      const closed = plain(WORDS[prefix].store_methods_closed).split('{names}')[0] ?? '';
      const boxOf = ({ body }: Shown): string => /<input[^>]*name="method-PAYPAL_USD"[^>]*>/.exec(body)?.[0] ?? '';
      const isClosed = (shown: Shown): boolean => shown.text.includes(`${closed}USD`);
      const off = await show(usual as Answers, `/store?id=${owned}`, { prefix });
      assert.match(boxOf(off), /disabled=""/);
      assert.ok(isClosed(off));
      assert.match(off.body, new RegExp(`href="/${prefix}/contact-us\\?topic=business"`));
      const on = await show(switchedOn({ takes_reversible: true }), `/store?id=${owned}`, { prefix });
      assert.doesNotMatch(boxOf(on), /disabled|^$/);
      assert.ok(!isClosed(on));
      const chosen = await show(switchedOn({ methods: ['PAYPAL_USD'] }), `/store?id=${owned}`, { prefix });
      assert.doesNotMatch(boxOf(chosen), /disabled|^$/, 'one that the store has can be taken from it');
      assert.ok(isClosed(chosen));
      const personal = await show(usual as Answers, `/store?id=${idAs('personal', 'owner')}`, { prefix });
      assert.equal(boxOf(personal), '', 'a personal store never has them');
      assert.ok(!isClosed(personal) && personal.body.includes('name="method-BTC"'));
      const form = await show(usual as Answers, `/store/invoices/new?store=${owned}`, { prefix });
      assert.ok(boxOf(form) === '' && form.body.includes('name="method-BTC"'), 'nor is it offered for one invoice');
    });

  test('show errors about single methods at the list of methods, and send none as all', async () => {
    const storeChange = (): never => {
      throw refusal({ 'methods.1': ['This is no method'] });
    };
    const form = { intent: 'invoices', ...FORMS.invoices[0] };
    const { text } = await show({ ...merchant(now), storeChange }, `/store?id=${owned}`, { form });
    assert.ok(text.includes('This is no method'));
    const made: [string, unknown][] = [];
    const all = { ...form, methods: 'all', return_url: '', letters: undefined as never };
    await show({ ...merchant(now), storeChange: () => ({}) }, `/store?id=${owned}`, { form: all, made });
    const [, sent] = made.find(([name]) => name === 'storeChange') ?? assert.fail('nothing was sent');
    const { methods, return_url: url } = sent as Record<string, unknown>;
    assert.deepEqual([methods, url], [null, null]);
  });

  test('add and remove web sites of a business’s store, and show none for others', async () => {
    const made: [string, unknown][] = [];
    const done = (): object => ({});
    const answers: Answers = { ...merchant(now), storeSiteAdd: done, storeSiteRemove: done, storeMarkRemove: done };
    const page = `/store?id=${owned}`;
    const added = await show(answers, page, { form: { intent: 'site-add', site: 'new.example' }, made });
    assert.ok(added.text.includes(en.store_site_added));
    const removed = await show(answers, page, { form: { intent: 'site-remove', site: 'https://tea.example.com' }, made });
    assert.ok(removed.text.includes(en.store_site_removed));
    await show(answers, page, { form: { intent: 'mark-remove' }, made });
    assert.deepEqual(
      made.filter(([name]) => /^store(?:Site|Mark)/.test(name)),
      [
        ['storeSiteAdd', { store: owned, site: 'new.example' }],
        ['storeSiteRemove', { store: owned, site: 'https://tea.example.com' }],
        ['storeMarkRemove', { store: owned }],
      ],
    );
    const storeSiteAdd = (): never => {
      throw refusal({ site: ['Write the address alone'] });
    };
    const refused = await show({ ...answers, storeSiteAdd }, page, { form: { intent: 'site-add', site: 'x y' } });
    assert.match(refused.body, /value="x y"/);
    assert.equal(refused.body.match(FIELD_ERROR)?.length, 1);
    for (const kind of ['personal', 'test'] as const)
      assert.ok(!(await show(answers, `/store?id=${idAs(kind, 'owner')}`)).body.includes('site-add'), kind);
  });

  for (const prefix of PREFIXES)
    test(`preview the store’s look in its colour, without styles in the document (${prefix})`, async () => {
      const looks = { colour: '#ffd400', mark: '/api/v1/store-mark/x' };
      const usual = merchant(now) as { stores: () => { stores: object[] } };
      const answers: Answers = {
        ...usual,
        stores: () => ({ ...usual.stores(), stores: usual.stores().stores.map((one) => ({ ...one, ...looks })) }),
      };
      const { body, text } = await show(answers, `/store?id=${owned}`, { prefix });
      assert.match(body, /<rect[^>]* fill="#ffd400"/);
      assert.match(body, /<img src="[^"]*\/api\/v1\/store-mark\/x"/);
      assert.doesNotMatch(body, /\sstyle="/);
      assert.ok(text.includes(plain(WORDS[prefix].store_preview)));
      assert.doesNotMatch((await show(merchant(now), `/store?id=${owned}`)).body, /<rect[^>]* fill="#/);
    });

  for (const prefix of PREFIXES)
    test(`list members, their keys, invitations and the permissions of each role (${prefix})`, async () => {
      const { body, text } = await show(merchant(now), `/store/members?id=${owned}`, { prefix });
      for (const email of ['ann@example.org', 'boris@example.org', 'vera@example.org', 'gleb@example.org'])
        assert.ok(text.includes(email), email);
      assert.equal(body.match(/name="intent" value="remove"/g)?.length, 2, 'the owner can’t be removed');
      assert.match(body, /name="key-[^"]+"[^>]*value="yes"/);
      assert.match(body, /checked=""/, 'keys are ticked for revocation');
      const row = plain(WORDS[prefix].store_may_move_settlement);
      const cells = text.slice(text.indexOf(row)).split(' – ');
      assert.equal(cells.length - 1, 3, 'only the owner moves the balance');
      const ids = [...body.matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id);
      assert.equal(new Set(ids).size, ids.length, 'no id is there twice');
    });

  test('send each change of members as it was chosen', async () => {
    const made: [string, unknown][] = [];
    const done = (): undefined => undefined;
    const answers: Answers = {
      ...merchant(now),
      ...{ storeInvite: done, storeInviteWithdraw: done, storeMemberChange: done, storeMemberRemove: done },
    };
    const page = `/store/members?id=${owned}`;
    const forms = {
      [en.members_invited]: { intent: 'invite', email: 'new@example.org', role: 'manager' },
      [en.members_withdrawn]: { intent: 'withdraw', id: 'i' },
      [en.members_changed]: { intent: 'change', id: 'm', role: 'accountant' },
      [en.members_removed]: { intent: 'remove', id: 'm', 'key-one': 'yes', 'key-two': 'yes' },
    };
    for (const [said, form] of Object.entries(forms)) {
      const { text } = await show(answers, page, { form, made });
      assert.ok(text.includes(said), said);
    }
    const inputs = Object.fromEntries(made.filter(([name]) => /^store(?:Invite|Member(?:Change|Remove))/.test(name)));
    assert.deepEqual(inputs, {
      storeInvite: { store: owned, email: 'new@example.org', role: 'manager' },
      storeInviteWithdraw: { store: owned, id: 'i' },
      storeMemberChange: { store: owned, id: 'm', role: 'accountant' },
      storeMemberRemove: { store: owned, id: 'm', keys: ['one', 'two'] },
    });
  });

  test('keep the typed address after a refused invitation', async () => {
    const storeInvite = (): never => {
      throw refusal({ email: ['This is a member already'] });
    };
    const form = { intent: 'invite', email: 'boris@example.org', role: 'manager' };
    const { status, body, text } = await show({ ...merchant(now), storeInvite }, `/store/members?id=${owned}`, { form });
    assert.equal(status, 422);
    assert.ok(text.includes('This is a member already'));
    assert.match(body, /name="email" value="boris@example\.org"|value="boris@example\.org"[^>]*name="email"/);
  });
});
