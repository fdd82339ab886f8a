import assert from 'node:assert/strict';
import { test } from 'node:test';
import en from '../../../content/faq/en-US.json' with { type: 'json' };
import ru from '../../../content/faq/ru-RU.json' with { type: 'json' };
import { searchFor } from './search.ts';

const WORDS = { en, ru };

/** Ids of the questions that a query finds, as on the page. */
function found(locale: 'en' | 'ru', query: string): string[] {
  const holds = searchFor(query, locale);
  const questions = WORDS[locale].groups.flatMap((group) => group.questions);
  return questions.filter(({ question, answer, also }) => holds(`${question} ${answer} ${also}`)).map(({ id }) => id);
}

/** Queries that people type, each with the id of a question that answers it. */
const QUERIES = {
  en: [
    ['fees', 'cost'],
    ['FEE', 'cost'],
    ['commissions', 'cost'],
    ['refunds', 'refund'],
    ['refunded', 'refund'],
    ['how do I get my money back', 'refund'],
    ['cancelling', 'refund'],
    ['cancel', 'withdrawal'],
    ['vouchers', 'voucher'],
    ['e-voucher', 'voucher'],
    ['perfect money', 'voucher'],
    ['verification', 'check'],
    ['verify', 'limits'],
    ['documents', 'check'],
    ['KYC', 'check'],
    ['bitcoin', 'network'],
    ['btc', 'how-long'],
    ['USDT', 'network'],
    ['tether', 'network'],
    ['usdt network', 'network'],
    ['network USDT', 'network'],
    ['“wrong network”', 'network'],
    ['scam?', 'trust'],
    ['limit', 'limits'],
    ['rates', 'rate'],
    ['email', 'account'],
    ['e-mail', 'account'],
    ['can’t', 'refund'],
    ['2fa', 'second-factor'],
    ['delete account', 'close'],
    ['confirmations', 'how-long'],
    ['confirm', 'how-long'],
    ['withdrawals', 'withdrawal'],
    ['payments', 'late'],
    ['receipts', 'receipt'],
    ['chargebacks', 'paypal'],
    ['wal', 'wallets'],
  ],
  ru: [
    ['комиссии', 'cost'],
    ['комиссия', 'fee'],
    ['КОМИССИЙ', 'cost'],
    ['ваучеры', 'voucher'],
    ['ваучера', 'voucher'],
    ['возвраты', 'refund'],
    ['возвратом', 'refund'],
    ['как вернуть деньги', 'refund'],
    ['документы', 'check'],
    ['документов', 'check'],
    ['верификация', 'check'],
    ['верификацию', 'limits'],
    ['KYC', 'check'],
    ['отмена', 'refund'],
    ['отменить вывод', 'withdrawal'],
    ['биткоин', 'network'],
    ['биткоины', 'how-long'],
    ['BTC', 'how-long'],
    ['USDT', 'network'],
    ['тезер', 'network'],
    ['сети', 'network'],
    ['«другая сеть»', 'network'],
    ['кошельки', 'wallets'],
    ['кошелёк', 'wallets'],
    ['кошелек', 'wallets'],
    ['платежи', 'late'],
    ['курсы', 'rate'],
    ['лимит', 'limits'],
    ['мошенники', 'trust'],
    ['проверка', 'check'],
    ['проверки', 'check'],
    ['чек', 'receipt'],
    ['квитанции', 'receipt'],
    ['удалить аккаунт', 'close'],
    ['аккаунт закрыть', 'close'],
    ['пароль', 'sign-in'],
    ['выплаты', 'refused'],
    ['задержка', 'paypal'],
  ],
} as const;

test('finds a question by any form of its words, in any order', () => {
  for (const locale of ['en', 'ru'] as const)
    for (const [query, id] of QUERIES[locale]) assert.ok(found(locale, query).includes(id), `${query}: ${found(locale, query)}`);
});

test('finds nothing for words that no answer contains, or for no words', () => {
  for (const locale of ['en', 'ru'] as const) {
    for (const query of ['nothing-such', 'xyzzy', 'абырвалг', 'fees xyzzy', 'комиссии абырвалг', '?!', '“”', 'a'.repeat(64)])
      assert.deepEqual(found(locale, query), [], query);
  }
});

test('requires every word, and distinguishes words that only begin alike', () => {
  assert.ok(found('en', 'refund').length > found('en', 'refund e-mail').length);
  const holds = (query: string, text: string) => searchFor(query, 'en')(text);
  assert.equal(holds('rate', 'We would rather not'), false);
  assert.equal(holds('fees', 'feel'), false);
  assert.equal(holds('order', 'border'), false);
  assert.equal(searchFor('курс', 'ru')('курорт'), false);
});

test('every question has synonyms in both languages', () => {
  for (const words of [en, ru])
    for (const { id, also } of words.groups.flatMap((group) => group.questions)) assert.match(also, /\S/, id);
});
