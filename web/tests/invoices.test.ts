// Pages of a store's invoices with the stub of the API: the list, an invoice in each state, and the form for a new one.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { CallError } from '@kurs/contract/client';
import en from '../locales/en-US.json' with { type: 'json' };
import { type Answers, merchant, refusal, storeAs } from '../testing/gate/answers.ts';
import { SAMPLES, type Sample, invoiceAnswers, invoiceAs, sampleId } from '../testing/gate/store-invoices.ts';
import { PREFIXES, type ShowRequest, type Shown, WORDS, plain, showBusiness } from '../testing/gate/show-business.ts';

const now = new Date('2026-11-20T14:05:12Z');
const seller: Answers = { ...merchant(now), ...invoiceAnswers(now) };
type Role = Parameters<typeof storeAs>[1];
const idAs = (role: Role): string => storeAs('business', role, now).id;
const store = idAs('owner');

const show = (path: string, request: ShowRequest & { answers?: Answers } = {}): Promise<Shown> =>
  showBusiness(now, request.answers ?? seller, `/store/${path}`, request);
const list = (query = '', request = {}): Promise<Shown> => show(`invoices?store=${store}${query}`, request);
const one = (sample: Sample, request = {}, role: Role = 'owner'): Promise<Shown> =>
  show(`invoice?store=${idAs(role)}&id=${sampleId(sample)}`, request);
const FIELD_ERROR = 'aria-invalid="true"';

describe('the list of invoices', () => {
  for (const prefix of PREFIXES)
    test(`shows each invoice with its state, and links to it (${prefix})`, async () => {
      const { status, body, text } = await list('', { prefix });
      assert.equal(status, 200);
      const words = WORDS[prefix];
      for (const state of ['open', 'confirming', 'settled', 'short', 'expired', 'cancelled', 'invalid'] as const)
        assert.ok(text.includes(plain(words[`invoices_${state}`])), state);
      for (const sample of SAMPLES) {
        assert.ok(body.includes(`/${prefix}/dashboard/business/store/invoice?store=${store}&amp;id=${sampleId(sample)}`), sample);
        assert.ok(text.includes(invoiceAs(sample, now).number), sample);
      }
      const part = plain(words.invoices_bar_pending).replace('{sum}', prefix === 'En' ? '42.00 USD' : '42,00 USD');
      assert.ok(plain(body).includes(part), 'the bar says what is on the way');
      assert.ok(text.includes('Europe/Belgrade'));
      assert.ok(text.includes(prefix === 'En' ? 'Nov 20, 13:05' : '20 нояб., 13:05'), 'times are those of the store');
    });

  test('asks for what the address says, and keeps it in the links', async () => {
    const made: [string, unknown][] = [];
    const { body } = await list('&state=ended&from=11%2F01%2F2026&to=11%2F20%2F2026&q=1184', { made });
    const asked = made.find(([name]) => name === 'invoices')?.[1];
    assert.deepEqual(asked, {
      ...{ store, state: ['expired', 'cancelled', 'invalid'], from: '2026-11-01', to: '2026-11-20', q: '1184' },
      ...{ page: 1, per_page: 20 },
    });
    assert.ok(body.includes(`?store=${store}&amp;state=open&amp;from=11%2F01%2F2026&amp;to=11%2F20%2F2026&amp;q=1184`));
    assert.match(body, /<input[^>]*name="q"[^>]*value="1184"|value="1184"[^>]*name="q"/);
  });

  test('asks for marked invoices and for the archive', async () => {
    for (const group of ['marked', 'archived'] as const) {
      const made: [string, unknown][] = [];
      const { body } = await list(`&state=${group}`, { made });
      const asked = made.find(([name]) => name === 'invoices')?.[1];
      assert.deepEqual(asked, { store, [group]: 'yes', page: 1, per_page: 20 });
      assert.match(body, new RegExp(`state=${group}"[^>]*aria-current="true"`));
    }
  });

  test('says at its field that a day can’t be read, and asks without it', async () => {
    const made: [string, unknown][] = [];
    const { body } = await list('&from=02%2F30%2F2026&state=nothing', { made });
    assert.equal(body.split(FIELD_ERROR).length - 1, 1);
    assert.deepEqual(made.find(([name]) => name === 'invoices')?.[1], { store, page: 1, per_page: 20 });
  });

  test('offers the first invoice in an empty store, and a way back from an empty filter', async () => {
    const none = { ...seller, invoices: () => ({ data: [], meta: { current_page: 1, per_page: 20, last_page: 1, total: 0 } }) };
    const empty = await list('', { answers: none });
    assert.ok(empty.text.includes(en.invoices_none));
    assert.ok(empty.body.includes(`/En/dashboard/business/store/invoices/new?store=${store}`));
    const reader = await show(`invoices?store=${idAs('accountant')}`, { answers: none });
    assert.ok(reader.text.includes(en.invoices_none_yet));
    assert.ok(!reader.body.includes('/invoices/new'));
    const filtered = await list('&q=nothing', { answers: none });
    assert.ok(filtered.text.includes(en.orders_nothing));
    assert.ok(!filtered.text.includes(en.invoices_none));
  });

  test('goes past the counted rows by cursor, and back to the newest', async () => {
    const meta = { current_page: 500, per_page: 20, last_page: 501, total: 10_000, is_more: true as const, next: 'a-cursor' };
    const rows = [invoiceAs('open', now)];
    const asked: object[] = [];
    const invoices = (input: { after?: string }) => {
      asked.push(input);
      return { data: rows, meta: input.after === undefined ? meta : { ...meta, next: undefined } };
    };
    const last = await list('&page=500', { answers: { ...seller, invoices } });
    assert.ok(last.body.includes(`?store=${store}&amp;after=a-cursor"`));
    const beyond = await list('&page=501', { answers: { ...seller, invoices } });
    assert.deepEqual(asked.at(-1), { store, page: 500, per_page: 20 }, 'no number leads past the counted rows');
    assert.ok(beyond.body.includes('after=a-cursor'));
    const further = await list('&after=a-cursor&state=open', { answers: { ...seller, invoices } });
    assert.deepEqual(asked.at(-1), { store, state: ['open'], after: 'a-cursor', per_page: 20 });
    assert.ok(further.text.includes(en.moves_look_newest));
    assert.doesNotMatch(further.body, /rel="next"/);
  });

  test('is the first part of a store for each role, and of a personal store', async () => {
    for (const role of ['owner', 'manager', 'developer', 'accountant'] as const) {
      const { body } = await showBusiness(now, seller, `/store?id=${idAs(role)}`);
      assert.ok(body.includes(`href="/En/dashboard/business/store/invoices?store=${idAs(role)}"`), role);
    }
    const personal = storeAs('personal', 'owner', now).id;
    assert.equal((await show(`invoices?store=${personal}`)).status, 200);
    assert.equal((await show('invoices?store=0199a7d2-7a3e-7c10-9f00-000000000999')).status, 404);
  });
});

describe('the page of an invoice', () => {
  for (const prefix of PREFIXES)
    test(`shows each state with its meaning, the payments and the events (${prefix})`, async () => {
      const words = WORDS[prefix];
      for (const sample of SAMPLES) {
        const { status, text, body } = await one(sample, { prefix });
        const invoice = invoiceAs(sample, now);
        assert.equal(status, 200, sample);
        assert.ok(text.includes(plain(words[`invoices_${invoice.state}`])), sample);
        assert.ok(text.includes(invoice.url), 'the link to copy');
        assert.ok(text.includes(plain(words.invoices_event_created)), sample);
        assert.equal(body.match(/<li data-status=/g)?.length ?? 0, invoice.payments.length, sample);
        const ids = [...body.matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id);
        assert.equal(new Set(ids).size, ids.length, 'no id is there twice');
      }
    });

  for (const prefix of PREFIXES)
    test(`says until when a payment stands in the reserve (${prefix})`, async () => {
      const words = WORDS[prefix];
      const { text } = await one('settled-reserve', { prefix });
      const [due, later] = prefix === 'En' ? ['75.43 USDT', '8.39 USDT'] : ['75,43 USDT', '8,39 USDT'];
      const until = plain(words.invoices_pay_reserve_until).replace('{time}', '');
      assert.ok(
        text.includes(`${plain(words.invoices_pay_reserve)} ${due} ${plain(words.invoices_pay_reserve_due)}`),
        'its time is over',
      );
      assert.ok(
        text.includes(`${later} ${until}${prefix === 'En' ? 'Apr 19, 2027' : '19 апр. 2027'}`),
        'in the zone of the store',
      );
      assert.ok(!(await one('settled', { prefix })).text.includes(plain(words.invoices_pay_reserve)));
    });

  test('says what each payment means for the money', async () => {
    const notes: readonly (readonly [Sample, string])[] = [
      ['settled', en.invoices_note_over],
      ['settled', en.invoices_note_held],
      ['short', en.invoices_note_late],
      ['short', en.invoices_pay_in_kind],
      ['expired', en.invoices_note_unallocated],
      ['expired-given', en.invoices_says_given_back],
      ['expired-given', en.invoices_note_given_back],
      ['expired-given', en.invoices_note_returning],
      ['cancelled', en.invoices_note_dropped],
      ['invalid', en.invoices_note_reversed],
      ['invalid', en.invoices_note_waiting],
      ['invalid', en.invoices_pay_wallet],
      ['confirming', en.invoices_pay_confirmed.replace('{count}', '3').replace('{needed}', '12')],
    ];
    for (const [sample, note] of notes) assert.ok((await one(sample)).text.includes(note), `${sample}: ${note}`);
    const { text } = await one('settled');
    assert.ok(text.includes('83.82 USDT') && text.includes('0.68 USDT'), 'received and fee, as the API states them');
  });

  test('shows what the shop stored as text', async () => {
    const { body } = await one('open');
    assert.ok(!body.includes('<b>not markup</b>'));
    assert.ok(body.includes('&lt;b&gt;not markup&lt;/b&gt;'));
  });

  test('offers to cancel while nothing was seen, to those who may', async () => {
    const mayCancel = async (sample: Sample, role: Role): Promise<boolean> =>
      (await one(sample, {}, role)).body.includes('value="cancel"');
    for (const role of ['owner', 'manager', 'developer'] as const) assert.ok(await mayCancel('open', role), role);
    assert.ok(!(await mayCancel('open', 'accountant')));
    for (const sample of SAMPLES.filter((name) => name !== 'open' && name !== 'top-up'))
      assert.ok(!(await mayCancel(sample, 'owner')), sample);
  });

  test('cancels it, and says why it could not', async () => {
    const made: [string, unknown][] = [];
    const done = await one('open', { form: { intent: 'cancel' }, made });
    assert.ok(done.text.includes(en.invoices_cancel_done));
    assert.deepEqual(made.find(([name]) => name === 'invoiceCancel')?.[1], { store, id: sampleId('open') });
    const invoiceCancel = (): never => {
      throw new CallError(409, { code: 'invoice_not_open', message: 'A payment was seen.' });
    };
    const refused = await one('open', { form: { intent: 'cancel' }, answers: { ...seller, invoiceCancel } });
    assert.equal(refused.status, 409);
    assert.ok(refused.text.includes('A payment was seen.'));
  });

  test('offers each choice about short and late money with its sums, to those who may', async () => {
    for (const [sample, intents, sums] of [
      ['short', ['accept', 'give_back'], ['41.66 USDT', '0.00045811 BTC']],
      ['expired', ['accept'], ['83.82 USDT', '84.64 USDT']],
    ] as const) {
      for (const role of ['owner', 'manager'] as const) {
        const { body, text } = await one(sample, {}, role);
        for (const intent of intents) assert.ok(body.includes(`value="${intent}"`), `${sample} ${role} ${intent}`);
        for (const sum of sums) assert.ok(text.includes(sum), `${sample} ${sum}`);
      }
      const { body, text } = await one(sample, {}, 'developer');
      for (const intent of intents) assert.ok(!body.includes(`value="${intent}"`), `${sample} ${intent}`);
      assert.ok(text.includes(en.invoices_decide_others));
    }
    for (const sample of ['open', 'settled', 'expired-given'] as const)
      assert.ok(!(await one(sample)).text.includes(en.invoices_accept_title), sample);
  });

  test('decides about the version that the page shows, and says why it could not', async () => {
    for (const [intent, name, done] of [
      ['accept', 'invoiceAccept', en.invoices_accept_done],
      ['give_back', 'invoiceGiveBack', en.invoices_give_back_done],
    ] as const) {
      const made: [string, unknown][] = [];
      const { text } = await one('short', { form: { intent, version: '7' }, made });
      assert.ok(text.includes(done));
      assert.deepEqual(made.find(([call]) => call === name)?.[1], { store, id: sampleId('short'), version: 7 });
      const refusing = (): never => {
        throw new CallError(409, { code: 'invoice_changed', message: 'A payment came.' });
      };
      const refused = await one('short', { form: { intent, version: '7' }, answers: { ...seller, [name]: refusing } });
      assert.deepEqual([refused.status, refused.text.includes('A payment came.')], [409, true]);
    }
  });

  test('offers marks that overrule no money, and the archive for what is finished, to those who may', async () => {
    const offers = async (sample: Sample, role: Role = 'owner'): Promise<string[]> => {
      const { body } = await one(sample, {}, role);
      const tags = [...body.matchAll(/<(?:button|input)[^>]*>/g)].map(([tag]) => tag);
      return tags.flatMap((tag) => /value="((?:un)?archive|settled|invalid)"/.exec(tag)?.[1] ?? []);
    };
    const expected: readonly (readonly [Sample, string[]])[] = [
      ['open', ['settled', 'invalid']],
      ['open-marked', ['invalid']],
      ['settled', ['archive']],
      ['expired', ['archive', 'settled', 'invalid']],
      ['cancelled', ['archive', 'settled']],
      ['cancelled-marked', ['unarchive', 'settled']],
    ];
    for (const [sample, all] of expected) assert.deepEqual(await offers(sample), all, sample);
    assert.deepEqual(await offers('expired', 'accountant'), []);
  });

  for (const prefix of PREFIXES)
    test(`says what a mark means, and marks and archives (${prefix})`, async () => {
      const words = WORDS[prefix];
      const { text } = await one('open-marked', { prefix });
      assert.ok(text.includes(plain(words.invoices_says_marked_settled)));
      assert.ok(text.includes(plain(words.invoices_marked_settled)));
      const refused = await one('cancelled-marked', { prefix });
      assert.ok(refused.text.includes(plain(words.invoices_note_refused)));
      assert.ok(refused.text.includes(plain(words.invoices_archived)));
      const made: [string, unknown][] = [];
      const marked = await one('open', { prefix, made, form: { intent: 'mark', as: 'settled' } });
      assert.ok(marked.text.includes(plain(words.invoices_mark_done)));
      const done = await one('settled', { prefix, made, form: { intent: 'archive' } });
      assert.ok(done.text.includes(plain(words.invoices_archive_done)));
      const back = await one('cancelled-marked', { prefix, made, form: { intent: 'unarchive' } });
      assert.ok(back.text.includes(plain(words.invoices_archive_undone)));
      const calls = made.filter(([name]) => name === 'invoiceMark' || name === 'invoiceArchive').map(([, input]) => input);
      assert.deepEqual(calls, [
        { store, id: sampleId('open'), as: 'settled' },
        { store, id: sampleId('settled'), archived: true },
        { store, id: sampleId('cancelled-marked'), archived: false },
      ]);
    });

  test('says that there is no such invoice', async () => {
    const { status, text } = await show(`invoice?store=${store}&id=7c9e6679-7425-40de-944b-e07fc1f90ae7`);
    assert.equal(status, 404);
    assert.ok(text.includes(en.invoices_missing_title));
  });
});

describe('the form for a new invoice', () => {
  const page = `invoices/new?store=${store}`;
  const FORM = {
    ...{ key: 'a-key-of-the-form-1', kind: 'fixed', amount: '84,50', currency: 'USD', tax: '', description: ' Books ' },
    ...{ 'lines.0.name': '', 'lines.0.quantity': '1', 'lines.0.unit_price': '' },
    ...{ 'lines.1.name': 'Birds', 'lines.1.quantity': '2', 'lines.1.unit_price': '42,25' },
    ...{ order_id: '1184', email: '', return_url: '', metadata: '', life_minutes: '60', tolerance: '1,5%' },
    ...{ methods: 'some', 'method-BTC': 'yes' },
  };

  test('is not for members who may not make one, nor for a suspended business', async () => {
    const accountant = idAs('accountant');
    assert.equal(
      (await show(`invoices/new?store=${accountant}`)).location,
      `/En/dashboard/business/store/invoices?store=${accountant}`,
    );
    const usual = (merchant(now) as { stores: () => { stores: object[] } }).stores();
    const stopped = usual.stores.map((each) => ({ ...each, business_state: 'suspended' }));
    const answers = { ...seller, stores: () => ({ ...usual, stores: stopped }) };
    assert.ok((await show(page, { answers })).location);
    const shown = await list('', { answers });
    assert.ok(shown.text.includes(en.invoices_stopped_title));
    assert.ok(!shown.body.includes('/invoices/new'));
  });

  test('sends what was typed, in the reader’s number format, and leads to the invoice', async () => {
    const made: [string, unknown][] = [];
    const { location } = await show(page, { form: FORM, made, prefix: 'Ru' });
    assert.equal(location, `/Ru/dashboard/business/store/invoice?store=${store}&id=${sampleId('open')}`);
    assert.deepEqual(made.find(([name]) => name === 'invoiceMake')?.[1], {
      ...{ store, amount: '84.50', currency: 'USD', description: 'Books', order_id: '1184', life_minutes: 60, tolerance: '1.5' },
      lines: [{ name: 'Birds', quantity: '2', unit_price: '42.25' }],
      methods: ['BTC'],
      return_url: null,
    });
  });

  test('sends data of programs as an object, and refuses other text and numbers that would lose digits', async () => {
    const made: [string, unknown][] = [];
    await show(page, { form: { ...FORM, metadata: '{"cart": "000161", "deep": {"n": 1.50}}' }, made });
    const sent = made.find(([name]) => name === 'invoiceMake')?.[1] as { metadata: unknown };
    assert.deepEqual(sent.metadata, { cart: '000161', deep: { n: 1.5 } });
    for (const metadata of ['[1]', 'cart: 7', '"text"', 'null', '{"n": 12345678901234567890}']) {
      const { status, body } = await show(page, { form: { ...FORM, metadata } });
      assert.equal(status, 422, metadata);
      assert.ok(body.includes(plain(en.invoices_metadata_wrong)), metadata);
    }
  });

  test('leaves amount, tax and lines out of an invoice of any amount', async () => {
    const made: [string, unknown][] = [];
    await show(page, { form: { ...FORM, kind: 'any', tolerance: '', life_minutes: '', methods: 'all' }, made });
    assert.deepEqual(made.find(([name]) => name === 'invoiceMake')?.[1], {
      ...{ store, currency: 'USD', description: 'Books', order_id: '1184', return_url: null },
    });
  });

  for (const prefix of PREFIXES)
    test(`shows each error at its field and keeps what was typed (${prefix})`, async () => {
      const words = WORDS[prefix];
      const { 'method-BTC': _none, ...untied } = FORM;
      const wrong = { ...untied, amount: '', 'lines.1.quantity': '5k' };
      const { status, body, text } = await show(page, { form: wrong, prefix });
      assert.equal(status, 422);
      assert.ok(text.includes(plain(words.invoices_amount_missing)));
      assert.ok(text.includes(plain(words.invoices_methods_missing)));
      const [quantity = ''] = /<input[^>]*name="lines\.1\.quantity"[^>]*>/.exec(body) ?? [];
      assert.ok(quantity.includes(FIELD_ERROR), 'of the second row, since the first is blank');
      assert.match(body, /value="Birds"/);
      assert.match(body, /<option value="60" selected=""/);

      const invoiceMake = (): never => {
        throw refusal({
          ...{ 'lines.0.unit_price': ['Too many decimals'], lines: ['The lines make 84.50'], 'methods.0': ['Not taken here'] },
          ...{ return_url: ['Not on the store’s sites'], tolerance: ['At most 5'], elsewhere: ['This belongs to no field'] },
        });
      };
      const refused = await show(page, { form: FORM, prefix, answers: { ...seller, invoiceMake } });
      assert.equal(refused.status, 422);
      for (const said of ['Too many decimals', 'The lines make 84.50', 'Not taken here', 'At most 5', 'This belongs to no field'])
        assert.ok(refused.text.includes(said), said);
      const [price = ''] = /<input[^>]*name="lines\.1\.unit_price"[^>]*>/.exec(refused.body) ?? [];
      assert.ok(price.includes(FIELD_ERROR));
    });

  test('adds and removes lines without scripts, and sends nothing', async () => {
    const made: [string, unknown][] = [];
    const added = await show(page, { form: { ...FORM, edit: 'add' }, made });
    assert.match(added.body, /name="lines\.2\.name"/);
    const removed = await show(page, { form: { ...FORM, edit: 'remove.0' }, made });
    assert.doesNotMatch(removed.body, /name="lines\.1\.name"/);
    assert.match(removed.body, /<input[^>]*name="lines\.0\.name"[^>]*value="Birds"|value="Birds"[^>]*name="lines\.0\.name"/);
    assert.ok(!made.some(([name]) => name === 'invoiceMake'));
  });

  test('says beside the lines if they make the amount', async () => {
    assert.ok(
      (await show(page, { form: { ...FORM, edit: 'add' }, prefix: 'Ru' })).text.includes(plain(WORDS.Ru.invoices_lines_fit)),
    );
    const differs = await show(page, { form: { ...FORM, amount: '80', edit: 'add' }, prefix: 'Ru' });
    assert.ok(differs.text.includes(plain(WORDS.Ru.invoices_lines_differ).replace('{amount}', '80,00 USD')));
  });

  test('marks invoices of a test store', async () => {
    const trial = storeAs('test', 'owner', now).id;
    assert.ok((await show(`invoices/new?store=${trial}`)).text.includes(en.invoices_test_title));
    const answers = { ...seller, storeInvoice: () => ({ ...invoiceAs('open', now), test: true }) };
    const { text } = await show(`invoice?store=${trial}&id=${sampleId('open')}`, { answers });
    assert.ok(text.includes(en.store_test_badge));
  });
});
