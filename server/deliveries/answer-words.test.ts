import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answerWords } from './answer-words.ts';

const ERRORS = [
  'Timeout: no connection',
  'Timeout: no answer',
  'no whole answer in time',
  'connect ECONNREFUSED 203.0.113.7:443',
  'the connection was closed',
  'the name has no address',
  'the address is not public',
  'unable to verify the first certificate',
];

test('a letter names the last answer, or why there was none, in its reader’s language', () => {
  for (const said of ERRORS) {
    assert.match(answerWords({ status: null, said }, 'ru') ?? '', /^[А-Яа-яё\s]+$/, said);
    assert.match(answerWords({ status: null, said }, 'en') ?? '', /^[A-Z][a-z’ ]+$/, said);
  }
  assert.equal(
    answerWords({ status: null, said: 'EPROTO: no TLS' }, 'ru'),
    'Запрос не удался: EPROTO: no TLS'.replace('не ', 'не\u00a0'),
  );
  assert.equal(answerWords({ status: 503, said: 'busy' }, 'ru'), 'HTTP 503');
  assert.equal(answerWords({ status: null, said: null }, 'en'), undefined);
});
