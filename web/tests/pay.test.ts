// The page on which a buyer pays an invoice, with the stub of the API: its states, forms and refusals, in both languages.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { CallError } from '@kurs/contract/client';
import { PAY } from '../entries/pay.ts';
import en from '../locales/en-US.json' with { type: 'json' };
import { textOf } from '../testing/ask-text.ts';
import { type Answers, refusal } from '../testing/gate/answers.ts';
import { SCENE_NAMES, type SceneName, invoiceIn, sceneId } from '../testing/gate/invoices.ts';
import { type Key, PREFIXES, SECRET, WORDS, mustSay, plain, request, show, start } from '../testing/gate/show-pay.ts';
import { weigh } from '../testing/page-size.ts';

const now = new Date();

for (const prefix of PREFIXES) {
  const says = (text: string, ...keys: readonly Key[]): void => mustSay(prefix, text, keys);
  describe(`the page of an invoice (${prefix})`, () => {
    test('shows every state without gaps, without styles in attributes, and to no search engine', async () => {
      for (const scene of SCENE_NAMES) {
        const { status, body, text } = await show(scene, { prefix });
        assert.equal(status, 200, scene);
        assert.doesNotMatch(text, /undefined|NaN|\[object/, scene);
        assert.doesNotMatch(body, /\sstyle="/, scene);
        assert.ok(body.includes('<meta name="robots" content="noindex">'), scene);
        assert.equal(body.split('<h1').length, 2, scene);
      }
    });

    test('says who is paid, by whose desk and for what', async () => {
      const { text } = await show('open', { prefix });
      says(text, 'checkout_choose', 'checkout_tax', 'checkout_total');
      const by = WORDS[prefix].checkout_by.replace('{store}', 'Books «Northern Forest»').replace('{name}', 'Kurs');
      for (const part of ['KI-7F3Q-2M8C', plain(by), '2026-1184', 'Map of the Kola Peninsula', 'severny-les.example'])
        assert.ok(text.includes(part), part);
      assert.ok(text.includes(prefix === 'En' ? '68.00' : '68,00'), 'the sum of a line of two pieces');
    });

    test('lists methods in the order of the API, with amount, cost and minutes, and closed ones with their reason', async () => {
      const { body, text } = await show('open', { prefix });
      const shown = [...body.matchAll(/<button[^>]* value="([A-Z0-9_]+)"/g)].map(([, code]) => code);
      const open = invoiceIn('open', now).methods.filter(({ closed }) => !closed);
      assert.deepEqual(
        shown,
        open.map(({ method }) => method),
      );
      says(text, 'checkout_closed_off', 'checkout_closed_rates', 'checkout_closed_costs');
      const row =
        prefix === 'En' ? /TRC-20 · ≈ 3 min 84\.64 USDT fee 0\.22 USDT/ : /TRC-20 · ≈ 3 мин 84,64 USDT комиссия 0,22 USDT/;
      assert.match(text, row);
      assert.ok(text.includes(`${start(prefix, 'checkout_unavailable')} 3`));
    });

    test('shows the chosen method with amount, address, QR code and the time of its price', async () => {
      const { text, body } = await show('chosen', { prefix });
      says(text, 'headline_waiting', 'checkout_price_until', 'checkout_partly', 'checkout_waiting', 'pay_open_wallet');
      assert.ok(textOf(body, '').includes('TWd4WrZ9wn84f5x1hZhL4DHvk738ns5jwb'));
      assert.match(body, /role="timer"[^>]*>1[34]:\d\d</);
      assert.ok(body.includes('href="tron:TWd4WrZ9wn84f5x1hZhL4DHvk738ns5jwb"'));
      assert.match(text, /TRC-20/);
    });

    test('asks for a choice where only the shop has chosen, with its method first', async () => {
      const { body, text } = await show('named', { prefix });
      says(text, 'checkout_choose', 'checkout_named');
      const shown = [...body.matchAll(/<button[^>]* value="([A-Z0-9_]+)"/g)].map(([, code]) => code);
      assert.equal(shown[0], 'BTC');
      assert.equal(shown.length, (await show('open', { prefix })).body.match(/<button[^>]* value="[A-Z0-9_]+"/g)?.length);
      assert.doesNotMatch(body, /http-equiv="refresh"/);
    });

    test('says in words what happens to the money in each state', async () => {
      const expected: Partial<Record<SceneName, readonly Key[]>> = {
        partly: ['checkout_choose_rest', 'checkout_credited', 'checkout_pending', 'checkout_due', 'checkout_counted'],
        confirming: ['checkout_confirming', 'checkout_confirming_text', 'checkout_counts'],
        settled: ['checkout_settled', 'receipt_title', 'checkout_return'],
        over_paid: ['checkout_payment_over', 'checkout_unallocated'],
        short: ['checkout_choose_rest', 'checkout_short_text'],
        short_over: ['checkout_choose_rest', 'checkout_short_text', 'checkout_new_price'],
        expired: ['checkout_expired', 'checkout_expired_text'],
        given_back: ['checkout_given_back', 'checkout_given', 'checkout_returning', 'checkout_status_given_back'],
        expired_late: ['checkout_late', 'checkout_late_ended', 'checkout_unallocated'],
        cancelled: ['checkout_cancelled', 'checkout_cancelled_text'],
        invalid: ['checkout_invalid', 'checkout_invalid_text', 'checkout_payment_reversed'],
        dropped: ['checkout_dropped', 'checkout_payment_dropped'],
        late: ['checkout_late_wait', 'checkout_late', 'checkout_late_text', 'checkout_again', 'checkout_payment_late'],
        late_waiting: ['checkout_late_wait', 'checkout_late_text', 'checkout_again', 'checkout_waits'],
        late_chosen: ['headline_waiting', 'checkout_late', 'checkout_late_text'],
        dust: ['checkout_choose', 'checkout_unallocated'],
        settled_late: ['checkout_settled', 'checkout_payment_extra'],
        time_over: ['checkout_time_over', 'checkout_time_over_text', 'checkout_due', 'checkout_counts'],
        held: ['checkout_checking', 'checkout_checking_text', 'checkout_held'],
        not_accepted: [
          'checkout_not_accepted',
          'checkout_not_accepted_text',
          'checkout_status_refused',
          'checkout_refused',
          'checkout_unallocated',
        ],
        marked: ['checkout_marked_settled', 'checkout_marked_text'],
        marked_invalid: ['checkout_marked_invalid', 'checkout_marked_text'],
        waiting: ['checkout_late_wait', 'checkout_again', 'checkout_waits'],
        over: ['checkout_over', 'checkout_over_address', 'checkout_new_price'],
        preparing: ['pay_preparing', 'pay_preparing_text'],
        refused: ['pay_refused_title', 'checkout_refused_text', 'checkout_choose'],
        top_up: ['checkout_any', 'checkout_amount', 'checkout_amount_hint', 'checkout_cost_from', 'checkout_least'],
        top_up_chosen: ['checkout_send_any', 'checkout_rate_later'],
        closed: ['checkout_closed', 'checkout_closed_text'],
        test: ['checkout_test', 'checkout_test_text'],
      };
      for (const [scene, keys] of Object.entries(expected)) says((await show(scene as SceneName, { prefix })).text, ...keys);
    });

    test('asks before it offers another payment while one is awaited, and otherwise does not', async () => {
      for (const scene of ['late', 'late_waiting', 'late_used', 'waiting'] as const) {
        const { body, text } = await show(scene, { prefix });
        const [folded, list] = [/<details[^>]*><summary>([^<]+)/.exec(body), body.search(/<button[^>]* value="USDT_TRC20"/)];
        assert.equal(plain(folded?.[1] ?? ''), start(prefix, 'checkout_again'), scene);
        assert.doesNotMatch(folded?.[0] ?? '', / open/, scene);
        assert.ok(list > (folded?.index ?? list), `the methods of ${scene} are folded`);
        assert.ok(!text.includes(start(prefix, 'checkout_new_price')), scene);
      }
      for (const scene of ['dust', 'over', 'open', 'settled_late', 'time_over'] as const) {
        const { text } = await show(scene, { prefix });
        for (const key of ['checkout_again', 'checkout_late', 'checkout_late_ended'] as const)
          assert.ok(!text.includes(start(prefix, key)), `${scene}: ${key}`);
      }
      const over = await show('time_over', { prefix });
      assert.ok(!over.text.includes(start(prefix, 'checkout_new_price')) && !/<button[^>]* value="USDT_TRC20"/.test(over.body));
    });

    test('answers 404 about an unknown invoice in its own words', async () => {
      const { status, text, policy, body } = await show('unknown', { prefix });
      assert.equal(status, 404);
      says(text, 'checkout_missing', 'checkout_missing_text', 'checkout_help');
      assert.match(policy ?? '', /frame-ancestors \*/);
      assert.ok(!body.includes('<header'), 'no header with a sign-in, since other sites may frame the page');
    });
  });
}

describe('forms of the page of an invoice', () => {
  test('choose a method, and return to the page', async () => {
    const made: [string, unknown][] = [];
    const { status, location } = await show('open', { form: { intent: 'method', method: 'BTC' }, query: '?change', made });
    assert.equal(status, 303);
    assert.equal(location, `/En/pay/${sceneId('open')}`);
    assert.deepEqual(made.find(([name]) => name === 'paymentMethod')?.[1], { id: sceneId('open'), method: 'BTC' });
  });

  test('ask for the payer’s account first if the method needs it', async () => {
    const made: [string, unknown][] = [];
    const first = await show('open', { form: { intent: 'method', method: 'MONEYGO_USD' }, query: '?change', made });
    assert.equal(first.status, 200);
    assert.match(first.body, /name="payer\.account"/);
    assert.ok(!made.some(([name]) => name === 'paymentMethod'));
    const form = { intent: 'method', method: 'MONEYGO_USD', 'payer.account': ' U1234567 ' };
    assert.equal((await show('open', { form, made })).status, 303);
    const payer = { account: 'U1234567' };
    assert.deepEqual(made.find(([name]) => name === 'paymentMethod')?.[1], { id: sceneId('open'), method: 'MONEYGO_USD', payer });
    const answers: Answers = {
      paymentMethod: () => {
        throw refusal({ 'payer.account': ['A MoneyGo account begins with U'] });
      },
    };
    const wrong = await show('open', { form, answers });
    assert.equal(wrong.status, 422);
    assert.match(wrong.body, /id="field-payer-account"[^>]*aria-invalid="true"/);
    assert.ok(wrong.text.includes('A MoneyGo account begins with U') && wrong.body.includes('value=" U1234567 "'));
  });

  test('read the sum of a top-up as typed, for payment systems alone', async () => {
    const made: [string, unknown][] = [];
    const form = { intent: 'method', method: 'PAYEER_USD', amount: '1 250,5' };
    assert.equal((await show('top_up', { prefix: 'Ru', form, made })).status, 303);
    const onChain = { intent: 'method', method: 'BTC', amount: 'any' };
    assert.equal((await show('top_up', { form: onChain, made })).status, 303);
    assert.deepEqual(
      made.filter(([name]) => name === 'paymentMethod').map(([, input]) => (input as { amount?: string }).amount),
      ['1250.5', undefined],
    );
    for (const [amount, error] of [
      ['', en.checkout_amount_missing],
      ['5k', en.amount_unreadable],
    ] as const) {
      const refused = await show('top_up', { form: { intent: 'method', method: 'PAYEER_USD', amount }, query: '?change' });
      assert.equal(refused.status, 422);
      assert.ok(refused.text.includes(plain(error)), amount);
    }
  });

  test('say why the API refused a choice', async () => {
    const message = 'The method of this invoice was changed too often.';
    const answers: Answers = {
      paymentMethod: () => {
        throw new CallError(429, { code: 'too_many_choices', message });
      },
    };
    const { status, text } = await show('open', { form: { intent: 'method', method: 'BTC' }, answers });
    assert.equal(status, 429);
    assert.ok(text.includes(message));
  });

  test('take an e-mail address, and keep a wrong one in its field', async () => {
    const made: [string, unknown][] = [];
    const opened = await show('open', { query: '?email' });
    assert.match(opened.body, /<input[^>]* name="email"/);
    assert.equal((await show('open', { form: { intent: 'email', email: ' ann@example.org ' }, made })).status, 303);
    assert.deepEqual(made.at(-1), ['paymentEmail', { id: sceneId('open'), email: 'ann@example.org' }]);
    const cookies = { payer: SECRET };
    assert.equal((await show('open', { form: { intent: 'email', email: 'ann@example.org' }, made, cookies })).status, 303);
    assert.deepEqual(made.at(-1), ['paymentEmail', { id: sceneId('open'), email: 'ann@example.org', secret: SECRET }]);
    const wrong = await show('open', { form: { intent: 'email', email: 'ann' }, query: '?email' });
    assert.equal(wrong.status, 422);
    assert.match(wrong.body, /id="field-email"[^>]*aria-invalid="true"/);
    assert.ok(wrong.body.includes('value="ann"'));
  });

  test('play a case of a payment to a test invoice, and to no other', async () => {
    const made: [string, unknown][] = [];
    const { body } = await show('test');
    const cases = [...body.matchAll(/<button[^>]* value="(\w+)"[^>]* name="case"/g)].map(([, name]) => name);
    assert.deepEqual(cases, ['seen', 'final', 'short', 'over', 'late', 'held', 'dropped', 'reversed', 'refund_claimed']);
    assert.equal((await show('test', { form: { intent: 'test', case: 'late' }, made })).status, 303);
    assert.deepEqual(made.at(-1), ['paymentTest', { id: sceneId('test'), case: 'late' }]);
    assert.doesNotMatch((await show('chosen')).body, /name="case"/);
  });

  test('pay from the sandbox’s wallet what the option asks for', async () => {
    const made: [string, unknown][] = [];
    const { status, text } = await show('chosen', { form: { intent: 'sandbox', version: '3' }, made });
    assert.equal(status, 200);
    assert.ok(text.includes(en.sandbox_paid));
    const to = 'TWd4WrZ9wn84f5x1hZhL4DHvk738ns5jwb';
    assert.deepEqual(made.find(([name]) => name === 'sandboxPay')?.[1], { currency: 'USDT_TRC20', to, amount: '84.64' });
  });
});

describe('the page of an invoice without scripts', () => {
  test('reloads itself while it waits for a payment, and never where something can be typed', async () => {
    const isRefreshed = async (scene: SceneName, query = ''): Promise<boolean> =>
      (await show(scene, { query })).body.includes('http-equiv="refresh"');
    for (const scene of ['chosen', 'redirect', 'preparing', 'confirming'] as const) assert.ok(await isRefreshed(scene), scene);
    for (const scene of ['open', 'top_up', 'settled', 'expired'] as const) assert.ok(!(await isRefreshed(scene)), scene);
    for (const query of ['?email', '?change']) assert.ok(!(await isRefreshed('chosen', query)), query);
  });

  test('leads to a payment system by a form or a link, out of a frame', async () => {
    const form = await show('redirect');
    assert.match(
      form.body,
      /<form[^>]*action="https:\/\/pay\.example\/merchant"[^>]*target="_top"|target="_top"[^>]*action="https:\/\/pay/,
    );
    assert.match(form.body, /<input type="hidden" name="m_sign" value="9F86D081"\/>/);
    assert.match(form.policy ?? '', /form-action 'self' https:\/\/pay\.example/);
    assert.match((await show('link')).body, /<a[^>]*href="https:\/\/pay\.example\/merchant\?id=77"[^>]*/);
  });

  test('shows no address and no payment system for a test invoice', async () => {
    const { body } = await show('test');
    assert.doesNotMatch(textOf(body, ''), /TWd4WrZ9wn84f5x1hZhL4DHvk738ns5jwb/);
    assert.doesNotMatch(body, /href="tron:/);
  });

  test('paints the panel in the store’s colour, with letters that can be read on it', async () => {
    const [light, dark] = [await show('coloured'), await show('purple')];
    assert.ok(light.body.includes('fill="#f2c230"') && dark.body.includes('fill="#4b2d85"'));
    assert.ok(light.text.includes('Two jars of lime honey. A gift for Ann.'));
  });

  test('is small as it is sent, with ten methods too', async () => {
    for (const scene of ['open', 'chosen', 'partly'] as const)
      for (const prefix of PREFIXES) {
        const { html, style } = weigh((await show(scene, { prefix })).body);
        assert.ok(html <= PAY.budget.html, `${scene} ${prefix}: ${html} bytes`);
        assert.ok(style <= PAY.budget.style, `${scene}: ${style} bytes of style`);
      }
  });

  test('sends the browser nothing that only the server renders', async () => {
    const { body } = await show('lines');
    const data = /<script type="application\/json" id="data">(.*?)<\/script>/s.exec(body)?.[1] ?? '';
    assert.ok(body.includes('Postcard 12') && !data.includes('Postcard'));
  });
});

describe('the payer’s secret of an invoice', () => {
  const ORDER = { id: 'KX-STRA-Y000', token: 'c3R1Yi10b2tlbi1mb3ItdGVzdHMtb25seS0wMDAx' };
  const openedBy = ({ secret }: { secret?: string }) => {
    const invoice = invoiceIn('over_paid', now);
    const payments = invoice.payments.map((one) => ({ ...one, ...(secret === SECRET && one.over && { order: ORDER }) }));
    return { ...invoice, payments };
  };
  const answers: Answers = { paymentInvoice: openedBy };
  const at = `/En/pay/${sceneId('over_paid')}`;

  test('is stored by the first choice for the invoice’s page alone, where a shop’s frame has it and no script', async () => {
    const chosen: Answers = { paymentMethod: () => ({ ...invoiceIn('chosen', now), secret: SECRET }) };
    const { stored } = await show('open', { form: { intent: 'method', method: 'BTC' }, answers: chosen });
    assert.deepEqual(
      stored,
      PREFIXES.flatMap((prefix) =>
        ['', '.data'].map(
          (end) =>
            `payer=${SECRET}; Path=/${prefix}/pay/${sceneId('open')}${end}; Max-Age=5184000; HttpOnly; SameSite=None; Secure; Partitioned`,
        ),
      ),
    );
    assert.deepEqual((await show('open', { form: { intent: 'method', method: 'BTC' } })).stored, []);
  });

  test('opens the page on which the payer decides; without it the page says to write to us', async () => {
    const { body, text } = await request(at, { answers, cookies: { payer: SECRET } });
    assert.ok(body.includes(`href="/En/order?id=${ORDER.id}&amp;token=${ORDER.token}"`));
    assert.ok(text.includes(en.checkout_own_open));
    for (const payer of [undefined, 'another-secret-of-somebody-else', 'not a secret', '']) {
      const made: [string, unknown][] = [];
      const shown = await request(at, { answers, made, ...(payer !== undefined && { cookies: { payer } }) });
      assert.equal(shown.status, 200);
      assert.ok(!shown.body.includes(ORDER.token));
      assert.ok(!shown.text.includes(en.checkout_own_open));
    }
  });
});
